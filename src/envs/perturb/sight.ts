import { PURPOSE, random } from '../../core/random.ts';
import type { Board, Environment, Seen } from '../types.ts';

/**
 * The parts of an observation that noise blanks as a whole: part k has the bits k·stride + j·step for j < bits. A part
 * whose bit j = `spared` is set stays (the cell of the agent); `spared` = bits: there is no such bit.
 */
export type Sight = {
  readonly parts: number;
  readonly bits: number;
  readonly stride: number;
  readonly step: number;
  readonly spared: number;
};

/** The number of a state has no parts. */
export const NO_SIGHT: Sight = { parts: 0, bits: 0, stride: 0, step: 0, spared: 0 };

const NO_BOARD: Board = { planes: 0, height: 0, width: 0 };

/** How a level is seen in a view: cells of a map that shows the agent, tokens, single bits. */
export function sightOf(env: Environment, level: unknown, view: string): Sight {
  if (view === 'index') return NO_SIGHT;
  if (view === 'tokens') return { parts: env.features(level) / 8, bits: 8, stride: 8, step: 1, spared: 8 };
  const { planes, height, width, agent } = env.board?.(level) ?? NO_BOARD;
  const cells = height * width;
  if (agent !== undefined) return { parts: cells, bits: planes, stride: 1, step: cells, spared: agent };
  return { parts: env.features(level), bits: 1, stride: 1, step: 0, spared: 1 };
}

/**
 * Cells of an observation with this many bits, by which two of them are compared: its parts, and each bit beside them, as
 * keys held. The number of a state is one cell.
 */
export const cellsSeen = ({ parts, bits }: Sight, features: number): number =>
  parts === 0 ? 1 : parts + features - parts * bits;

/** Writes the cells of an observation, each as the bits that it shows, into out[outAt … outAt + cells). */
export function writeCells(
  { parts, bits, stride, step }: Sight,
  cells: number,
  { obs, obsAt }: Pick<Seen, 'obs' | 'obsAt'>,
  out: Uint32Array,
  outAt: number,
): void {
  const bitOf = (f: number): number => (obs[obsAt + (f >>> 5)]! >>> (f & 31)) & 1;
  if (parts === 0) {
    let w = 0;
    while (obs[obsAt + w] === 0) w++;
    out[outAt] = 32 * w + 31 - Math.clz32(obs[obsAt + w]!);
    return;
  }
  for (let k = 0; k < parts; k++) {
    let shown = 0;
    for (let j = 0; j < bits; j++) shown |= bitOf(k * stride + j * step) << j;
    out[outAt + k] = shown;
  }
  for (let k = parts; k < cells; k++) out[outAt + k] = bitOf(parts * bits + k - parts);
}

/** Blanks part k of the observation of step t if random(episodeSeed, NOISE, t, k, 1) >> 24 < n, for every part. */
export function blank(sight: Sight, n: number, episodeSeed: number, t: number, obs: Uint32Array, obsAt: number): void {
  const { parts, bits, stride, step, spared } = sight;
  const isSet = (f: number): boolean => ((obs[obsAt + (f >>> 5)]! >>> (f & 31)) & 1) === 1;
  for (let k = 0; k < parts; k++) {
    if (spared < bits && isSet(k * stride + spared * step)) continue;
    if (random(episodeSeed, PURPOSE.noise, t, k, 1) >>> 24 >= n) continue;
    for (let j = 0; j < bits; j++) {
      const f = k * stride + j * step;
      obs[obsAt + (f >>> 5)]! &= ~(1 << (f & 31));
    }
  }
}
