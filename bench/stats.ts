import type { Contender, Row, Timing } from './types.ts';

/** Quantile q of numbers, by linear interpolation between the two nearest of them. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const from = sorted[low]!;
  return from + (sorted[Math.min(low + 1, sorted.length - 1)]! - from) * (at - low);
}

export const timingOf = (ms: readonly number[], times: number): Timing => ({
  ms: quantile(ms, 0.5),
  low: quantile(ms, 0.25),
  high: quantile(ms, 0.75),
  n: ms.length,
  times,
});

/** ‖a − b‖ / ‖b‖, or Infinity where lengths differ or something is not finite: NaN must never look like agreement. */
export function distance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length || a.length === 0) return Infinity;
  let difference = 0;
  let size = 0;
  for (let k = 0; k < b.length; k++) {
    const [x, y] = [a[k]!, b[k]!];
    if (!Number.isFinite(x) || !Number.isFinite(y)) return Infinity;
    difference += (x - y) ** 2;
    size += y ** 2;
  }
  return Math.sqrt(difference / Math.max(size, 1e-30));
}

/** Best peer and the ratio of its time to ours; null without peers. */
export function judge(oursMs: number, peers: Readonly<Record<string, number>>): Pick<Row, 'bestPeer' | 'ratio'> {
  const best = Object.entries(peers).sort((a, b) => a[1] - b[1])[0];
  return best ? { bestPeer: best[0], ratio: best[1] / oursMs } : { bestPeer: null, ratio: null };
}

/** A row from timings: the fastest of our forms (`ours`, `ours wasm`, …) against the others. */
export function rowOf(
  name: string,
  shape: string,
  timings: Readonly<Record<string, Timing>>,
  numbers: Readonly<Record<string, number>> = {},
  note = '',
): Row {
  const isOurs = (id: string): boolean => id === 'ours' || id.startsWith('ours ');
  const entries = Object.entries(timings);
  const oursMs = Math.min(...entries.filter(([id]) => isOurs(id)).map(([, t]) => t.ms));
  const peers = Object.fromEntries(entries.filter(([id]) => !isOurs(id)).map(([id, t]) => [id, t.ms]));
  return { name, shape, oursMs, peers, ...judge(oursMs, peers), timings, numbers, note };
}

export type Effort = {
  /** rounds that count */
  readonly rounds: number;
  /** length of a block between two waits that a round aims at */
  readonly blockMs: number;
  /** most milliseconds for all rounds together; at least three rounds are taken */
  readonly budgetMs: number;
  /** `performance.now()` after which no further round is started, nor a peer */
  readonly until: number;
};

const MOST_TIMES = 256;
const LEAST_ROUNDS = 3;

/** What to do with a contender that broke: leave it out, or throw. */
type Broken = (contender: Contender, cause: unknown) => Promise<void>;

/** Nothing may break where nobody says what to do then. */
const rethrow: Broken = (_, cause) => Promise.reject(cause);

/**
 * Times contenders in turn: a round is one block of each, and each round starts with the next contender. What slows the
 * machine for a while so falls on everyone. Blocks hold as many repetitions as fill `blockMs`, with one wait at the end.
 */
export async function race(
  contenders: readonly Contender[],
  { rounds, blockMs, budgetMs, until }: Effort,
  broken: Broken = rethrow,
): Promise<Record<string, Timing>> {
  let racing: { contender: Contender; times: number; samples: number[] }[] = [];
  const trying = async (contender: Contender, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      racing = racing.filter((r) => r.contender !== contender);
      await broken(contender, cause);
    }
  };
  for (const contender of contenders)
    await trying(contender, async () => {
      const warm = performance.now();
      await contender.run(1);
      let once = performance.now() - warm;
      if (once < 4 * blockMs) {
        const from = performance.now();
        await contender.run(2);
        once = (performance.now() - from) / 2;
      }
      const times = Math.max(1, Math.min(MOST_TIMES, Math.round(blockMs / Math.max(once, 1e-3))));
      racing.push({ contender, times, samples: [] });
    });
  const start = performance.now();
  for (let round = 0; round < rounds; round++) {
    const now = performance.now();
    if ((round >= LEAST_ROUNDS && now - start > budgetMs) || (round > 0 && now > until)) break;
    const turn = racing.map((_, j) => racing[(round + j) % racing.length]!);
    for (const { contender, times, samples } of turn)
      await trying(contender, async () => {
        const from = performance.now();
        await contender.run(times);
        samples.push((performance.now() - from) / times);
      });
  }
  return Object.fromEntries(racing.map(({ contender, times, samples }) => [contender.name, timingOf(samples, times)]));
}

export type Candidate = {
  readonly name: string;
  readonly make: () => Promise<Contender>;
  /** a work of ours: where it is wrong or breaks, the row has failed. By name (`ours`, `ours wasm`, …) where not said */
  readonly isOurs?: boolean;
};

/**
 * Checks every candidate by `error` (how far its result is off), then races those within `tolerance`. A wrong result of
 * ours fails the row; a peer that is wrong or throws, at its check or later, is left out and named in the note. Everyone
 * is disposed at the end.
 */
export async function compare(
  candidates: readonly Candidate[],
  error: (result: Float32Array) => number,
  tolerance: number,
  effort: Effort,
): Promise<{ readonly timings: Record<string, Timing>; readonly note: string }> {
  const racing: Contender[] = [];
  const notes: string[] = [];
  const leaveOut = ({ name, isOurs = name.startsWith('ours') }: Candidate, cause: unknown): void => {
    const why = cause instanceof Error ? cause.message : String(cause);
    if (isOurs) throw new Error(`${name}: ${why}`, { cause });
    notes.push(`${name} left out: ${why.split('\n')[0]!.slice(0, 160)}`);
  };
  const forget = async (contender: Contender): Promise<void> => {
    racing.splice(racing.indexOf(contender), 1);
    // what has broken may be unable to clean up
    await (async () => contender.dispose())().catch(() => undefined);
  };
  try {
    for (const candidate of candidates) {
      const held = racing.length;
      try {
        if (held > 0 && performance.now() > effort.until) throw new Error('a quick look had no time for it');
        const contender = await candidate.make();
        racing.push(contender);
        const off = error(await contender.check());
        if (!(off <= tolerance)) throw new Error(`its result is off by ${off.toExponential(1)}`);
      } catch (cause) {
        leaveOut(candidate, cause);
        if (racing.length > held) await forget(racing.at(-1)!);
      }
    }
    const timings = await race([...racing], effort, async (contender, cause) => {
      leaveOut(
        candidates.find(({ name }) => name === contender.name)!,
        cause,
      );
      await forget(contender);
    });
    return { timings, note: notes.join('; ') };
  } finally {
    for (const contender of racing) await contender.dispose();
  }
}
