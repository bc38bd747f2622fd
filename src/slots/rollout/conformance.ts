import { keepGroups, type PlayedRound } from './dynamicSampling/rounds.ts';
import { balancedBudget, decide, growTree, type Rule } from './arpo/branching.ts';
import { lookaheadOf, type LookaheadCase } from './lookahead/golden.ts';

/** A case of kind `branchDecision`, `branchTree` or `aepoBudget` of a golden file with schema rollout-policy/1. */
type BranchCase = {
  readonly kind: string;
  readonly params: Readonly<Record<string, number | string>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, number | readonly number[]>>;
};
type Check = { readonly key: string; readonly built: boolean; readonly passed: boolean; readonly maxError: number };

/** Compares decisions to fork, or the tree of a task, with a golden case. */
export function checkBranchCase(
  { kind, params, inputs, expected }: BranchCase,
  tolerance: { readonly abs: number; readonly rel: number },
): Check[] {
  const of = (name: string): number => Number(params[name]);
  const list = (name: string): readonly number[] => inputs[name] as readonly number[];
  const rule: Rule = {
    ...{ mode: params['mode'] === 'threshold' ? 'threshold' : 'sample', actions: of('nActions') },
    ...{ alpha: of('alpha'), beta: of('beta'), penalty: of('penalty'), tau: of('tau') },
  };
  const tree = (): Record<string, readonly number[]> => treeOf(rule, of, params['scope'] === 'task', list);
  const got = kind === 'branchTree' ? tree() : kind === 'aepoBudget' ? budgetOf(of, list) : decisionsOf(rule, list);
  return Object.entries(expected).map(([key, value]) => {
    const want = typeof value === 'number' ? [value] : value;
    const have = got[key];
    const errors = want.map((w, k) => Math.abs((have?.[k] ?? NaN) - w));
    const isNear = want.every((w, k) => errors[k]! <= tolerance.abs + tolerance.rel * Math.abs(w));
    const passed = have?.length === want.length && isNear;
    return { key: `${kind}.${key}`, built: have !== undefined, passed, maxError: Math.max(0, ...errors) };
  });
}

function budgetOf(
  of: (name: string) => number,
  list: (name: string) => readonly number[],
): Record<string, readonly number[]> {
  const sizes = { total: of('total'), actions: of('nActions'), beta: of('beta') };
  const { root, later, starts } = balancedBudget(sizes, list('probeEntropy'));
  return { root: [root], later: [later], globalCount: [starts], branchCount: [sizes.total - starts] };
}

function decisionsOf(rule: Rule, list: (name: string) => readonly number[]): Record<string, readonly number[]> {
  const [root, consecutive, u] = [list('entropyRoot'), list('consecutive'), list('u')];
  const made = list('entropy').map((entropy, k) =>
    decide(rule, { entropy, root: root[k]!, consecutive: consecutive[k]! }, () => u[k]!),
  );
  return {
    delta: made.map(({ delta }) => delta),
    probability: made.map(({ probability }) => probability),
    branch: made.map(({ forks }) => Number(forks)),
  };
}

function treeOf(
  rule: Rule,
  of: (name: string) => number,
  overTask: boolean,
  list: (name: string) => readonly number[],
): Record<string, readonly number[]> {
  const [entropy, eligible, steps, u] = [list('entropy'), list('eligible'), list('steps'), list('u')];
  const [total, maxSteps] = [of('total'), of('maxSteps')];
  let draws = 0;
  const scope = overTask ? 'task' : 'path';
  const tree = growTree(
    { ...rule, total, starts: of('global'), maxSteps, beam: of('beam'), scope },
    {
      played: total,
      // a fork has taken the step that it was made for
      steps: (slot) => steps[slot]!,
      entropy: (slot, t) => entropy[slot * maxSteps + t]!,
      eligible: (slot, t) => eligible[slot * maxSteps + t] === 1,
      draw: () => u[draws++]!,
    },
  );
  const { decisions, late } = tree;
  const started = Array<number>(late).fill(0);
  return {
    branchParent: [...tree.parent, ...started.map(() => -1)],
    branchStep: [...tree.step, ...started],
    lateRoots: [late],
    draws: [draws],
    decisionStep: decisions.map(({ t }) => t),
    decisionSlot: decisions.map(({ slot }) => slot),
    decisionBranch: decisions.map(({ forks }) => Number(forks)),
    decisionProbability: decisions.map(({ probability }) => probability),
  };
}

/** Compares a lookahead with a golden case: searched from the state, and read from the table of all states. */
export function checkLookaheadCase(
  golden: LookaheadCase,
  tolerance: { readonly abs: number; readonly rel: number },
): Check[] {
  const found = lookaheadOf(golden);
  return Object.entries(golden.expected).map(([key, value]) => {
    const want = typeof value === 'number' ? [value] : value;
    const errors = found.flatMap((got) => want.map((w, k) => Math.abs((got[key]?.[k] ?? NaN) - w)));
    const passed = errors.every((e, k) => e <= tolerance.abs + tolerance.rel * Math.abs(want[k % want.length]!));
    return { key: `lookahead.${key}`, built: found[0]![key] !== undefined, passed, maxError: Math.max(0, ...errors) };
  });
}

/** A case of kind `dynamicSampling` of a golden file with schema rollout-policy/1. */
export type RoundsCase = {
  readonly name: string;
  readonly params: { readonly targetGroups: number; readonly maxRounds: number };
  readonly inputs: { readonly rounds: readonly PlayedRound[] };
  readonly expected: Readonly<Record<string, unknown>>;
};

/** Compares which groups are kept with a golden case. */
export function checkRounds({ params, inputs, expected }: RoundsCase) {
  const { kept, used, sampled, status } = keepGroups(inputs.rounds, params);
  const got: Record<string, unknown> = { keptGroups: kept, roundsUsed: used, groupsSampled: sampled, status };
  return Object.entries(expected).map(([key, want]) => {
    const passed = JSON.stringify(got[key]) === JSON.stringify(want);
    return { key: `dynamicSampling.${key}`, built: key in got, passed, maxError: passed ? 0 : 1 };
  });
}
