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
};

const MOST_TIMES = 256;
const LEAST_ROUNDS = 3;

/**
 * Times contenders in turn: a round is one block of each, and each round starts with the next contender. What slows the
 * machine for a while so falls on everyone. Blocks hold as many repetitions as fill `blockMs`, with one wait at the end.
 */
export async function race(
  contenders: readonly Contender[],
  { rounds, blockMs, budgetMs }: Effort,
): Promise<Record<string, Timing>> {
  const times: number[] = [];
  for (const contender of contenders) {
    const warm = performance.now();
    await contender.run(1);
    let once = performance.now() - warm;
    if (once < 4 * blockMs) {
      const from = performance.now();
      await contender.run(2);
      once = (performance.now() - from) / 2;
    }
    times.push(Math.max(1, Math.min(MOST_TIMES, Math.round(blockMs / Math.max(once, 1e-3)))));
  }
  const samples: number[][] = contenders.map(() => []);
  const start = performance.now();
  for (let round = 0; round < rounds; round++) {
    if (round >= LEAST_ROUNDS && performance.now() - start > budgetMs) break;
    for (let j = 0; j < contenders.length; j++) {
      const k = (round + j) % contenders.length;
      const from = performance.now();
      await contenders[k]!.run(times[k]!);
      samples[k]!.push((performance.now() - from) / times[k]!);
    }
  }
  return Object.fromEntries(contenders.map(({ name }, k) => [name, timingOf(samples[k]!, times[k]!)]));
}

export type Candidate = { readonly name: string; readonly make: () => Promise<Contender> };

/**
 * Checks every candidate by `error` (how far its result is off), then races those within `tolerance`. A wrong result of
 * ours fails the row; a peer that is wrong or throws is left out and named in the note. Everyone is disposed at the end.
 */
export async function compare(
  candidates: readonly Candidate[],
  error: (result: Float32Array) => number,
  tolerance: number,
  effort: Effort,
): Promise<{ readonly timings: Record<string, Timing>; readonly note: string }> {
  const racing: Contender[] = [];
  const notes: string[] = [];
  try {
    for (const { name, make } of candidates) {
      try {
        const contender = await make();
        racing.push(contender);
        const off = error(await contender.check());
        if (!(off <= tolerance)) throw new Error(`its result is off by ${off.toExponential(1)}`);
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        if (name.startsWith('ours')) throw new Error(`${name}: ${why}`, { cause });
        if (racing.at(-1)?.name === name) await racing.pop()!.dispose();
        notes.push(`${name} left out: ${why.split('\n')[0]!.slice(0, 160)}`);
      }
    }
    return { timings: await race(racing, effort), note: notes.join('; ') };
  } finally {
    for (const contender of racing) await contender.dispose();
  }
}
