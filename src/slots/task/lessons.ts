import { usedSteps, type SavedState } from '../../contract/tasks.ts';
import { FLAG, type StepResult } from '../../envs/types.ts';
import type { SourceWorld } from './types.ts';

/** An episode that somebody else has played: its level, and the names or numbers of its actions. */
export type Lesson = { readonly levelSeed: number; readonly actions: readonly string[] };

const LINE = /^\s*(\d{1,10})\s*:\s*([^:]+?)\s*$/;
const MOST_SEED = 0xffffffff;

/** Reads one episode a line, “level: action, action, …”; or the number of the first line that is none. */
export function readLessons(text: string): {
  readonly lessons: readonly Lesson[];
  readonly wrong: number | null;
} {
  const lessons: Lesson[] = [];
  for (const [k, line] of text.split(/\r\n?|\n/).entries()) {
    if (line.trim() === '') continue;
    const found = LINE.exec(line);
    const actions = found?.[2]!.split(',').map((action) => action.trim()) ?? [''];
    if (!found || Number(found[1]) > MOST_SEED || actions.includes('')) return { lessons, wrong: k + 1 };
    lessons.push({ levelSeed: Number(found[1]), actions });
  }
  return { lessons, wrong: null };
}

/** A state of a lesson, and how many of its steps were left. */
export type Snapshot = { readonly levelSeed: number; readonly state: SavedState; readonly left: number };

const played = new WeakMap<SourceWorld['env'], Map<string, readonly Snapshot[]>>();

/** The states that lessons come through, from which at least `least` steps are left, in order. */
export function snapshotsIn(text: string, world: SourceWorld, least: number): readonly Snapshot[] {
  let known = played.get(world.env);
  if (!known) played.set(world.env, (known = new Map()));
  let found = known.get(text);
  if (!found) {
    found = readLessons(text).lessons.flatMap((lesson, k) => passedIn(lesson, k, world));
    known.set(text, (found = found.filter(({ state }) => usedSteps(state) <= world.T - least)));
  }
  return found;
}

/** Plays a lesson again. An action that the world does not have ends it. */
function passedIn({ levelSeed, actions }: Lesson, k: number, { env, level: levelOf }: SourceWorld): Snapshot[] {
  const level = levelOf(levelSeed);
  const names = env.actions(level);
  const state = new Uint32Array(env.words);
  const result: StepResult = { reward: 0, flags: 0 };
  const states: SavedState[] = [];
  env.reset(level, state, 0);
  for (const name of actions) {
    const action = /^\d+$/.test(name) ? Number(name) : names.indexOf(name);
    if (action < 0 || action >= names.length) break;
    states.push(Array.from(state));
    env.step(level, state, 0, { action, seed: k }, result);
    if ((result.flags & (FLAG.terminated | FLAG.truncated)) !== 0) break;
  }
  return states.map((at, t) => ({ levelSeed, state: at, left: states.length - t }));
}
