/** Milliseconds from handing over the given number of repetitions of some work until the answer is there. */
export type Stopwatch = (times: number) => Promise<number>;

/** Work that takes so long by itself is not repeated: the wait for the answer hardly counts. */
const LONG_MS = 15;

/**
 * Milliseconds of one repetition:
 *
 *   (time of 4n − time of n) / 3n        n = 1, 4, 16, … until the difference is long enough, or 4n is `most`
 *
 * The wait for an answer, which on fast devices is longer than hundreds of short kernels, is in both times and drops out.
 */
export async function timeOfOne(time: Stopwatch, enoughMs: number, most: number): Promise<number> {
  await time(1); // whatever is done only once
  const wait = await time(0);
  let few = await time(1);
  if (few - wait > LONG_MS) return few - wait;
  for (let n = 1; ; n *= 4) {
    const many = await time(4 * n);
    if (many - few >= enoughMs || 16 * n > most) return Math.max(0, many - few) / (3 * n);
    few = many;
  }
}
