import type { Scene } from '../../envs/types.ts';
import type { LevelMap } from '../../worker/protocol.ts';
import { percent, signed } from '../format.ts';
import type { Overlay } from '../stores/view.ts';
import type { CellView } from './layers.ts';

/** What lies where, in one sentence. */
export function describe(scene: Scene, text: string): string {
  const { agent, width, holding } = scene;
  const held = holding.length > 0 ? holding.join(' and ') : 'nothing';
  return `The agent is in ${place(agent.cell, width)}, holding ${held}. Map: ${text.replaceAll('\n', ' / ')}`;
}

const place = (cell: number, width: number): string =>
  `column ${(cell % width) + 1}, row ${Math.floor(cell / width) + 1}`;

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a person sees in a cell of the drawing. */
export function contents({ ground, item, color }: Scene['cells'][number], colors: readonly string[]): string {
  if (item === undefined || item === '') return ground;
  const painted = (item === 'key' || item === 'door' || item === 'openDoor') && color !== undefined;
  const names: Readonly<Record<string, string>> = { openDoor: 'open door', subgoal: `stop ${color}` };
  return `${painted ? `${colors[color]} ` : ''}${names[item] ?? item}`;
}

const WAYS = ['right', 'down', 'left', 'up'] as const;

/** The numbers of one cell in words. `layer` names the states that are meant, e.g. "without a key". */
export function cellWords(
  scene: Scene,
  cell: number,
  layer: string,
  view: CellView | undefined,
  map: LevelMap | null,
  actions: readonly string[],
  colors: readonly string[],
): string {
  const where = `${upper(place(cell, scene.width))}: ${contents(scene.cells[cell]!, colors)}`;
  if (!map || scene.cells[cell]!.ground === 'wall') return `${where}.`;
  if (!view) return `${where}; no state of the map${layer === '' ? '' : ` (${layer})`} has the agent here.`;
  const [row] = view.rows;
  const isOne = view.rows.length === 1;
  const moves = isOne
    ? actions.map((name, a) => `${name} ${percent(map.probs[row! * actions.length + a]!)}`)
    : WAYS.map((name, d) => `${name} ${percent(view.arrows[d]!)}`);
  const likely = `${isOne ? '' : `on average over ${view.rows.length} states `}${moves.join(', ')}`;
  const been = view.visits === 1 ? '1 visit' : `${view.visits} visits`;
  const credit = view.visits > 0 ? `, mean credit ${signed(view.credit)}` : '';
  return `${where}; ${likely}; ${been}${credit}.`;
}

/** How to read the map now. */
export function howToRead(overlay: Overlay, layer: string): string {
  const states = layer === '' ? '' : ` (${layer})`;
  if (overlay === 'policy')
    return `Arrows: what the agent tends to do in each cell${states}; the longer, the likelier.`;
  if (overlay === 'visits') return `How often the episodes of this batch were in each cell${states}.`;
  return `Mean credit of the moves that were made in each cell${states}.`;
}
