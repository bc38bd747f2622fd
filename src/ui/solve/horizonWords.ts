import type { Horizon } from '../../lab/analysis/horizon.ts';
import { OPTIONS, type OptionSigns } from '../../lab/analysis/optionSigns.ts';
import type { KeyCounts } from '../../lab/analysis/keyCounts.ts';
import { short, value } from '../format.ts';

/** Numbers too large for a name are told by their power of ten. */
const many = (x: number): string => (x < 1e12 ? short(x) : `10^${Math.round(Math.log10(x))}`);

/** Rows of the card: name, number. */
export function horizonRows({ k, found, bound, sqirl, states, T }: Horizon): readonly (readonly [string, string])[] {
  return [
    ['States, step limit', `${states.toLocaleString('en')}, ${T}`],
    ['Backups needed, k*', String(k)],
    ['Effective horizon H', found ? value(found.H) : `at most ${value(bound.H)}`],
    ['Predicted steps of a plain search, T²·A^H', many((found ?? bound).steps)],
    ['Bound on H by theory', value(bound.H)],
    ['Steps that SQIRL took with a table', sqirl ? many(sqirl.steps) : 'more than 100 k'],
  ];
}

/** What the numbers mean for who learns here, in one sentence. */
export function horizonSentence({ k, found, isChance }: Horizon): string {
  const whose = 'by the values of a policy that acts at random';
  const greedy =
    k === 1
      ? `Taking the best action ${whose} is already optimal, so exploring at random shows the way.`
      : `The best action ${whose} is misleading here: one has to plan ${k} steps exactly before random play can judge the rest.`;
  if (found) return greedy;
  return `${greedy} ${isChance ? 'Actions have several possible results, so H is known by its bound alone.' : 'There are too many ways to follow, so H is known by its bound alone.'}`;
}

/** How many states a level has by each kind of key. */
export const keyRows = (keys: KeyCounts): readonly (readonly [string, string])[] =>
  keys.map(({ mode, states }) => [mode, states.toLocaleString('en')]);

/** Names of the lines of the figure of signs. */
export const optionNames: readonly string[] = OPTIONS.map((n) => (n === 1 ? 'single steps' : `options of ${n} steps`));

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** How often the signs are right, nearest and farthest from the goal, in one sentence. */
export function signsSentence({ distance, right }: OptionSigns): string {
  const last = distance.length - 1;
  const [one, most] = [right[0]!, right.at(-1)!];
  const at = (k: number): string =>
    `${distance[k]} steps from the goal the sign is right in ${percent(one[k]!)} of tables with single steps and ${percent(most[k]!)} with ${optionNames.at(-1)}`;
  return last === 0 ? `${at(0)}.` : `${at(0)}; ${at(last)}.`;
}
