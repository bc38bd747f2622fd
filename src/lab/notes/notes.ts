import { below, PURPOSE, random } from '../../core/random.ts';
import { makeArrays, type Arrays } from '../../engine/arrays.ts';
import { makeCpuPolicy } from '../../engine/cpu/policy.ts';
import { restricted } from '../../engine/cpu/restricted.ts';
import { rolloutReplica } from '../../engine/cpu/rollout.ts';
import { panelLevels, type Plan, type Tasks } from '../../engine/plan.ts';
import { panelTasks } from '../panel.ts';
import { exchanging, partners, watching, type Shows, type Writing } from './exchange.ts';
import { factsAt, FACTS, type Fact } from './facts.ts';
import { sharedBetween, type Shared } from './information.ts';

/** What the nth note of an episode tells of one fact at the time when it was written; 0: what is kept at its last step. */
export type FactRow = Shared & {
  readonly nth: number;
  readonly what: Fact;
  readonly episodes: number;
  readonly notes: number;
};

/** What most notes of one kind mean: the value that goes with them most often, and how often it does. */
export type Meaning = {
  readonly note: string;
  readonly value: string;
  readonly with: number;
  readonly of: number;
};

/**
 * Does a policy read what it writes, and what do its notes say? The same episodes with their own notes, with those of other
 * episodes and with none; and the bits that a note shares with what was so when it was written.
 */
export type NotesResult = {
  readonly episodes: number;
  readonly isStore: boolean;
  /** exchanged within a level only, as what is kept belongs to it */
  readonly isOfLevel: boolean;
  /** episodes that succeeded; `others` is null where no episode has another to exchange with */
  readonly own: number;
  readonly others: number | null;
  readonly none: number;
  /** notes of an episode on average */
  readonly written: number;
  readonly rows: readonly FactRow[];
  /** of the fact that is told best, `row` of the rows; −1: nothing is told beyond chance */
  readonly row: number;
  readonly meanings: readonly Meaning[];
};

const SIDE_BY_SIDE = 64;
/** Levels that play side by side where what is kept means nothing in another one. */
const OF_LEVEL = 8;
const MOST_NOTES = 6;
const LEAST_EPISODES = 40;
/** A fact that is nearly always the same says nothing. */
const LEAST_BITS = 0.05;
const MOST_MEANINGS = 6;
/** Share of the cases below which a kind of note is not told. */
const RARE = 0.02;

type Player = { readonly theta: Float32Array; readonly restriction?: Float32Array | undefined };
type Written = { readonly note: string; readonly facts: Readonly<Record<Fact, string | null>> };

/** Plays about n episodes three times. Yields the share that is done; a sentence where nobody writes anything down. */
export function* measureNotes(
  run: Plan,
  replica: number,
  player: Player,
  n: number,
): Generator<number, NotesResult | string> {
  const { keeps, notebook } = run.env;
  if (!keeps) return 'This agent writes nothing down: switch on Notes to itself in its task.';
  const levelSeeds = panelLevels(run, replica, keeps.isOfLevel ? OF_LEVEL : SIDE_BY_SIDE);
  const P = levelSeeds.length;
  const G = Math.max(1, Math.floor(SIDE_BY_SIDE / P));
  const plan: Plan = { ...run, S: 1, P, G, B: P * G, seeds: run.seeds.slice(replica, replica + 1) };
  const { B, env } = plan;
  const policy = restricted(plan, makeCpuPolicy(plan), player.restriction);
  const arrays = makeArrays(plan);
  let drawn = 0;
  const draw = (below_: number): number => below(random(plan.seeds[0]!, PURPOSE.exchangedNotes, drawn++, 0, 0), below_);
  const won = { own: 0, others: 0, none: 0 };
  const pieces = Math.max(1, Math.ceil(n / B));
  const all: Written[][] = [];
  let hasOthers = false;
  const successes = (): number => arrays.success.reduce((sum, one) => sum + one, 0);
  for (let piece = 0; piece < pieces; piece++) {
    const tasks = panelTasks(plan, levelSeeds, piece);
    const play = (shows: Shows): void => {
      rolloutReplica(plan, arrays, { policy, theta: player.theta, tasks, mode: 'panel', shows }, 0);
    };
    const { shows, writings } = watching(keeps, env.words, B);
    play(shows);
    won.own += successes();
    all.push(...writings.map((own, i) => writtenBy(plan, arrays, tasks, i, own)));
    yield (3 * piece + 1) / (3 * pieces);
    const partnerOf = partners(tasks, B, keeps.isOfLevel, draw);
    hasOthers ||= partnerOf.some((other) => other >= 0);
    play(
      exchanging(
        keeps,
        Array.from(partnerOf, (other) => writings[other] ?? null),
      ),
    );
    won.others += successes();
    yield (3 * piece + 2) / (3 * pieces);
    play(exchanging(keeps, Array<null>(B).fill(null)));
    won.none += successes();
    yield (3 * piece + 3) / (3 * pieces);
  }
  const rows = rowsOf(all, draw);
  const row = bestOf(rows);
  return {
    ...{ episodes: pieces * B, isStore: !notebook, isOfLevel: keeps.isOfLevel && P > 1 },
    ...{ own: won.own, others: hasOthers ? won.others : null, none: won.none },
    written: all.reduce((sum, notes) => sum + notes.length - 1, 0) / all.length,
    ...{ rows, row, meanings: row < 0 ? [] : meaningsOf(all, rows[row]!) },
  };
}

/** What an episode kept at its last step, and each note, with what was so then. */
function writtenBy(plan: Plan, arrays: Arrays, tasks: Tasks, i: number, { kept, news }: Writing): Written[] {
  const { env, T } = plan;
  const level = tasks.levels[tasks.levelOf[i]!] as object;
  const told = (t: number, so: number): Written => ({
    note: env.notebook ? env.notebook.told(arrays.state, (i * (T + 1) + t) * env.words) : nameOf(kept[t]!),
    facts: factsAt(env, {
      ...{ level, state: arrays.state, at: (i * (T + 1) + so) * env.words },
      seed: tasks.episodeSeed[i]!,
    }),
  });
  const last = arrays.length[i]! - 1;
  return [told(last, last), ...news.map((t) => told(t, t - 1))];
}

/** Content of a store; empty for an empty one. */
const nameOf = (kept: Uint32Array): string => (kept.every((word) => word === 0) ? '' : kept.join());

/** Values without the parts that all of them have. */
function without(values: readonly string[]): string[] {
  const parts = values.map((text) => text.split(', '));
  const isShared = (part: string): boolean => parts.every((own) => own.includes(part));
  return parts.map((own) => own.filter((part) => !isShared(part)).join(', ') || 'nothing');
}

/** Cases of one fact at the kth note. */
function casesOf(all: readonly Written[][], what: Fact, k: number): { said: string[]; facts: string[] } {
  const cases = all.flatMap((notes) => (notes[k] && notes[k].facts[what] !== null ? [notes[k]] : []));
  return { said: cases.map(({ note }) => note), facts: cases.map(({ facts }) => facts[what]!) };
}

function rowsOf(all: readonly Written[][], draw: (n: number) => number): FactRow[] {
  const rows: FactRow[] = [];
  for (let k = 0; k <= MOST_NOTES; k++)
    for (const what of FACTS) {
      const { said, facts } = casesOf(all, what, k);
      if (said.length < LEAST_EPISODES) continue;
      const found = sharedBetween(said, facts, draw);
      if (found.entropy < LEAST_BITS) continue;
      rows.push({ ...found, nth: k, what, episodes: said.length, notes: new Set(said).size });
    }
  return rows;
}

/** The row that shares most beyond chance. */
function bestOf(rows: readonly FactRow[]): number {
  let best = -1;
  rows.forEach(({ bits, chance }, k) => {
    if (bits > chance && (best < 0 || bits > rows[best]!.bits)) best = k;
  });
  return best;
}

/** For each kind of note, most frequent first, the value that goes with it most often. */
function meaningsOf(all: readonly Written[][], { what, nth }: FactRow): Meaning[] {
  const { said, facts: whole } = casesOf(all, what, nth);
  const facts = what === 'holding' ? without(whole) : whole;
  const counts = new Map<string, Map<string, number>>();
  said.forEach((note, n) => {
    const of = counts.get(note) ?? new Map<string, number>();
    counts.set(note, of.set(facts[n]!, (of.get(facts[n]!) ?? 0) + 1));
  });
  return [...counts]
    .map(([note, values]) => {
      const [value, count] = [...values].reduce((a, b) => (b[1] > a[1] ? b : a));
      return { note, value, with: count, of: [...values.values()].reduce((sum, x) => sum + x, 0) };
    })
    .filter(({ of }) => of >= RARE * said.length)
    .sort((a, b) => b.of - a.of)
    .slice(0, MOST_MEANINGS);
}
