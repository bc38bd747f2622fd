import type { RowPlan } from '../../../contract/rows.ts';
import { settings, type ValuesOf } from '../../../core/settings.ts';
import { defineRollout, type ForkDecision, type Growth, type RowContext, type RowsSeen } from '../types.ts';
import { balancedBudget, growTree, type Tree, type TreeRule } from './branching.ts';
import { mayForkAt, type Eligible } from './eligible.ts';

/** Why a step may fork, in words. */
const REASONS: Readonly<Record<string, string>> = {
  newState: 'a new state',
  all: 'any step',
  junction: 'a junction',
  newInformation: 'new information',
};

const params = settings({
  budget: {
    kind: 'choice',
    label: 'Budget of a task',
    default: 'fixed',
    options: ['fixed', 'balanced'],
    optionLabels: ['as many fresh starts for all', 'balanced by a probe (AEPO)'],
    doc: 'Balanced: one first episode of a task says how many more begin fresh.',
  },
  balance: {
    kind: 'number',
    label: 'Slope of the balance',
    default: 4,
    min: 0,
    max: 50,
    doc: 'How strongly the probe’s entropy at the start, against later steps, raises N.',
    formula: 'βₘ',
    when: { setting: 'budget', is: ['balanced'] },
  },
  starts: {
    kind: 'integer',
    label: 'Fresh starts',
    default: 4,
    min: 1,
    max: 512,
    doc: 'N: episodes of a group that begin at the start; the rest of the G are forked from them.',
    formula: 'N',
    when: { setting: 'budget', is: ['fixed'] },
  },
  mode: {
    kind: 'choice',
    label: 'Decision',
    default: 'sample',
    options: ['sample', 'threshold'],
    optionLabels: ['by chance, with probability P', 'wherever P is above τ'],
    doc: 'How the probability P decides on a fork.',
  },
  alpha: {
    kind: 'number',
    label: 'Base probability',
    default: 0.05,
    min: 0,
    max: 1,
    doc: 'Probability of a fork where the policy is as uncertain as at the start.',
    formula: 'α',
  },
  beta: {
    kind: 'number',
    label: 'Weight of the entropy',
    default: 0.5,
    min: 0,
    max: 10,
    doc: 'How much a rise of the entropy since the start adds to it.',
    formula: 'β',
  },
  tau: {
    kind: 'number',
    label: 'Threshold',
    default: 0.5,
    min: 0,
    max: 1,
    doc: 'Forks wherever P is above it.',
    formula: 'τ',
    when: { setting: 'mode', is: ['threshold'] },
  },
  eligible: {
    kind: 'choice',
    label: 'Steps that may fork',
    default: 'newState',
    options: ['newState', 'all', 'junction', 'newInformation'],
    optionLabels: ['new states', 'all but the first', 'junctions', 'new information'],
    doc: 'All but “all” ask for two legal actions that change the state. “All” uses forks up at once.',
  },
  forkPoint: {
    kind: 'choice',
    label: 'A fork parts',
    default: 'before',
    options: ['before', 'after'],
    optionLabels: ['before the uncertain action', 'after it (released code)'],
    doc: 'Before: the uncertain action is drawn again. After: both share it.',
  },
  distinct: {
    kind: 'switch',
    label: 'Other first action',
    default: false,
    doc: 'A fork may not begin with its parent’s action. Otherwise, half of them part only later.',
    when: { setting: 'forkPoint', is: ['before'] },
  },
  beam: {
    kind: 'integer',
    label: 'Beam',
    default: 2,
    min: 2,
    max: 8,
    doc: 'A step is forked up to beam − 1 times.',
  },
  penalty: {
    kind: 'number',
    label: 'Penalty for forks in a row',
    default: 0,
    min: 0,
    max: 1,
    doc: 'Each fork directly before lowers P by this share (AEPO); 0 = off.',
    formula: 'λ',
  },
  scope: {
    kind: 'choice',
    label: 'Forks in a row',
    default: 'path',
    options: ['path', 'task'],
    optionLabels: ['on each path', 'in the whole group'],
    doc: 'Where forks in a row are counted for the penalty.',
  },
});

/** A device plays all phases that there may be; with more than that, waiting for those that are needed takes less. */
const MOST_PHASES = 16;

type Seen = RowsSeen<'length' | 'taskIndex' | 'entropy' | 'legal' | 'state' | 'stateKey'>;
type Values = ValuesOf<typeof params>;
/** The rows of a task so far, how many begin at the start, and its tree as far as they show it. */
type Grown = { readonly task: number; readonly rows: readonly number[]; readonly starts: number; readonly tree: Tree };

/** The trees of all tasks, as far as their rows are known. */
function treesOf(seen: Seen, context: RowContext, { starts: N, budget, balance, eligible, ...rule }: Values): Grown[] {
  const { count, taskIndex, length, entropy } = seen;
  const { T, G, actions, draw, tasks } = context;
  const mayFork = mayForkAt(eligible as Eligible, seen, context);
  return Array.from({ length: new Set(Array.from(tasks)).size }, (_, task) => {
    const rows = Array.from({ length: count }, (_row, i) => i).filter((i) => taskIndex[i] === task);
    const probe = entropy.subarray(rows[0]! * T, rows[0]! * T + length[rows[0]!]!);
    const starts =
      budget === 'balanced' ? balancedBudget({ total: G, actions, beta: balance }, probe).starts : Math.min(N, G);
    const tree: TreeRule = { ...rule, actions, total: G, starts, maxSteps: T };
    const grown = growTree(tree, {
      played: rows.length,
      steps: (slot) => length[rows[slot]!]!,
      entropy: (slot, t) => entropy[rows[slot]! * T + t]!,
      eligible: (slot, t) => mayFork(rows[slot]!, t),
      draw: (slot, t, k) => draw(rows[slot]!, t * (tree.beam - 1) + k),
    });
    return { task, rows, starts, tree: grown };
  });
}

/**
 * Episodes are forked where the policy has become less certain than it was at the start:
 *
 *   ΔĤ[i,t] = (H[i,t] − H[i,0]) / ln|A|
 *   P[i,t] = clip(α + β·ΔĤ[i,t], 0, 1) · max(0, 1 − λ·l[i])
 *
 * N episodes of a group begin at the start. At each eligible step t ≥ 1 an episode is forked before its action with
 * probability P, while some of the G − N others are free; a fork decides from its next step on, with the entropy of its
 * root. What is free when all episodes are over begins at the start as well. (The released code forks after the action, and
 * compares with the entropies of an earlier batch; see the paper's own rule with `threshold`.)
 *
 * AEPO balances N by a probe, which stays as the first row of its group (the released code throws it away).
 */
export const arpo = defineRollout({
  id: 'arpo',
  title: 'Forks where uncertain (ARPO)',
  rev: 2,
  source: { title: 'Agentic Reinforced Policy Optimization', arxiv: '2507.19849', level: 'digest' },
  formula: 'P = clip(α + β·(H[t] − H[0])/ln|A|, 0, 1)',
  look: 'Episodes share their beginnings and part at junctions; fewer steps are played per episode.',
  params,
  needs: ['length', 'taskIndex', 'entropy', 'legal', 'state', 'stateKey'],
  needsAlso: ({ distinct, forkPoint }) => (distinct && forkPoint === 'before' ? ['action'] : []),
  onGpu: ({ distinct, forkPoint }) => !(distinct && forkPoint === 'before'),
  forks: true,
  metrics: ['independent'],
  fresh: ({ starts, budget }, groupSize) => (budget === 'balanced' ? 1 : Math.min(starts, groupSize)),
  next(seen, context, values) {
    const played =
      values.distinct && values.forkPoint === 'before' ? (seen as unknown as RowsSeen<'action'>).action : null;
    return treesOf(seen, context, values).flatMap(({ task, rows, starts, tree: { parent, step, late } }) => {
      // after the probe, the other fresh starts
      if (rows.length < starts)
        return Array.from({ length: starts - rows.length }, (): RowPlan => ({ task, origin: 'own' }));
      const forks = parent.slice(rows.length).map((slot, k): RowPlan => {
        const [from, branchStep] = [rows[slot]!, step[rows.length + k]!];
        const own = { task, origin: 'fork' as const, parent: from, branchStep };
        return played ? { ...own, without: 1 << played[from * context.T + branchStep]! } : own;
      });
      const rest = late > 0 && rows.length < context.G ? late : 0;
      return [...forks, ...Array.from({ length: rest }, (): RowPlan => ({ task, origin: 'late' }))];
    });
  },
  growth({ distinct, starts, budget, eligible, ...rule }, groupSize) {
    // which cells were in view is known on the CPU
    if ((distinct && rule.forkPoint === 'before') || eligible === 'newInformation') return null;
    if (groupSize - (budget === 'balanced' ? 1 : starts) > MOST_PHASES) return null;
    return { ...rule, eligible, starts: budget === 'balanced' ? 0 : Math.min(starts, groupSize) } as Growth;
  },
  why: (seen, context, values) =>
    treesOf(seen, context, values).flatMap(({ rows, tree }) =>
      tree.decisions.map(({ slot, child, ...decision }): ForkDecision => ({
        ...decision,
        row: rows[slot]!,
        child: rows[child] ?? -1,
        reason: REASONS[values.eligible]!,
      })),
    ),
});
