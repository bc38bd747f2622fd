import type { Scene, SceneCell } from '../../envs/types.ts';
import type { LevelMap, Snapshot } from '../../worker/protocol.ts';
import { percent, signed, value } from '../format.ts';
import type { Overlay } from '../stores/view.ts';
import { WAYS } from './directions.ts';
import type { CellView } from './layers.ts';

/** What lies where, in one sentence. `text` is the map as text, or nothing where the world speaks for itself. */
export function describe(scene: Scene, text: string): string {
  const held = scene.holding.length > 0 ? scene.holding.join(' and ') : 'nothing';
  const waiting = scene.waiting?.length ? [`Still to come: ${scene.waiting.join(', ')}.`] : [];
  const told = scene.said ? [...scene.said.map(spoken), ...waiting].join(' ') : `Map: ${text.replaceAll('\n', ' / ')}`;
  return `The agent is in ${place(scene, scene.agent.cell)}, holding ${held}. ${told}`;
}

function place({ cells, width }: Scene, cell: number): string {
  const name = cells[cell]!.label;
  return name === undefined ? `column ${(cell % width) + 1}, row ${Math.floor(cell / width) + 1}` : `room ${name}`;
}

export const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A sentence of a language world as people write it: “no way .” → “No way.” */
export const spoken = (sentence: string): string => upper(`${sentence.replace(/\s*\.\s*$/, '')}.`);

const NAMES: Readonly<Record<string, string>> = { openDoor: 'open door' };

function itemName(item: string, color: number | undefined, colors: readonly string[]): string {
  if (item === 'subgoal') return `stop ${color}`;
  const isPainted = (item === 'key' || item === 'door' || item === 'openDoor') && color !== undefined;
  return `${isPainted ? `${colors[color]} ` : ''}${NAMES[item] ?? item}`;
}

/** What a person sees in a cell of the drawing. */
export function contents({ ground, item, color, items, label }: SceneCell, colors: readonly string[]): string {
  const things = items ?? (item === undefined || item === '' ? [] : [{ item, color }]);
  const names = things.map((t) => itemName(t.item, t.color, colors)).join(', ');
  if (label !== undefined) return names === '' ? 'nothing here' : names;
  if (ground === 'dead') return names === '' ? 'a box would be stuck here' : `${names}, stuck`;
  if (names === '') return ground;
  return ground === 'target' ? `${names} on target` : names;
}

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
  const { ground } = scene.cells[cell]!;
  if (ground === 'void') return 'No room here.';
  const where = `${upper(place(scene, cell))}: ${contents(scene.cells[cell]!, colors)}`;
  if (!map || ground === 'wall') return `${where}.`;
  if (!view) return `${where}; no state of the map${layer === '' ? '' : ` (${layer})`} has the agent here.`;
  const [row] = view.rows;
  const isOne = view.rows.length === 1;
  const moves = isOne
    ? actions.map((name, a) => `${name} ${percent(map.probs[row! * actions.length + a]!)}`)
    : WAYS.map((name, d) => `${name} ${percent(view.arrows[d]!)}`);
  const likely = `${isOne ? '' : `on average over ${view.rows.length} states `}${moves.join(', ')}`;
  const been = view.visits === 1 ? '1 visit' : `${view.visits} visits`;
  const spread = `, entropy ${value(view.entropy)} nats, moved by ${value(view.change)} nats`;
  const credit = view.visits > 0 ? `, mean credit ${signed(view.credit)}, mean reward ${signed(view.reward)}` : '';
  return `${where}; ${likely}; ${been}${credit}${spread}.`;
}

/**
 * How to read the map now; `ages`: of the steps of the batch, null on fresh data; `cells`: what is drawn, if that is known.
 */
export function howToRead(
  overlay: Overlay,
  layer: string,
  ages: Snapshot['ages'] = null,
  cells: Iterable<Pick<CellView, 'arrows'>> | null = null,
): string {
  const drawn = overlay === 'policy' && cells !== null ? [...cells] : [];
  const hasNone = drawn.length > 0 && drawn.every(({ arrows }) => arrows.every((p) => p === 0));
  const told = hasNone ? noArrows(layer) : howToReadFresh(overlay, layer);
  return `${told}${whoseMap(overlay, ages)}`;
}

/** Subgoals, notes and directions as seen are chosen, too, and point nowhere on the map. */
const noArrows = (layer: string): string =>
  `No arrows: what is chosen in these states${layer === '' ? '' : ` (${layer})`} has no direction on the map.`;

/** Which of the policies is drawn, where the newest one did not play all of the batch. */
function whoseMap(overlay: Overlay, ages: Snapshot['ages']): string {
  if (!ages || overlay === 'visits' || overlay === 'credit' || overlay === 'reward') return '';
  const played = Array.from(ages.units.keys()).filter((age) => ages.units[age]! > 0);
  if (played.length > 1) return ' Weights of several ages played this batch; these are the newest.';
  return played[0]! > 0 ? ' These are the old weights that played this batch.' : '';
}

function howToReadFresh(overlay: Overlay, layer: string): string {
  const states = layer === '' ? '' : ` (${layer})`;
  if (overlay === 'policy')
    return `Arrows: what the agent tends to do in each cell${states}; the longer, the more likely.`;
  if (overlay === 'visits') return `How often the episodes of this batch were in each cell${states}.`;
  if (overlay === 'entropy')
    return `How undecided the policy is in each cell${states}, in nats: high where it chooses at random.`;
  if (overlay === 'change')
    return `How far the policy after the update is from the one that played, in each cell${states}: KL in nats.`;
  if (overlay === 'reward')
    return `What the moves made in each cell${states} were paid on average, as the estimator sees it.`;
  return `Mean credit of the moves that were made in each cell${states}.`;
}
