import { expect, test } from 'vitest';
import { sampleRun, train } from '../engine/sampleRun.ts';
import { Snapshots } from './snapshot.ts';
import type { Snapshot } from './snapshotTypes.ts';

test('a snapshot brings what trained beside its batch, with states, credit and places on the same maps', async () => {
  const run = await sampleRun({
    ...{ 'run.backend': 'cpu', 'policy.method': 'tabular', 'task.grid.level': 'fourRooms', 'task.levels': 2 },
    ...{ 'task.grid.maxSteps': 30, 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4, 'advantage.method': 'grpo' },
    ...{ 'rollout.method': 'spear', 'rollout.spear.rise': 4, 'run.seeds': 1 },
  });
  const snapshots = new Snapshots();
  let found: Snapshot | null = null;
  for (let u = 0; u < 12 && !found; u++) {
    await train(run, 1);
    const made = structuredClone(await snapshots.make(run, 0));
    if (made.beside) found = made;
  }
  const { T, words, maps, beside: shown } = found!;
  const { B, length, state, mapRow } = shown!;
  expect(shown!.rows).toHaveLength(B);
  for (let i = 0; i < B; i++) {
    const map = maps.find(({ levelSeed }) => levelSeed === shown!.levelSeeds[i])!;
    for (let t = 0; t <= length[i]!; t++) {
      const at = i * (T + 1) + t;
      const place = mapRow[at]!;
      if (place === 0xffffffff) continue;
      expect(state.subarray(at * words, (at + 1) * words).length).toBe(words);
      expect(place).toBeLessThan(map.cell.length);
    }
    expect(mapRow[i * (T + 1)]).not.toBe(0xffffffff);
  }
});
