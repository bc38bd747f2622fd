import { evenLevel, roundContext, wholeTask } from '../contract/taskContext.ts';
import type { Task } from '../contract/tasks.ts';
import { PURPOSE, random } from '../core/random.ts';
import type { RoundRow } from '../slots/rollout/types.ts';
import { beginOf } from './begins.ts';
import { makeTasks, type Plan, type Tasks } from './plan.ts';
import { sourceContext } from './plannedRows.ts';

/** A further round of a batch: its number, from 1, and its rows. */
export type Round = { readonly round: number; readonly rows: readonly RoundRow[] };

/**
 * The tasks of a further round of replica s. Fresh ones are what the source would give next; one that waits for outcomes is
 * not asked in the middle of an update, and levels are drawn evenly there.
 */
export function roundTasks(plan: Plan, tasks: Tasks, s: number, { round, rows }: Round): Tasks {
  const { B, P, S, seeds, commonNoise } = plan;
  const { update } = tasks;
  const blank = { levelOf: new Uint32Array(S * B), taskIndex: new Uint32Array(S * B) };
  const made: Tasks = {
    ...{ update, levelSeeds: new Uint32Array(0), levels: [], ...blank },
    episodeSeed: new Uint32Array(S * B),
  };
  const blocks = new Map<number, Tasks>();
  const used = new Map<number, number>();
  rows.forEach(({ task, fresh, hint }, i) => {
    const at = s * B + i;
    if (fresh === undefined) {
      const known = s * B + tasks.taskIndex.subarray(s * B, (s + 1) * B).indexOf(task);
      moveTask(hint === undefined ? tasks : hintedTasks(plan, tasks, known, hint), known, made, at);
    } else {
      const block = Math.floor(fresh / P);
      const drawn = blocks.get(block) ?? blockOfTasks(plan, s, update, block + 1);
      blocks.set(block, drawn);
      // tries of a task may meet variants of its level
      const tries = used.get(fresh) ?? 0;
      used.set(fresh, tries + 1);
      const group = Array.from(drawn.taskIndex.keys()).filter((row) => drawn.taskIndex[row] === fresh % P);
      moveTask(drawn, group[tries % group.length]!, made, at);
    }
    made.taskIndex[at] = task;
    const draws = commonNoise ? round * P + task : round * B + i;
    made.episodeSeed[at] = random(seeds[s]!, PURPOSE.episodeSeed, update, draws, 0);
  });
  return made;
}

/** The same tasks, with a hint on the level of one row. */
function hintedTasks(plan: Plan, tasks: Tasks, row: number, hint: number): Tasks {
  const at = tasks.levelOf[row]!;
  const [levelSeed, limit] = [tasks.levelSeeds[at]!, tasks.limits?.[at] ?? 0];
  const variants = Uint32Array.from(tasks.levels, (_, k) => tasks.variants?.[k] ?? 0);
  variants[at]! += hint * plan.env.deal!.help!.step;
  const levels = tasks.levels.map((level, k) => (k === at ? plan.level(levelSeed, limit, variants[at]) : level));
  return { ...tasks, levels, variants };
}

/** The tasks that replica s would be given after those of its batch and of the blocks before. */
function blockOfTasks(plan: Plan, s: number, update: number, block: number): Tasks {
  const seeds = plan.seeds.slice(s, s + 1);
  const context = roundContext(sourceContext(plan, seeds[0]!, update), block);
  const chosen: readonly Task[] = plan.source.wantsOutcomes
    ? Array.from({ length: plan.P }, (_, p) => wholeTask(evenLevel(context, p), context.G))
    : plan.source.next({}, context, plan.sourceParams);
  return makeTasks({ ...plan, S: 1, seeds }, update, 'train', [chosen]);
}

/** What row `from` of some tasks plays becomes what row `to` of others plays; its group stays. */
export function moveTask(source: Tasks, from: number, target: Tasks, to: number): void {
  const at = source.levelOf[from]!;
  const level = source.levels[at];
  let place = target.levels.indexOf(level);
  if (place < 0) {
    place = target.levels.length;
    target.levels = [...target.levels, level];
    target.levelSeeds = Uint32Array.from([...target.levelSeeds, source.levelSeeds[at]!]);
    target.limits = Uint32Array.from([...(target.limits ?? []), source.limits?.[at] ?? 0]);
    target.variants = Uint32Array.from([...(target.variants ?? []), source.variants?.[at] ?? 0]);
  }
  target.levelOf[to] = place;
  moveStart(source, from, target, to);
  target.episodeSeed[to] = source.episodeSeed[from]!;
}

/** The saved state that a row begins in goes with it. */
function moveStart(source: Tasks, from: number, target: Tasks, to: number): void {
  const saved = beginOf(source, from);
  if (!saved && !target.begins) return;
  const { of, states } = target.begins ?? { of: new Uint32Array(target.levelOf.length), states: [] };
  of[to] = saved ? states.length + 1 : 0;
  target.begins = { of, states: saved ? [...states, saved] : states };
}
