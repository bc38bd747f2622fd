import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { memoryOf } from '../config/memory.ts';
import { cellsOf } from './cells.ts';
import { sampleRun, train } from './sampleRun.ts';

const SMALL = {
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'policy.mlp.hidden': [8], 'run.seeds': 2 },
  ...{ 'objective.entropyCoef': 0.1, 'analysis.evalEvery': 2 },
};
const SIMILAR = { ...SMALL, 'advantage.method': 'gigpoSimilar', 'advantage.gigpoSimilar.threshold': 1 };
const VIEWS: readonly (readonly [string, Record<string, unknown>])[] = [
  ['a whole map', { 'task.grid.maxSteps': 12 }],
  ['a window', { 'task.grid.view': 'ego', 'task.grid.maxSteps': 12 }],
  ['numbers of states', { 'task.grid.view': 'index', 'task.grid.maxSteps': 12 }],
  ['a bag of words', { 'task.method': 'textmaze', 'task.textmaze.maxSteps': 8 }],
  [
    'written commands',
    {
      'task.method': 'textmaze',
      'task.textmaze.maxSteps': 6,
      'policy.method': 'transformer',
      'policy.transformer.width': 8,
    },
  ],
];

test.each(VIEWS)('steps of a run have equal cells exactly where the policy saw the same: %s', async (_, changes) => {
  const run = await sampleRun({ ...SIMILAR, ...changes });
  await train(run, 1);
  const { batch, state } = await run.backend.view(1);
  const { T, length, obsCells } = batch;
  const { env, obsWords } = run.plan;
  const cells = cellsOf(run.plan);
  const bits = new Uint32Array(obsWords);
  const byCells = new Map<string, string>();
  const byBits = new Map<string, string>();
  for (let i = 0; i < batch.B; i++) {
    for (let t = 0; t < length[i]!; t++) {
      const level = run.plan.level((await run.backend.view(1)).levelSeeds[i]!);
      env.observe(level, state, (i * (T + 1) + t) * env.words, bits, 0);
      const at = (i * T + t) * cells;
      const [own, seen] = [obsCells!.subarray(at, at + cells).join(), bits.join()];
      expect(byCells.get(own) ?? seen).toBe(seen);
      expect(byBits.get(seen) ?? own).toBe(own);
      byCells.set(own, seen);
      byBits.set(seen, own);
    }
  }
  expect(byCells.size).toBeGreaterThan(1);
});

test('a run over similar states where only equal ones are similar is GiGPO, bit for bit, on a map that shows all', async () => {
  const [one, two] = [await sampleRun(SIMILAR), await sampleRun(SMALL)];
  expect(await train(one, 3)).toEqual(await train(two, 3));
});

test('only a run that asks for cells records them, and the estimate of its memory counts them', async () => {
  const plain = await sampleRun(SMALL);
  await train(plain, 1);
  expect((await plain.backend.view(0)).batch.obsCells).toBeUndefined();
  const bytes = (changes: Record<string, unknown>): number => memoryOf(configWith(changes))!.cpu;
  expect(bytes(SIMILAR)).toBeGreaterThan(bytes(SMALL));
});

test('a run over similar states pauses and resumes exactly', async () => {
  const loose = { ...SIMILAR, 'advantage.gigpoSimilar.threshold': 0.9 };
  const run = await sampleRun(loose);
  await train(run, 1);
  const middle = await run.checkpoint();
  const rest = await train(run, 2);
  const { Run } = await import('./run.ts');
  const { makeCpuBackend } = await import('./cpu/cpuBackend.ts');
  expect(await train(await Run.create(run.whole, makeCpuBackend, middle), 2)).toEqual(rest);
});
