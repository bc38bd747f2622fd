import type { Snapshot } from '../../worker/protocol.ts';
import { aimsIn } from '../stage/aims.ts';
import type { World } from '../stage/world.ts';

/** Steps of the world under one choice of a subgoal: the first subgoal that came to hold under it, null for none. */
export type Stretch = { readonly chosen: string; readonly first: string | null; readonly held: boolean };

type Seen = Pick<Snapshot, 'state' | 'T' | 'words' | 'length' | 'action' | 'actions'>;

/** The stretches of episode i; of several that come to hold at once it is the chosen one, else the first of the list. */
export function stretchesIn(world: World, seen: Seen, i: number): Stretch[] {
  const { aiming } = world.env;
  if (!aiming) return [];
  const { state, T, words } = seen;
  const names = aiming.names(world.level);
  const holds = (t: number, goal: number): boolean => aiming.holds(world.level, state, (i * (T + 1) + t) * words, goal);
  const found: { chosen: string; first: string | null; held: boolean; goal: number }[] = [];
  let isNew = true;
  for (const [t, { decides, follows }] of aimsIn(world, seen, i).entries()) {
    if (decides === 'subgoal' || decides === 'plan') isNew = true;
    if (decides !== 'action' || follows < 0) continue;
    let open = found.at(-1);
    if (isNew || open?.goal !== follows) {
      open = { goal: follows, chosen: names[follows]!, first: null, held: holds(t, follows) };
      found.push(open);
      isNew = false;
    }
    if (open.first !== null) continue;
    const begun = names.map((_, g) => g).filter((g) => !holds(t, g) && holds(t + 1, g));
    if (begun.length > 0) open.first = names[begun.includes(follows) ? follows : begun[0]!]!;
  }
  return found.map(({ chosen, first, held }) => ({ chosen, first, held }));
}

/** How often each chosen subgoal (row) led to each first one (column; the last: to none). */
export type Confusion = {
  readonly names: readonly string[];
  /** [names][names + 1] of the stretches whose subgoal did not hold when it was chosen */
  readonly counts: readonly (readonly number[])[];
  /** [names] stretches whose subgoal held already */
  readonly held: readonly number[];
};

/** Of these stretches; `order`: names as the worlds list them, of which those that occur are told. */
export function confusionOf(stretches: readonly Stretch[], order: readonly string[]): Confusion {
  const occur = new Set(stretches.flatMap(({ chosen, first }) => [chosen, first ?? chosen]));
  const names = [...new Set(order)].filter((name) => occur.has(name));
  const counts = names.map(() => new Array<number>(names.length + 1).fill(0));
  const held = names.map(() => 0);
  for (const { chosen, first, held: already } of stretches) {
    const row = names.indexOf(chosen);
    if (already) held[row]!++;
    else counts[row]![first === null ? names.length : names.indexOf(first)]!++;
  }
  return { names, counts, held };
}

const sum = (of: readonly number[]): number => of.reduce((a, b) => a + b, 0);

/** Stretches that count, those that led to what was chosen, to another subgoal first, and to none; and the commonest mix-up. */
export function summaryOf({ names, counts }: Confusion) {
  const all = sum(counts.map(sum));
  const meant = sum(counts.map((row, k) => row[k]!));
  const none = sum(counts.map((row) => row[names.length]!));
  let [most, mixed] = [0, null as { readonly chosen: string; readonly first: string } | null];
  for (const [k, row] of counts.entries())
    for (const [j, first] of names.entries())
      if (j !== k && row[j]! > most) [most, mixed] = [row[j]!, { chosen: names[k]!, first }];
  return { all, meant, none, other: all - meant - none, mixed };
}
