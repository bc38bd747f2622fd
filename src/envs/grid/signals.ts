import { defineSignals, type WorldSignals } from '../../contract/signals.ts';
import { hasValues, isCountable } from '../countable.ts';
import { stateTable, tellFrom, type Milestone } from '../stateTable.ts';
import { FLAG, type Environment, type StepResult } from '../types.ts';
import type { GridLevel } from './grid.ts';
import { KIND, type GridMap } from './level.ts';
import { cellOf, keyOf, progressOf, resetState, stepState, WORDS } from './rules.ts';

/** The level without its moving obstacles: exact distances do not wait for them. */
const still = (level: GridLevel): GridLevel => ({
  ...level,
  rules: { ...level.rules, map: { ...level.rules.map, obstacles: [] } },
});

/** A word of three obstacles where there are none. */
const NO_OBSTACLES = 0x3fffffff;
const scratch = new Uint32Array(WORDS);

/** Key of the state as if there were no obstacles. */
function stillKey(state: Uint32Array, at: number, out: Uint32Array, outAt: number): void {
  for (let w = 0; w < 3; w++) scratch[w] = state[at + w]!;
  scratch.fill(NO_OBSTACLES, 3, 6);
  keyOf(scratch, 0, out, outAt);
}

/** Keys, doors and subgoals in the order in which a shortest solution comes to them. */
export function itemsOf(env: Environment<GridLevel>, level: GridLevel): Milestone[] {
  const { rules } = still(level);
  const found: Milestone[] = [];
  const state = new Uint32Array(WORDS);
  const result: StepResult = { reward: 0, flags: 0 };
  resetState(rules, state, 0);
  for (const action of env.shortestPath(level) ?? []) {
    const [w0, doors, keys] = state as unknown as [number, number, number];
    // a path that chance was kind to is replayed as far as it goes
    stepState({ ...rules, map: { ...rules.map, slip: [0, 1, 0] } }, state, 0, action, 0, result);
    const bit = (word: number, before: number): void => {
      const fresh = state[word]! & ~before;
      if (fresh !== 0) found.push({ kind: 'bit', word, at: 31 - Math.clz32(fresh), value: 1 });
    };
    bit(2, keys);
    bit(1, doors);
    const done = progressOf(state[0]!);
    if (done > progressOf(w0)) found.push({ kind: 'least', word: 0, at: 16, value: done });
    if ((result.flags & FLAG.terminated) !== 0) break;
  }
  return found;
}

/** The items of a shortest solution and the goal; without items the first entry to 3/4, 1/2 and 1/4 of the way, and the goal. */
function milestonesOf(env: Environment<GridLevel>, level: GridLevel): (start: number) => readonly Milestone[] {
  return (start) => {
    const items = itemsOf(env, level);
    const ways = [3, 2, 1].map((k): Milestone => ({ kind: 'near', value: Math.floor((k * start) / 4) }));
    return [...(items.length > 0 ? items : ways), { kind: 'success' }];
  };
}

/** True if the line from (x, y) to the cell beside it meets no wall, that cell included. */
function isInView({ W, H, kind }: GridMap, x: number, y: number, dx: number, dy: number): boolean {
  const n = Math.max(1, Math.abs(dx), Math.abs(dy));
  for (let k = 1; k <= n; k++) {
    const [cx, cy] = [x + Math.round((dx * k) / n), y + Math.round((dy * k) / n)];
    if (cx < 0 || cy < 0 || cx >= W || cy >= H || kind[cy * W + cx] === KIND.wall) return false;
  }
  return true;
}

/** What a grid-world tells beside its reward. Spec methods/reward §1. */
export const gridSignals = (env: () => Environment<GridLevel>): WorldSignals<GridLevel> =>
  defineSignals<GridLevel>({
    fits: (level, potential) => isCountable(env(), still(level)) && hasValues(env(), level, potential),
    table: (level, potential) =>
      stateTable(env(), level, { level: still(level), keyOf: stillKey }, milestonesOf(env(), level), potential),
    tell({ table, potential: { of } }, state, at, out) {
      tellFrom(table, state, at, { status: state[at + 6]! >>> 16, keyOf: stillKey, stateKey: keyOf, of }, out);
    },
    novelKey: (_level, state, at, out, outAt) => keyOf(state, at, out, outAt),
    cover({ rules: { map } }, state, at, radius, add) {
      const cell = cellOf(state[at]!);
      const [x, y] = [cell % map.W, Math.floor(cell / map.W)];
      for (let dy = -radius; dy <= radius; dy++)
        for (let dx = -radius; dx <= radius; dx++) if (isInView(map, x, y, dx, dy)) add((y + dy) * map.W + x + dx);
    },
    messages: async () => (await import('./messages.ts')).messages,
    milestone: 'progress',
    wastes: 'none',
    effort: 'refusals',
    wgsl: async () => (await import('./signalsWgsl.ts')).signalsWgsl,
  });
