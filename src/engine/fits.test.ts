import { beforeAll, expect, test } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { presetById, presetConfig } from '../config/presets.ts';
import { configWith } from '../config/schema.ts';
import type { TrainState } from '../contract/state.ts';
import { must } from '../core/problem.ts';
import { unfitPart } from './fits.ts';
import { createRun, type Run } from './run.ts';
import { train } from './sampleRun.ts';

let run: Run;
let state: TrainState;

beforeAll(async () => {
  const config = configWith(
    { 'run.seeds': 2, 'run.updates': 4, 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1 },
    presetConfig(presetById('key-door-ppo')!),
  );
  await prepareTask(config);
  run = must(await createRun(config));
  await train(run, 1);
  ({ state } = await run.checkpoint());
});

const withTensor = (name: string, values: TrainState['tensors'][string]): TrainState => ({
  ...state,
  tensors: { ...state.tensors, [name]: values },
});

test('the state of a run fits the run, and so does one with a part that nobody reads or with one missing', () => {
  expect(unfitPart(run.whole, state)).toBeNull();
  expect(unfitPart(run.whole, withTensor('stranger', new Float32Array(3)))).toBeNull();
  expect(unfitPart(run.whole, { ...state, tensors: { theta: state.tensors['theta']! } })).toBeNull();
});

test('every tensor of the run is refused with one number more or less, and with another type', () => {
  const names = Object.keys(state.tensors);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    const { length } = state.tensors[name]!;
    for (const other of [new Float32Array(length + 1), new Float32Array(length - 1), new Uint8Array(length)])
      expect(unfitPart(run.whole, withTensor(name, other)), name).toBe(name);
  }
});
