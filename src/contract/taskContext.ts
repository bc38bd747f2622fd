import { PURPOSE, random, uniform } from '../core/random.ts';
import type { LevelDeal } from './levelDeal.ts';
import type { Task, TaskContext } from './tasks.ts';

/** Where the task of a run stands: stages it grows through, and updates spent in each but the last. */
export type Growth = { readonly stages: number; readonly growEvery: number };

/** What contexts are made from: sizes of a batch, different levels, stages. */
export type TaskSizes = Growth & {
  readonly P: number;
  readonly G: number;
  readonly levels: number;
  /** rows of each family, where levels are a ladder */
  readonly rungs?: readonly number[];
  /** absent: the seeds of levels alone say which ones are the same */
  readonly deal?: LevelDeal | undefined;
};

/** Updates of evaluations, as draws of levels count them: apart from those that train. */
const EVALUATIONS = 0x40000000;

/** Level seed k of the fixed levels of a replica. */
export const fixedLevel = (seed: number, which: number): number => random(seed, PURPOSE.taskPick, 0xffffffff, which, 0);

/** Level seed k of those that never train, as they are drawn for a replica. */
export const panelLevel = (seed: number, k: number): number => random(seed, PURPOSE.panelTask, k, 0, 0);

/** A level seed at a stage: its low three bits, where a task grows at all. */
export function atStage(levelSeed: number, { stages }: Growth, stage: number): number {
  return stages > 1 ? ((levelSeed & ~7) | stage) >>> 0 : levelSeed;
}

/** The stage that training has reached in an update. */
export const stageAt = ({ stages, growEvery }: Growth, update: number): number =>
  Math.min(stages - 1, Math.floor(update / growEvery));

/** Bits of a level seed that name its row, and its family above them, where levels are a ladder. */
const ROW_BITS = 5;
const FAMILY_BITS = 3;

/** A level seed at a rung of a ladder. */
export const rungAt = (levelSeed: number, family: number, row: number): number =>
  ((levelSeed & ~(2 ** (ROW_BITS + FAMILY_BITS) - 1)) | (family << ROW_BITS) | row) >>> 0;

/** Which family a level seed is of, and which row of it. Any seed names one: those drawn at random name all alike. */
export function rungOf(levelSeed: number, rows: readonly number[]): { readonly family: number; readonly row: number } {
  const family = ((levelSeed >>> ROW_BITS) & (2 ** FAMILY_BITS - 1)) % rows.length;
  return { family, row: (levelSeed & (2 ** ROW_BITS - 1)) % rows[family]! };
}

/** The context of one replica in a training update. */
export function trainingContext(sizes: TaskSizes, seed: number, update: number): TaskContext {
  return contextAt(sizes, seed, update, stageAt(sizes, update));
}

/** The same for tasks that no earlier round of the update has played; round 0 is the batch of the source. */
export function roundContext<C extends TaskContext>(context: C, round: number): C {
  const { P, fresh, pick, draw } = context;
  const from = round * P;
  return { ...context, fresh: (p) => fresh(from + p), pick: (p) => pick(from + p), draw: (p, n) => draw(from + p, n) };
}

/** The same where the task has grown up, in an update or in an evaluation, which has separate draws. */
export function wholeContext(sizes: TaskSizes, seed: number, update: number, evaluates: boolean): TaskContext {
  return contextAt(sizes, seed, evaluates ? update + EVALUATIONS : update, sizes.stages - 1);
}

/** Level of task p as it is drawn evenly. */
export const evenLevel = ({ levels, fresh, level, pick }: TaskContext, p: number): number =>
  levels === 0 ? fresh(p) : level(pick(p));

function contextAt(sizes: TaskSizes, seed: number, update: number, stage: number): TaskContext {
  const { P, G, levels, rungs = [], stages, growEvery, deal } = sizes;
  const clear = (levelSeed: number): number => deal?.clear(seed, levelSeed) ?? levelSeed;
  const grown = (levelSeed: number): number => clear(atStage(levelSeed, sizes, stage));
  const drawn = (p: number): number => atStage(random(seed, PURPOSE.taskPick, update, p, 1), sizes, stage);
  return {
    ...{ seed, update, P, G, levels, grown, rungs, stages, growEvery },
    at: (levelSeed, family, row) => clear(rungAt(levelSeed, family, row)),
    staged: (levelSeed, at) => clear(atStage(levelSeed, sizes, at)),
    level: (which) => grown(deal?.fixed(seed, which) ?? fixedLevel(seed, which)),
    fresh: deal ? eachOther(deal, seed, drawn) : drawn,
    pick: (p) => (levels === 1 ? 0 : random(seed, PURPOSE.taskPick, update, p, 0) % levels),
    draw: (p, n) => uniform(random(seed, PURPOSE.taskSource, update, p, n)),
  };
}

/** Levels of a batch in their order, none of which counts as one before it. */
function eachOther(deal: LevelDeal, seed: number, drawn: (p: number) => number): (p: number) => number {
  const found: number[] = [];
  return (p) => {
    while (found.length <= p) found.push(deal.other(seed, drawn(found.length), found));
    return found[p]!;
  };
}

/** A group of the usual size that plays a level from its start to its own step limit. */
export const wholeTask = (levelSeed: number, tries: number): Task => ({
  levelSeed,
  start: 'initial',
  maxSteps: 0,
  tries,
});
