import { expect, test } from 'vitest';
import type { DenseInside, WordInside } from './inside.ts';
import { insideOf } from './inside.ts';
import { sampleRun, train } from '../engine/sampleRun.ts';

const small = { 'run.seeds': 1, 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 2, 'run.updates': 2 };

/** π of logits at the temperature 1. */
function softmax(logits: Float32Array): number[] {
  const top = Math.max(...logits);
  const e = Array.from(logits, (z) => Math.exp(z - top));
  const sum = e.reduce((a, b) => a + b, 0);
  return e.map((x) => x / sum);
}

async function inside(changes: Record<string, unknown>, i = 1, t = 2) {
  const run = await sampleRun({ ...small, ...changes });
  await train(run, 2);
  const digest = (await run.digest()).all;
  const view = await run.backend.view(0);
  const found = insideOf(run.plan, view, { update: 1, replica: 0, i, t });
  expect((await run.digest()).all, 'nothing of the run moves').toBe(digest);
  return { run, view, found };
}

test('the logits at the end of the layers are those that the step was sampled from', async () => {
  const { found } = await inside({ 'policy.mlp.hidden': [12, 8] });
  const { layers, probs, on, tensors } = found as DenseInside;
  expect(layers.map((x) => x.length)).toEqual([12, 8, 4]);
  softmax(layers[2]!).forEach((p, a) => expect(probs[a]).toBeCloseTo(p, 5));
  // the first unit by hand: the weights of what is on, and the bias
  const [W, b] = tensors!;
  const z = [...on].reduce((sum, f) => sum + W!.values[f * 12]!, b!.values[0]!);
  expect(layers[0]![0]).toBeCloseTo(Math.tanh(z), 5);
});

test('a table is one layer, and the row of the state is its logits', async () => {
  const { found } = await inside({ 'policy.method': 'tabular' });
  const { isTable, layers, on, tensors, probs } = found as DenseInside;
  expect([isTable, layers.length, on.length, tensors!.length]).toEqual([true, 1, 1, 1]);
  const row = tensors![0]!.values.subarray(on[0]! * 4, on[0]! * 4 + 4);
  expect([...layers[0]!]).toEqual([...row]);
  softmax(row).forEach((p, a) => expect(probs[a]).toBeCloseTo(p, 5));
});

test('every head of a transformer spreads its attention over the words that it reads', async () => {
  const { found, run } = await inside({
    'task.method': 'textmaze',
    'policy.method': 'transformer',
    'policy.transformer.width': 16,
    'policy.transformer.heads': '2',
    'policy.transformer.layers': 2,
    'policy.transformer.hidden': 16,
  });
  const { words, layers, heads, attention } = found as WordInside;
  expect([layers, heads, attention.length]).toEqual([2, 2, 4 * words.length]);
  expect(words.length).toBeGreaterThan(5);
  expect(words.every((word) => word !== '?' && word !== '')).toBe(true);
  for (let k = 0; k < 4; k++) {
    const shares = attention.subarray(k * words.length, (k + 1) * words.length);
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0);
    expect(shares.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 4);
  }
  expect(found.kind).toBe('words');
  expect(run.plan.policy.words).not.toBeNull();
});

test('of a network that nobody draws there are still the weights and the choice', async () => {
  const { found, run } = await inside({ 'policy.method': 'gru' });
  expect(found.kind).toBe('plain');
  expect(found.tensors!.map(({ name }) => name)).toEqual(run.plan.layout.tensors.map(({ name }) => name));
  expect(found.probs.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 5);
});

test('a step beyond the end of its episode is its last one', async () => {
  const { found, view } = await inside({ 'policy.method': 'tabular' }, 99, 999);
  expect([found.i, found.t]).toEqual([3, view.batch.length[3]! - 1]);
});

test('a network that looks back at steps says at which: those of its memory and segment, this one last', async () => {
  const gtrxl = {
    ...{ 'policy.method': 'gtrxl', 'policy.gtrxl.width': 8, 'policy.gtrxl.hidden': 8, 'policy.gtrxl.layers': 2 },
    ...{ 'policy.gtrxl.memory': 2, 'policy.gtrxl.segment': 3 },
  };
  // step 6 is the first of its segment: two steps of memory, and itself
  for (const [t, steps] of [
    [0, ['step 1']],
    [2, ['step 1', 'step 2', 'step 3']],
    [6, ['step 5', 'step 6', 'step 7']],
    [7, ['step 5', 'step 6', 'step 7', 'step 8']],
  ] as const) {
    const { found, run } = await inside(gtrxl, 1, t);
    const { kind, words, layers, heads, attention } = found as WordInside;
    expect([kind, layers, heads, words]).toEqual(['steps', 2, 2, steps]);
    for (let k = 0; k < layers * heads; k++) {
      const shares = attention.subarray(k * words.length, (k + 1) * words.length);
      expect(shares.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 5);
      expect(Math.min(...shares)).toBeGreaterThan(0);
    }
    run.dispose();
  }
});
