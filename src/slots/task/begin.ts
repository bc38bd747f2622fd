import type { Task } from '../../contract/tasks.ts';
import { evenLevel, wholeTask } from '../../contract/taskContext.ts';
import { distancesOf, startAt, type Distances } from '../../envs/distances.ts';
import type { SourceContext, SourceWorld, TaskBatch } from './types.ts';

/** The world of a context: sources that save states cannot do without. */
export function worldOf({ world }: SourceContext): SourceWorld {
  if (!world) throw new Error('A source that saves states needs the world that they are states of.');
  return world;
}

/** Task p of an even draw, with the distances of its level; null: nothing is known of its states. */
export function evenly(context: SourceContext, p: number): { readonly whole: Task; readonly from: Distances | null } {
  const { env, level } = worldOf(context);
  const whole = wholeTask(evenLevel(context, p), context.G);
  return { whole, from: distancesOf(env, level(whole.levelSeed)) };
}

/** The task with its start in state k of `from`; as it is where the goal is too far from there for the steps left. */
export function begun(whole: Task, from: Distances, k: number, T: number): Task {
  const start = startAt(from, k, T);
  return start ? { ...whole, start } : whole;
}

/** One of some places, by u in [0, 1); −1 where there is none. */
export const oneOf = (places: readonly number[], u: number): number =>
  places.length === 0 ? -1 : places[Math.min(places.length - 1, Math.floor(u * places.length))]!;

/** Places of a level's states that satisfy a condition. */
export const placesWhere = ({ states }: Distances, is: (k: number) => boolean): number[] =>
  Array.from(states, (_, k) => k).filter(is);

/** The metric of where the tasks of a batch begin. */
export function measured({ tasks }: TaskBatch): Readonly<Record<string, number>> {
  return { savedStarts: tasks.filter(({ start }) => start !== 'initial').length / tasks.length };
}
