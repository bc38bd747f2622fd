import { afterAll, expect, test, vi } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { thetaOf } from '../../contract/state.ts';
import { must } from '../../core/problem.ts';
import type { Gpu } from '../../gpu/device.ts';
import { Profiler } from '../../gpu/profiler.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { testDevice } from '../../gpu/testDevice.ts';
import { assume, tune } from '../../gpu/tune.ts';
import { createRun } from '../run.ts';
import { gpuBackendOn } from './gpuBackend.ts';

const gpu = await testDevice();
const tuning = await tune(gpu);
afterAll(() => assume(gpu, tuning));
/** The same device, taken for a card. */
const card = Object.create(gpu, { software: { value: false } }) as Gpu;

const SMALL = {
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 3,
  'run.seeds': 2,
  'run.updates': 2,
  'task.grid.maxSteps': 9,
};
/** A critic learns from episodes that all fail, too. */
const CRITIC = { 'advantage.method': 'gae' };
const PPO = { ...CRITIC, 'objective.epochs': 2, 'objective.minibatches': 2 };

/** Records, parameters and digest of a run, and the kernels of an update, where products go through fine tiles up to so many blocks. */
async function train(changes: Record<string, unknown>, fineUpTo: number, on = gpu) {
  assume(on, { ...tuning, fineUpTo, tiled: fineUpTo > 0 });
  const run = must(await createRun(configWith({ ...SMALL, ...changes }), gpuBackendOn(on)));
  const profiler = new Profiler(on, 'repeats');
  on.profiler = profiler;
  const records = [await run.submit()];
  on.profiler = null;
  records.push(await run.submit());
  const { state } = await run.checkpoint();
  const digest = await run.digest();
  run.dispose();
  const kernels = [...new Set(profiler.timed.map(({ kernel }) => kernel))];
  return { of: { records, theta: [...thetaOf(state)], digest }, kernels };
}

const DENSE = ['denseForward.fine', 'denseGradient.fine'];
/** The gradients of the last layer and of the first one, which reads bits. */
const ENDS = ['sparseForward.fine', 'sparseGradient.withLast'];
/** The last layer in one dispatch with the objective. */
const HEAD = ['coefficients.head'];
/** The whole network, where it has one hidden layer. */
const WHOLE = ['coefficients.whole'];
const WALKS = ['gruWalk', 'gruWalkBackward'];
const BITS = ['sparseForward.fine', 'sparseGradient.tiled'];

test.each([
  ['dense, lists of minibatches', [...HEAD, ...DENSE, ...ENDS], { ...PPO, 'policy.mlp.hidden': [20, 24] }],
  ['one hidden layer', [...WHOLE, 'sparseGradient.withLast'], { ...PPO, 'policy.mlp.hidden': [20] }],
  ['one hidden layer too wide for a workgroup', [...HEAD, ...ENDS], { ...PPO, 'policy.mlp.hidden': [260] }],
  ['one hidden layer of odd width', ['denseForward.fine'], { ...PPO, 'policy.mlp.hidden': [21] }],
  ['a second look for marks', ['denseForward.fine', ...ENDS], { ...PPO, 'objective.method': 'gspo' }],
  ['a reference', ['denseForward.fine', ...ENDS], { ...PPO, 'objective.klCoef': 0.3 }],
  ['GRU', [...HEAD, ...DENSE, ...ENDS, ...WALKS], { ...CRITIC, 'policy.method': 'gru', 'policy.gru.hidden': 20 }],
  [
    'GRU, lists of minibatches, an odd memory, cut',
    WALKS,
    { ...PPO, 'policy.method': 'gru', 'policy.gru.hidden': 7, 'policy.gru.unroll': 3, 'rollout.groupSize': 5 },
  ],
  [
    'convolution',
    [...HEAD, ...DENSE, 'convGradient.fine'],
    { ...CRITIC, 'policy.method': 'conv', 'policy.conv.hidden': 20 },
  ],
  ['transformer over steps', [...DENSE, ...BITS], { ...CRITIC, 'policy.method': 'gtrxl', 'task.grid.maxSteps': 5 }],
])('a run in fine tiles has the bits of one in registers: %s', async (_name, ids, changes) => {
  const plain = await train(changes, 0);
  const fine = await train(changes, Infinity);
  expect([...plain.kernels].filter((id) => /\.(fine|tiled|head|whole|withLast)$/.test(id))).toEqual([]);
  for (const id of ids) expect(fine.kernels).toContain(id);
  expect(fine.of).toEqual(plain.of);
});

test('on a card the gradient of a network with one hidden layer is one dispatch, with the same bits however it was made', async () => {
  const changes = { ...PPO, 'policy.mlp.hidden': [20] };
  const [plain, fine] = [await train(changes, 0, card), await train(changes, Infinity, card)];
  for (const { kernels } of [plain, fine]) {
    expect(kernels).toContain('sparseGradient.whole');
    expect(kernels).not.toContain('sliceSum');
  }
  expect(plain.kernels).not.toContain('coefficients.whole');
  expect(fine.kernels).toContain('coefficients.whole');
  expect(fine.of).toEqual(plain.of);
});

const CORRIDOR = {
  ...SMALL,
  'task.grid.level': 'corridor',
  'task.grid.n': 5,
  'task.grid.view': 'index',
  'policy.method': 'tabular',
};

/** Credit of the second replica after an update, and the dispatches of its lists. */
async function creditOn(on: Gpu, method: string) {
  assume(on, { ...tuning, tiled: false, fineUpTo: 0 });
  const added = vi.spyOn(CommandList.prototype, 'add');
  const run = must(await createRun(configWith({ ...CORRIDOR, 'advantage.method': method }), gpuBackendOn(on)));
  const kernels = added.mock.calls.map(([{ id }]) => id);
  added.mockRestore();
  await run.submit();
  // a rejected kernel would leave what is not joined
  expect(on.plainBecause).toBeNull();
  const { A } = await run.backend.view(1);
  run.dispose();
  return { A, kernels };
}

test.each([
  ['gigpo', ['normalizeBy + reverseScan', 'combine + setStats']],
  ['hgpo', ['levelSums + setStats']],
  ['gdpo', ['normalizeBy + segmentStats.few + segmentStats.few + segmentStats.few']],
  ['copo', ['equalShare + normalizeBy', 'mapValues + mapValues']],
  ['mapo', ['setStats + normalizeBy', 'normalizeAnchor + combine']],
  ['igpo', ['threshold + following', 'zipValues + zipValues']],
])(
  'credit whose parts are made side by side where they can be has the bits of one dispatch after the other: %s',
  async (method, joined) => {
    const [apart, together] = [await creditOn(gpu, method), await creditOn(card, method)];
    expect(together.kernels).toEqual(expect.arrayContaining(joined));
    expect(apart.kernels.filter((kernel) => kernel.includes(' + '))).toEqual([]);
    expect(together.A.some((a) => a !== 0)).toBe(true);
    expect(together.A).toEqual(apart.A);
  },
);
