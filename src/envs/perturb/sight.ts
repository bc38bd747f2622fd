import { PURPOSE, random } from '../../core/random.ts';
import type { GridLevel } from '../grid/grid.ts';
import { mapViewOf } from '../grid/observe.ts';
import { PLANES as SOKOBAN_PLANES } from '../sokoban/observe.ts';
import type { SokobanLevel } from '../sokoban/sokoban.ts';
import type { Environment, Seen } from '../types.ts';

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

/** A view that shows a map: its cells, the planes they are seen in, and which of them is the agent. */
type MapView = { readonly cells: number; readonly planes: number; readonly agent: number };

/** The map views of the environments that have some. Everything else is seen bit by bit. */
const maps: Readonly<Record<string, (level: never) => MapView | null>> = {
  grid: (level: GridLevel) =>
    level.view.kind === 'planes' || level.view.kind === 'ego' ? mapViewOf(level.rules, level.view) : null,
  sokoban: ({ rules, view }: SokobanLevel) =>
    view.kind === 'planes'
      ? { cells: rules.map.W * rules.map.H, planes: SOKOBAN_PLANES.length, agent: SOKOBAN_PLANES.indexOf('agent') }
      : null,
};

/** How a level is seen in a view: cells of a map, tokens, single bits. */
export function sightOf(env: Environment, level: unknown, view: string): Sight {
  if (view === 'index') return NO_SIGHT;
  if (view === 'tokens') return { parts: env.features(level) / 8, bits: 8, stride: 8, step: 1, spared: 8 };
  const map = Object.hasOwn(maps, env.id) ? maps[env.id]!(level as never) : null;
  if (map) return { parts: map.cells, bits: map.planes, stride: 1, step: map.cells, spared: map.agent };
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
