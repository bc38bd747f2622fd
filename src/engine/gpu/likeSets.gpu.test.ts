import { expect, test } from 'vitest';
import { trainAlike } from '../../check/sideBySide.ts';
import { check } from '../../gpu/conformance.ts';
import { likeSets as kernel } from '../../gpu/shaders/likeKernels.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { alikeHeads } from '../../slots/advantage/similarity.ts';
import { seenDims } from '../cells.ts';
import { sampleRun, train } from '../sampleRun.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();

const SIMILAR = {
  ...{ 'rollout.tasksPerBatch': 3, 'rollout.groupSize': 4, 'policy.mlp.hidden': [5], 'run.seeds': 2 },
  ...{ 'advantage.method': 'gigpoSimilar', 'analysis.evalEvery': 0, 'task.levels': 2 },
};
const ROOM = { 'task.grid.level': 'bonusRoom', 'task.grid.maxSteps': 25 };
const MAZE = { 'task.method': 'textmaze', 'task.textmaze.maxSteps': 8 };

test.each<readonly [string, Readonly<Record<string, unknown>>]>([
  ['a map with keys', { 'task.grid.level': 'doorKey', 'task.grid.maxSteps': 25 }],
  ['a window', { ...ROOM, 'task.grid.view': 'ego' }],
  ['numbers of states', { ...ROOM, 'task.grid.view': 'index' }],
  ['a bag of words', MAZE],
  ['tokens', { ...MAZE, 'policy.method': 'transformer', 'policy.transformer.width': 8 }],
])('a device finds the sets of what worlds show: %s', async (_, changes) => {
  const run = await sampleRun({ ...SIMILAR, ...changes });
  await train(run, 1);
  const { batch, state, levelSeeds } = await run.backend.view(1);
  const { B, T, G, env, level, obsWords } = run.plan;
  const obs = new Uint32Array(B * (T + 1) * obsWords);
  for (let i = 0; i < B; i++)
    for (let t = 0; t < batch.length[i]!; t++) {
      const k = i * (T + 1) + t;
      env.observe(level(levelSeeds[i]!), state, k * env.words, obs, k * obsWords);
    }
  const { length, taskIndex, action } = batch;
  const found = new Set<string>();
  for (const most of [0, 1, 2, 3, 4, 5, 8, 16]) {
    const match_ = Uint32Array.from(alikeHeads(batch, () => most));
    found.add(match_.join());
    const differs = await check(gpu, {
      ...{ name: `up to ${most} cells`, kernel, groups: [Math.ceil(B / G)] },
      dims: { B, T, block: G, first: 99, ...seenDims(run.plan, () => most) },
      buffers: { obs, length, taskIndex, action, table: new Uint32Array(2 * B * T), match_: new Uint32Array(B * T) },
      expected: { match_ },
    });
    expect(differs).toBeNull();
  }
  // what counts as one place depends on how many cells may differ
  expect(found.size).toBeGreaterThan(changes['task.grid.view'] === 'index' ? 1 : 2);
});

test('a run over similar states with notes, which are compared with no others, trains as on the CPU, without a wait', async () => {
  // with noise, equal states look different
  const seen = { 'task.obsNoise': 12, 'advantage.gigpoSimilar.threshold': 0.85 };
  const changes = { ...SIMILAR, ...ROOM, ...seen, 'task.notes.on': true };
  const [onGpu, onCpu] = [await sampleRun(changes, gpuBackendOn(gpu)), await sampleRun(changes)];
  expect(onGpu.backend.depth).toBe(2);
  const { bareEnv, level, firstLevelSeed } = onCpu.plan;
  const moves = bareEnv.actions(level(firstLevelSeed)).length;
  await trainAlike(onGpu, onCpu, 2, ['creditRms', 'gradNorm']);
  for (const s of [0, 1]) {
    const [mine, theirs] = [await onGpu.backend.view(s), await onCpu.backend.view(s)];
    expect(mine.batch.obsCells).toEqual(theirs.batch.obsCells);
    // sums of up to 100 returns in f32, divided by their spread
    theirs.parts!['step']!.forEach((x, k) => expect(Math.abs(mine.parts!['step']![k]! - x)).toBeLessThan(1e-4));
    const { action } = theirs.batch;
    expect(theirs.parts!['step']!.some((x, k) => x !== 0 && action[k]! < moves)).toBe(true);
    expect(action.some((a) => a >= moves)).toBe(true);
    action.forEach((a, k) => void (a >= moves && expect(mine.parts!['step']![k]).toBe(0)));
  }
  onGpu.dispose();
  onCpu.dispose();
});
