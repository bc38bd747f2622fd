import { exp } from '../../../core/fmath.ts';

/** How likely a fork is, and how it is decided. */
export type Rule = {
  /** `threshold`: fork where P is above τ; `sample`: with probability P */
  readonly mode: 'threshold' | 'sample';
  readonly actions: number;
  readonly alpha: number;
  readonly beta: number;
  /** λ of AEPO; 0: forks in a row are as likely as others */
  readonly penalty: number;
  readonly tau: number;
};

/** What a decision looks at: entropies in nats, and eligible steps in a row at which this path forked. */
export type Step = { readonly entropy: number; readonly root: number; readonly consecutive: number };

/**
 * Is an episode forked before a step?
 *
 *   Ĥ = H / ln|A|,  ΔĤ = Ĥ[t] − Ĥ[0]
 *   P = clip(α + β·ΔĤ, 0, 1) · max(0, 1 − λ·l)
 *
 * @param draw uniform in [0, 1), asked only where chance decides
 */
export function decide(
  { mode, actions, alpha, beta, penalty, tau }: Rule,
  { entropy, root, consecutive }: Step,
  draw: () => number,
): { readonly delta: number; readonly probability: number; readonly forks: boolean } {
  // one action leaves no entropy to compare
  const delta = actions > 1 ? (entropy - root) / Math.log(actions) : 0;
  const probability = Math.min(1, Math.max(0, alpha + beta * delta)) * Math.max(0, 1 - penalty * consecutive);
  return { delta, probability, forks: mode === 'threshold' ? probability > tau : draw() < probability };
}

/** Sizes of a balanced budget: leaves of a task, actions, and β_m, by which the difference of entropies counts. */
export type Balance = { readonly total: number; readonly actions: number; readonly beta: number };

/**
 * How many of M episodes begin at the start, by one probe (AEPO's pre-monitoring): more where the policy is unsure at
 * once, fewer where it becomes unsure later.
 *
 *   N = clip(⌊M·σ(β_m·(Ĥ[0] − mean of Ĥ[t], t ≥ 1))⌋ + 1, 1, M);   a probe of one step: N for no difference
 *
 * @param probe entropies of the steps of the probe, in nats
 */
export function balancedBudget({ total, actions, beta }: Balance, probe: ArrayLike<number>) {
  const scale = actions > 1 ? Math.log(actions) : 1;
  const root = (probe[0] ?? 0) / scale;
  let sum = 0;
  for (let t = 1; t < probe.length; t++) sum += probe[t]!;
  const later = probe.length > 1 ? sum / scale / (probe.length - 1) : root;
  const share = 1 / (1 + exp(-beta * (root - later)));
  return { root, later, starts: Math.min(total, Math.max(1, Math.floor(total * share) + 1)) };
}

/** The tree of one task. */
export type TreeRule = Rule & {
  /** leaves, and how many of them start at the root */
  readonly total: number;
  readonly starts: number;
  readonly maxSteps: number;
  /** a step is forked up to beam − 1 times */
  readonly beam: number;
  /** whether forks in a row are counted on each path or over the whole task */
  readonly scope: 'path' | 'task';
  /** a fork parts before the action of its step, or after it, so that it shares that action (released code) */
  readonly forkPoint?: 'before' | 'after';
};

/** What is known of the episodes of a task: the first `played` of them, in the order in which they were planned. */
export type Episodes = {
  readonly played: number;
  steps(slot: number): number;
  entropy(slot: number, t: number): number;
  eligible(slot: number, t: number): boolean;
  /** uniform in [0, 1): try k of an episode to fork before step t */
  draw(slot: number, t: number, k: number): number;
};

export type Tree = {
  /** per slot: the slot it was forked from, −1 for none, and its first own step */
  readonly parent: readonly number[];
  readonly step: readonly number[];
  /** slots that nothing was forked for: they start at the root when all others are over; 0 while the tree still grows */
  readonly late: number;
  readonly decisions: readonly SlotDecision[];
};

/** A decision; `child`: the slot that it made, −1 for none. */
type SlotDecision = {
  readonly slot: number;
  readonly t: number;
  readonly delta: number;
  readonly probability: number;
  readonly forks: boolean;
  readonly child: number;
};

/**
 * Grows the tree of a task as far as its episodes are known: at each step t = 1, 2, … the eligible ones that are alive
 * decide in the order of their slots, while slots are free. A fork takes the next free slot and decides from the next step
 * on, so the tree stops before that step until the fork has been played.
 */
export function growTree(rule: TreeRule, { played, steps, entropy, eligible, draw }: Episodes): Tree {
  const { total, starts, maxSteps, beam, scope } = rule;
  const shared = rule.forkPoint === 'after' ? 1 : 0;
  const parent = Array<number>(starts).fill(-1);
  const step = Array<number>(starts).fill(0);
  const root = Array.from({ length: starts }, (_, slot) => entropy(slot, 0));
  const inRow = Array<number>(starts).fill(0);
  const decisions: SlotDecision[] = [];
  for (let t = 1; t < maxSteps && parent.length < total; t++) {
    const slots = parent.length;
    if (slots > played) return { parent, step, late: 0, decisions };
    const deciding = Array.from({ length: slots }, (_, slot) => slot).filter(
      (slot) => t + shared < steps(slot) && eligible(slot, t),
    );
    let forkedAtAll = false;
    for (const slot of deciding) {
      const children: number[] = [];
      for (let k = 0; k < beam - 1 && parent.length < total; k++) {
        const seen = { entropy: entropy(slot, t), root: root[slot]!, consecutive: inRow[scope === 'task' ? 0 : slot]! };
        const { delta, probability, forks } = decide(rule, seen, () => draw(slot, t, k));
        decisions.push({ slot, t, delta, probability, forks, child: forks ? parent.length : -1 });
        if (!forks) continue;
        children.push(parent.length);
        parent.push(slot);
        step.push(t + shared);
        root.push(root[slot]!);
      }
      if (scope === 'path') inRow[slot] = children.length > 0 ? inRow[slot]! + 1 : 0;
      for (const child of children) inRow[child] = inRow[slot]!;
      if (children.length > 0) forkedAtAll = true;
    }
    if (scope === 'task' && deciding.length > 0) inRow[0] = forkedAtAll ? inRow[0]! + 1 : 0;
  }
  return { parent, step, late: parent.length > played ? 0 : total - parent.length, decisions };
}
