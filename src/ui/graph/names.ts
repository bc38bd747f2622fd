import type { Scene, SceneCell } from '../../envs/types.ts';
import type { World } from '../stage/world.ts';
import { contents } from '../stage/words.ts';
import { COLOR_NAMES } from '../stage/palette.ts';

/** A state for a small label and in words. */
export type StateName = { readonly short: string; readonly long: string };

/** Changes since the start that are told; more would not be read. */
const MOST = 4;

/**
 * Words for states of one level: where the agent is, what it holds, and what has changed since the start. `at` are
 * offsets of states in `state`.
 */
export function stateNames({ env, level }: World, state: Uint32Array, at: readonly number[]): StateName[] {
  const first = new Uint32Array(env.words);
  env.reset(level, first, 0);
  const start = env.scene(level, first, 0);
  return at.map((from) => nameOf(start, env.scene(level, state, from)));
}

export function nameOf(start: Scene, scene: Scene): StateName {
  const own = scene.cells[scene.agent.cell]!;
  const where = place(scene, scene.agent.cell);
  const heading =
    scene.agent.direction === null ? '' : `, facing ${['east', 'south', 'west', 'north'][scene.agent.direction]}`;
  const held = scene.holding.length > 0 ? `, holding ${scene.holding.join(' and ')}` : '';
  const changed = scene.cells
    .flatMap((cell, k) => change(start.cells[k], cell, place(scene, k)))
    .filter((words) => !scene.holding.some((name) => words === `${name} gone`));
  const told = changed.slice(0, MOST).map((words) => `; ${words}`);
  const more = changed.length > MOST ? `; ${changed.length - MOST} more changes` : '';
  const column = scene.agent.cell % scene.width;
  const row = Math.floor(scene.agent.cell / scene.width);
  const carried = scene.holding.map((name) => ` +${name.split(' ').at(-1)}`).join('');
  return {
    short: `${own.label ?? `${column + 1},${row + 1}`}${carried}`,
    long: `${where}${heading}${held}${told.join('')}${more}`,
  };
}

function place({ cells, width }: Scene, cell: number): string {
  const name = cells[cell]!.label;
  return name === undefined ? `column ${(cell % width) + 1}, row ${Math.floor(cell / width) + 1}` : `room ${name}`;
}

/** What is in a cell that was not there at the start, or no longer does. */
function change(before: SceneCell | undefined, now: SceneCell, where: string): string[] {
  if (!before || before.ground === 'unseen' || now.ground === 'unseen') return [];
  const was = contents(before, COLOR_NAMES);
  const is = contents(now, COLOR_NAMES);
  if (was === is) return [];
  const isGone = now.item === undefined && (now.items ?? []).length === 0;
  return [isGone ? `${was} gone` : `${is} (${where})`];
}
