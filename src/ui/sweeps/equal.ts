import { differInCost } from '../../config/bySteps.ts';
import { estimateCost } from '../../config/cost.ts';
import { configWith, getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { Match } from '../../lab/sweep/description.ts';
import type { Compare } from './compareStore.ts';

/** What can be equal in all versions; the size of updates is matched beside it. */
export type Matched = Exclude<Match, 'updateSize'>;

/** Where the dialog holds how much of it there is. */
export const FIELDS = {
  updates: 'updates',
  gradientSteps: 'updates',
  environmentSteps: 'steps',
  seconds: 'seconds',
} as const satisfies Record<Matched, keyof Compare>;

/** What of the dialog decides it. */
type Asked = Pick<Compare, 'kind' | 'match' | 'varied' | 'updates' | 'steps' | 'seconds'>;

/** What is equal in all versions, how much of it, and what has to be said about it. */
export type Equal = { readonly match: Matched; readonly amount: number; readonly words: string | null };

const CHARGED =
  'Updates cost different numbers of environment steps here, so every version gets equally many. All steps are charged, those of discarded episodes too.';
const UNEQUAL =
  'Updates cost different numbers of environment steps here: read the curves over steps, and the score at equal steps.';
const FALLING = `${UNEQUAL} To give every version equal steps, its learning rate must be constant.`;

/** The versions that differ from the first one in one setting: in what updates cost, others differ no more. */
function versions({ kind, varied }: Asked, base: Config): readonly Config[] {
  const firsts = Object.fromEntries(varied.map(({ path, values }) => [path, values[0]]));
  const first = kind === 'grid' ? configWith(firsts, base) : base;
  return [first, ...varied.flatMap(({ path, values }) => values.map((value) => configWith({ [path]: value }, first)))];
}

/** A number with two digits. */
const rounded = (x: number): number => Number(x.toPrecision(2));

/**
 * What was chosen; else environment steps, where an update of one version costs others than one of another, and updates
 * everywhere else. A learning rate that falls until the last update needs to know which one that is.
 */
export function equalIn(compare: Asked, base: Config): Equal {
  const all = versions(compare, base);
  const isCostly = differInCost(all);
  const isFalling = all.some((one) => getValue(one, 'optimizer.schedule') !== 'constant');
  const match = compare.match ?? (isCostly && !isFalling ? 'environmentSteps' : 'updates');
  const steps = compare.steps ?? rounded(compare.updates * (estimateCost(base, null)?.mostSteps ?? 500));
  const amount = { ...compare, steps }[FIELDS[match]];
  if (!isCostly) return { match, amount, words: null };
  if (match === 'updates' || match === 'gradientSteps')
    return { match, amount, words: compare.match === null ? FALLING : UNEQUAL };
  return { match, amount, words: match === 'environmentSteps' ? CHARGED : null };
}
