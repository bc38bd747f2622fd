import { nameOf } from '../../levelName.ts';
import type { Plan, Tasks } from '../../plan.ts';
import type { Play } from '../lockstep.ts';
import { partOf, type PlayJob } from './rowJob.ts';
import type { RowMemory } from './rowMemory.ts';

/** Numbers of a row: what its level was made from, the seed of its chance, the step that it begins with, and bits of actions as in `Play`. */
export const NUMBERS = 7;

/** Items of a rollout are ranges of its rows: those of items [from, to), numbered from the first of the replica. */
export function rowsOf({ first, count, parts }: PlayJob, from: number, to: number) {
  const [at, end] = [partOf(count, from, parts)[0], partOf(count, to, parts)[0]];
  return { first: first + at, count: end - at };
}

/** Writes down what rows play that stand where they begin, so that any core can play them. */
export function tellRows(play: Play, first: number, begins: readonly number[], to: RowMemory): void {
  const { plan, tasks, s, without, likely } = play;
  const at = first - s * plan.B;
  begins.forEach((begin, k) => {
    const { levelSeed, maxSteps, variant } = nameOf(tasks, first + k);
    const bits = [without?.[at + k] ?? 0, likely?.[at + k] ?? 0];
    to.tasks.set([levelSeed, maxSteps, variant, tasks.episodeSeed[first + k]!, begin, ...bits], (at + k) * NUMBERS);
  });
  const [from, end] = [at * plan.T, (at + begins.length) * plan.T];
  if (play.forced) to.forced.set(play.forced.subarray(from, end), from);
  else to.forced.fill(0);
  if (play.came) to.came.set(play.came.subarray(from, end), from);
}

/** The versions of the weights that play these rows; writes down which of them each step. */
export function tellVersions(play: Play, first: number, begins: readonly number[], to: RowMemory) {
  const { plan, s, tasks } = play;
  const weightsOf = (row: number, t: number): Float32Array => play.weightsOf(row, t, tasks);
  if (to.version.length === 0) return [weightsOf(first, begins[0]!)];
  const { B, T } = plan;
  const versions: Float32Array[] = [];
  const place = (weights: Float32Array): number => {
    const known = versions.indexOf(weights);
    return known < 0 ? versions.push(weights) - 1 : known;
  };
  begins.forEach((begin, k) => {
    const row = first + k;
    const at = (row - s * B) * T;
    const [oldest, newest] = [weightsOf(row, begin), weightsOf(row, T - 1)];
    to.version.fill(place(oldest), at + begin, at + T);
    // they never become older within an episode
    for (let t = begin; t < T && oldest !== newest; t++) to.version[at + t] = place(weightsOf(row, t));
  });
  return versions;
}

/** Takes back what was written for rows that go on from these. */
export function takeCame({ plan, s, came }: Play, first: number, count: number, { came: told }: RowMemory): void {
  const [from, to] = [first - s * plan.B, first - s * plan.B + count].map((row) => row * plan.T);
  came?.set(told.subarray(from, to), from);
}

type Heard = Pick<Play, 'tasks' | 'forced' | 'without' | 'likely' | 'came'> & { readonly begins: readonly number[] };

/** What `count` rows from row `first` of a replica on play, as it was told. */
export function heardRows(
  plan: Plan,
  { tasks: told, forced, came }: Pick<RowMemory, 'tasks' | 'forced' | 'came'>,
  { s, update }: PlayJob,
  { first, count }: { readonly first: number; readonly count: number },
): Heard {
  const all = plan.S * plan.B;
  const begins: number[] = [];
  const levels: unknown[] = [];
  const per = (): Uint32Array => new Uint32Array(count);
  const tasks: Tasks = {
    ...{ update, levels, levelSeeds: per(), limits: per(), variants: per() },
    ...{ levelOf: new Uint32Array(all), episodeSeed: new Uint32Array(all), taskIndex: new Uint32Array(all) },
  };
  const bits = { without: new Uint32Array(plan.B), likely: new Uint32Array(plan.B) };
  for (let k = 0; k < count; k++) {
    const i = first + k;
    const [levelSeed, limit, variant, episodeSeed, begin, without, likely] = told.subarray(
      i * NUMBERS,
      (i + 1) * NUMBERS,
    );
    levels.push(plan.level(levelSeed!, limit, variant));
    [tasks.levelSeeds[k], tasks.limits![k], tasks.variants![k]] = [levelSeed!, limit!, variant!];
    [tasks.levelOf[s * plan.B + i], tasks.episodeSeed[s * plan.B + i]] = [k, episodeSeed!];
    [bits.without[i], bits.likely[i]] = [without!, likely!];
    begins.push(begin!);
  }
  const some = <A extends { readonly length: number }>(array: A): A | null => (array.length > 0 ? array : null);
  return { tasks, begins, ...bits, forced: some(forced), came: some(came) };
}
