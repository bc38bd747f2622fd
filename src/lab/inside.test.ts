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

const LOOKS_BACK = {
  ...{ 'policy.method': 'gtrxl', 'policy.gtrxl.width': 8, 'policy.gtrxl.hidden': 8, 'policy.gtrxl.layers': 1 },
  ...{ 'policy.gtrxl.memory': 4, 'policy.gtrxl.segment': 2 },
};

test('in a T-maze the cue is in view where the niche is: beside the start, and no longer from the third cell on', async () => {
  const maze = { 'task.grid.level': 'tMaze', 'task.grid.n': 6, 'task.grid.view': 'ego', 'task.grid.window': 3 };
  const { found, view, run } = await inside({ ...LOOKS_BACK, ...maze, 'task.levels': 0 }, 0, 5);
  const { cues, words } = found as WordInside;
  const { env } = run.plan;
  const level = run.plan.level(view.levelSeeds[0]!);
  const near = words.flatMap((word, k) => {
    const { agent, width } = env.scene(level, view.state, (Number(word.slice(5)) - 1) * env.words);
    return agent.cell % width <= 1 ? [k] : [];
  });
  expect(near.length).toBeGreaterThan(0);
  expect(cues).toEqual(near);
  run.dispose();
});

test('in a chain the cue is the step in which a color is found; where all is in view, there is none', async () => {
  const chain = {
    ...{ 'task.grid.level': 'corridor', 'task.grid.n': 1, 'task.grid.maxSteps': 12, 'task.grid.maskActions': true },
    ...{ 'task.levelRow.on': true, 'task.levelRow.carries': true, 'task.levelRow.shown': 'once' },
  };
  const { found, view, run } = await inside({ ...LOOKS_BACK, ...chain }, 0, 3);
  const { cues, words } = found as WordInside;
  // one step to the right leads into the second level, where the color is found
  expect(cues!.map((k) => words[k])).toEqual(['step 2']);
  // at the end of a long episode the step is further back than the network looks
  const { length } = view.batch;
  const i = length.indexOf(Math.max(...length));
  const last = insideOf(run.plan, view, { update: 1, replica: 0, i, t: length[i]! - 1 }) as WordInside;
  expect(last.cues).toEqual(Number(last.words[0]!.slice(5)) > 2 ? [] : [2 - Number(last.words[0]!.slice(5))]);
  run.dispose();
  const plain = await inside(LOOKS_BACK, 0, 2);
  expect((plain.found as WordInside).cues).toBeNull();
  plain.run.dispose();
});
