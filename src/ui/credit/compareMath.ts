import type { LevelMap, Snapshot } from '../../worker/protocol.ts';

type Steps = Pick<Snapshot, 'B' | 'T' | 'length'>;

/** Calls with the flat index of every real step. */
function eachStep({ B, T, length }: Steps, call: (k: number) => void): void {
  for (let i = 0; i < B; i++) for (let t = 0; t < length[i]!; t++) call(i * T + t);
}

/** Root mean square over the real steps that are known. */
export function sizeOf(steps: Steps, values: Float32Array, known: Uint8Array | null = null): number {
  let squares = 0;
  let n = 0;
  eachStep(steps, (k) => {
    if (known && known[k] === 0) return;
    squares += values[k]! * values[k]!;
    n++;
  });
  return n > 0 ? Math.sqrt(squares / n) : 0;
}

/** a − b on real steps, each first divided by its own size: what is left is a difference of shape, not of unit. */
export function differenceOf(
  steps: Steps,
  a: Float32Array,
  b: Float32Array,
  known: Uint8Array | null = null,
): Float32Array {
  const result = new Float32Array(a.length);
  const [sa, sb] = [sizeOf(steps, a, known) || 1, sizeOf(steps, b, known) || 1];
  eachStep(steps, (k) => {
    if (!known || known[k] === 1) result[k] = a[k]! / sa - b[k]! / sb;
  });
  return result;
}

/** Row: credit up, none, down. Column: truth up, about 0, down. */
export type Quadrants = readonly (readonly [number, number, number])[];

const side = (x: number, zero: number): 0 | 1 | 2 => (x > zero ? 0 : x < -zero ? 2 : 1);

/** How often which sign of credit met which sign of the truth (beyond ± threshold). */
export function quadrantsOf(
  steps: Steps,
  credit: Float32Array,
  truth: Float32Array,
  known: Uint8Array | null,
  threshold: number,
): Quadrants {
  const table: [number, number, number][] = [0, 1, 2].map(() => [0, 0, 0]);
  eachStep(steps, (k) => {
    if (known && known[k] === 0) return;
    table[side(credit[k]!, 0)]![side(truth[k]!, threshold)]++;
  });
  return table;
}

/** A map with the mean of other credit in its states; only known steps count as visits. */
export function mapWith(
  snapshot: Pick<Snapshot, 'B' | 'T' | 'length' | 'levelSeeds' | 'mapRow'>,
  map: LevelMap,
  values: Float32Array,
  known: Uint8Array | null,
): LevelMap {
  const visits = new Uint32Array(map.visits.length);
  const credit = new Float32Array(map.visits.length);
  eachStep(snapshot, (k) => {
    const i = Math.floor(k / snapshot.T);
    const row = snapshot.mapRow[i * (snapshot.T + 1) + (k % snapshot.T)]!;
    if (snapshot.levelSeeds[i] !== map.levelSeed || row === 0xffffffff || (known && known[k] === 0)) return;
    visits[row]!++;
    credit[row]! += values[k]!;
  });
  for (let s = 0; s < visits.length; s++) if (visits[s]! > 0) credit[s]! /= visits[s]!;
  return { ...map, visits, credit };
}

/** +1 where the sign of credit is right, −1 where it is wrong, and which steps count: those that mattered. */
export function rightSigns(
  steps: Steps,
  credit: Float32Array,
  truth: Float32Array,
  known: Uint8Array | null,
  threshold: number,
): { values: Float32Array; counts: Uint8Array } {
  const values = new Float32Array(credit.length);
  const counts = new Uint8Array(credit.length);
  eachStep(steps, (k) => {
    if ((known && known[k] === 0) || Math.abs(truth[k]!) <= threshold) return;
    counts[k] = 1;
    values[k] = credit[k]! * truth[k]! > 0 ? 1 : -1;
  });
  return { values, counts };
}

/** Rounded to a hundredth of the size of the limit: what is smaller cannot be seen in a cell anyway. */
export function roundedTo(limit: number, values: Float32Array): Float32Array {
  const step = 10 ** (Math.floor(Math.log10(limit)) - 1);
  return values.map((x) => Math.round(x / step) * step);
}
