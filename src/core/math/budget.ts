/** How a budget of episodes is spent on tasks (Knapsack RL, arXiv 2509.25849). */
export type BudgetRule = {
  /** G: what an unseen task gets, and all of them where nothing can be gained */
  readonly perTask: number;
  /** floors for tasks that sometimes, never and always succeed */
  readonly minN: number;
  readonly negativeN: number;
  readonly positiveN: number;
  /** most episodes of one task */
  readonly maxN: number;
  /** wanted: episodes until a group is mixed with this chance; what is left over goes to hopeless tasks if `fallback` */
  readonly confidence: number;
  readonly fallback: boolean;
  /** what a mixed group is worth: 1, or the gain p(1 − p)² that one step on it brings */
  readonly weight: 'mixed' | 'infoGain';
};
export type Seen = { readonly rate: number; readonly seen: boolean };

/** Chance that n episodes with success p all end alike: p^n + (1 − p)^n. Such a group is silent: nobody learns from it. */
export const silentChance = (p: number, n: number): number => p ** n + (1 - p) ** n;

/** Worth of a mixed group of a task. */
const worth = (p: number, weight: BudgetRule['weight']): number => (weight === 'mixed' ? 1 : p * (1 - p) ** 2);

/** f(n) = (1 − p^n − (1 − p)^n) · worth: chance that n episodes are mixed, times what that is worth. */
export const budgetValue = (n: number, p: number, weight: BudgetRule['weight']): number =>
  n < 2 ? 0 : (1 - silentChance(p, n)) * worth(p, weight);

/** What one more episode adds. */
const gain = (n: number, p: number, weight: BudgetRule['weight']): number =>
  budgetValue(n + 1, p, weight) - budgetValue(n, p, weight);

/** Episodes until a group of a task is mixed with the chance `confidence`. */
const wanted = (p: number, { confidence, maxN }: BudgetRule): number =>
  Math.min(maxN, Math.trunc(Math.log(1 - confidence) / Math.log(Math.max(p, 1 - p))));

/**
 * Episodes of each task. Everyone gets a floor; each further one goes where it adds most, the first task at a tie. Gains fall
 * with n, so that greedy is the best there is.
 */
export function allocate(tasks: readonly Seen[], budget: number, rule: BudgetRule): { n: number[]; fallback: boolean } {
  const kind = ({ rate, seen }: Seen): 'unseen' | 'never' | 'always' | 'mixed' =>
    !seen ? 'unseen' : rate <= 0 ? 'never' : rate >= 1 ? 'always' : 'mixed';
  const floors = { unseen: rule.perTask, never: rule.negativeN, always: rule.positiveN, mixed: rule.minN };
  const n = tasks.map((task) => floors[kind(task)]);
  let left = budget - n.reduce((a, b) => a + b, 0);
  const of = (wantedKind: string): number[] => tasks.flatMap((task, k) => (kind(task) === wantedKind ? [k] : []));
  const [mixed, never] = [of('mixed'), of('never')];
  if (mixed.length === 0) {
    const all = never.length > 0 ? never : tasks.map((_, k) => k);
    shareOut(n, all, left);
    return { n, fallback: false };
  }
  const need = mixed.reduce((total, k) => total + wanted(tasks[k]!.rate, rule), 0);
  const spare = rule.fallback && never.length > 0 ? Math.max(0, left - need) : 0;
  shareOut(n, never, spare);
  for (left -= spare; left > 0; left--) {
    const open = mixed.filter((k) => n[k]! < rule.maxN);
    if (open.length === 0) break;
    const best = open.reduce((a, b) =>
      gain(n[b]!, tasks[b]!.rate, rule.weight) > gain(n[a]!, tasks[a]!.rate, rule.weight) ? b : a,
    );
    n[best]!++;
  }
  return { n, fallback: spare > 0 };
}

/** Evenly, the first ones get what is left. */
function shareOut(n: number[], to: readonly number[], budget: number): void {
  for (let j = 0; j < budget && to.length > 0; j++) n[to[j % to.length]!]!++;
}
