import type { Scene, SceneCell } from '../../envs/types.ts';
import { COLOR_NAMES } from './palette.ts';
import { spoken } from './words.ts';

/** What a game says about its world. Everything is read off the drawings, so it holds for every environment. */

const count = (scene: Scene, is: (cell: SceneCell) => boolean): number => scene.cells.filter(is).length;
const has = (scene: Scene, item: string): boolean => scene.cells.some((c) => c.item === item);
const arrived = (scene: Scene): number => count(scene, (c) => c.item === 'box' && c.ground === 'target');

const stuck = (scene: Scene): number => count(scene, (c) => c.item === 'box' && c.ground === 'dead');

/** What there is to do, in a sentence or two. */
export function aimOf(scene: Scene): string {
  const goal = scene.said?.find((sentence) => sentence.startsWith('goal '));
  if (goal !== undefined) return `Your task: ${spoken(goal.slice('goal '.length))}`;
  if (scene.said) return 'Find out what there is to do.';
  if (has(scene, 'box')) return 'Push every box onto a target. Boxes can be pushed but never pulled.';
  const numbers = has(scene, 'subgoal') ? 'Visit the numbers in their order. ' : '';
  const keys = has(scene, 'key') ? 'A key opens the doors of its color. ' : '';
  if (has(scene, 'exit')) return `${numbers}${keys}Take every key, then walk to the exit.`;
  if (has(scene, 'goal')) return `${numbers}${keys}Walk to the star.`;
  return numbers === '' ? 'Your turn.' : numbers.trim();
}

const doorsOpen = (scene: Scene): number =>
  count(scene, (c) => c.item === 'openDoor') +
  (scene.passages?.filter((p) => p.color !== undefined && p.open).length ?? 0);

/** The news between two moments: a thing taken, a door opened, a box that arrived or left; null for a plain step. */
export function changeOf(before: Scene, after: Scene): string | null {
  const taken = after.holding.filter((name) => !before.holding.includes(name));
  if (taken.length > 0) return `You have the ${taken.join(' and the ')}`;
  if (doorsOpen(after) > doorsOpen(before)) return 'The door is open';
  const [was, is] = [arrived(before), arrived(after)];
  const boxes = count(after, (c) => c.item === 'box');
  if (is > was) return `A box is on its target, ${is} of ${boxes}`;
  if (stuck(after) > stuck(before)) return 'This box is stuck: it can never reach a target; Undo takes the push back';
  if (is < was) return `A box has left its target, ${is} of ${boxes} left`;
  return null;
}

/** Why an action was impossible: the world's own words, or what stands in the way. */
export function whyNot(before: Scene, after: Scene, way: number | undefined): string {
  if (after.said && after.said.length > 0) return spoken(after.said[0]!).replace(/\.$/, '');
  if (way === undefined) return 'That is not possible here';
  const [dx, dy] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ][way] as [number, number];
  const x = (before.agent.cell % before.width) + dx;
  const y = Math.floor(before.agent.cell / before.width) + dy;
  const isInside = x >= 0 && x < before.width && y >= 0 && y < before.height;
  const cell = isInside ? before.cells[y * before.width + x]! : null;
  if (!cell || cell.ground === 'wall') return 'There is a wall';
  if (cell.item === 'box') return 'The box cannot move: something blocks it';
  if (cell.item === 'door' && cell.color !== undefined) return `The door needs the ${COLOR_NAMES[cell.color & 3]} key`;
  return 'That is not possible here';
}

/** Steps of a path of drawings on which a box moved. */
export function pushesOf(scenes: readonly Scene[]): number {
  const boxes = scenes.map((scene) => scene.cells.map((c) => (c.item === 'box' ? '$' : '.')).join(''));
  return boxes.filter((b, k) => k > 0 && b !== boxes[k - 1]).length;
}
