import { prepareTask } from '../../config/level.ts';
import { presetById, presetConfig } from '../../config/presets.ts';
import { configWith } from '../../config/schema.ts';
import { replicasOf, thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import { createRun, type Run } from '../../engine/run.ts';
import { seedsOfLevels, solvedOf } from '../../lab/boxoban.ts';
import { mayGoOn } from '../interrupt.ts';
import type { Row } from './rows.ts';

const PRESET = 'sokoban-boxoban-drawn';
const SET = 'unfiltered';
/** What is different from the preset: larger batches, and nothing is evaluated but the levels below. */
export const CHANGES = { 'rollout.tasksPerBatch': 256, 'run.seeds': 1, 'run.backend': 'cpu', 'analysis.evalEvery': 0 };
/** Updates where none are asked for. */
export const UPDATES = 3490;
/** How often the levels are played along the way. */
const LOOKS = 10;
/** Levels that are played, by number: the first of the set. None of them trains, and none decides anything in a run. */
export const LEVELS = 400;

export const COLUMNS = ['updates', 'seed', 'at', 'taken', 'levels', 'first', 'best'] as const;
export const KEYS = ['updates', 'seed', 'at'] as const;

export type Length = { readonly updates: number; readonly levels: number };

/** Trains one seed; hands on what it solves before, along the way and at its end. */
export async function measureBoxoban(
  { updates, levels }: Length,
  seed: number,
  done: (row: Row) => Promise<void>,
): Promise<void> {
  const config = configWith(
    { ...CHANGES, 'run.updates': updates, 'run.seed': seed },
    presetConfig(presetById(PRESET)!),
  );
  await prepareTask(config);
  const run = must(await createRun(config));
  const levelSeeds = seedsOfLevels(SET).slice(0, levels);
  let taken = 0;
  try {
    for (;;) {
      const at = run.update;
      if (at === updates || at % Math.ceil(updates / LOOKS) === 0)
        await done({ updates, seed, at, taken, ...solvedOf(run.plan, await thetaNow(run), levelSeeds) });
      if (at === updates) return;
      taken += (await run.submit()).stepsOf[0]!;
      await mayGoOn();
    }
  } finally {
    run.dispose();
  }
}

async function thetaNow(run: Run): Promise<Float32Array> {
  const { state } = await run.checkpoint();
  return thetaOf(replicasOf(state, run.plan.S, 0, 1));
}
