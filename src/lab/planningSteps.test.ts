import { expect, test } from 'vitest';
import { table } from '../config/lessonPresets.ts';
import { stepsOf } from '../core/batch.ts';
import { decisionPoints } from '../slots/advantage/planning.ts';
import { sampleRun, train } from '../engine/sampleRun.ts';

const PLAIN = { ...table, 'run.backend': 'cpu', 'run.seeds': 1, 'analysis.evalEvery': 0 };
const rooms = {
  'task.method': 'textmaze',
  'task.textmaze.level': 'threeRooms',
  'task.textmaze.metaActions': false,
  'optimizer.learningRate': 0.3,
};
/** A Sokoban level and a maze of rooms, each with the least and the most steps that may be junctions. */
const TASKS = [
  ['a Sokoban level', { 'task.method': 'sokoban', 'task.sokoban.level': 'corner' }, [0.1, 0.5]],
  ['a maze of rooms', rooms, [0.01, 0.3]],
] as const;

/** The junctions of the batch of an update, by the place of the agent; and their share of all steps. */
async function junctionsAt(changes: Readonly<Record<string, unknown>>, updates: number) {
  const run = await sampleRun({ ...PLAIN, ...changes });
  await train(run, updates);
  const { batch, state } = await run.backend.view(0);
  const { env, T } = run.plan;
  const isPlanning = decisionPoints(batch);
  const steps = stepsOf(
    batch,
    Array.from({ length: batch.B }, (_, i) => i),
  );
  const marked = steps.filter((k) => isPlanning[k] === 1);
  run.dispose();
  const cellOf = (k: number): number => env.cell(state, (Math.floor(k / T) * (T + 1) + (k % T)) * env.words);
  return { cells: [...new Set(marked.map(cellOf))].sort((a, b) => a - b), share: marked.length / steps.length };
}

test('planning steps of key and door are those where its corridors part, before and while it is learned', async () => {
  // @...a    the start, the way down in the middle, the corner with the key, from where it goes on or back with it, and
  // .#.#.    later the foot of the way down
  for (const [updates, where] of [
    [1, [0, 2, 4]],
    [60, [0, 2, 4, 22]],
  ] as const) {
    const { cells, share } = await junctionsAt({}, updates);
    expect(cells).toEqual(where);
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.4);
  }
});

test.each(TASKS)('fewer than half of the steps of %s are planning steps', async (_, changes, [least, most]) => {
  const { share } = await junctionsAt(changes, 60);
  expect(share).toBeGreaterThanOrEqual(least);
  expect(share).toBeLessThanOrEqual(most);
});
