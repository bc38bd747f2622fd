import { thetaOf } from '../../contract/state.ts';
import { beforeAll, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { must } from '../../core/problem.ts';
import type { ScoreLayers } from '../../slots/types.ts';
import { makeArrays } from '../arrays.ts';
import { makePlan, makeTasks, type Plan } from '../plan.ts';
import { sampleRun, train } from '../sampleRun.ts';
import { initialState } from '../state.ts';
import { makeCpuPolicy } from './policy.ts';
import { rolloutReplica } from './rollout.ts';
import { networkOf, prepareNetwork } from '../../networks/policy.ts';

// policies are made here without a run
beforeAll(async () => void (await prepareNetwork(networkOf('transformer'))));

const small = {
  ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 4, 'run.seeds': 1, 'task.grid.maxSteps': 20 },
  ...{ 'rollout.temperature': 0.7, 'run.backend': 'cpu' },
};
const words = {
  ...{ 'policy.method': 'transformer', 'policy.transformer.width': 8, 'policy.transformer.layers': 1 },
  'task.method': 'textmaze',
};

/** Gradient of Σ log π over the first steps of an episode, by all parameters and by those of the last layer. */
function scores(plan: Plan, theta: Float32Array): Record<ScoreLayers, Float32Array> {
  const [arrays, policy] = [makeArrays(plan), makeCpuPolicy(plan)];
  rolloutReplica(plan, arrays, { policy, theta, tasks: makeTasks(plan, 0, 'train'), mode: 'train' }, 0);
  const step = Int32Array.from({ length: Math.min(5, arrays.length[1]!, policy.chunk) }, (_, t) => plan.T + t);
  const of = (layers: ScoreLayers): Float32Array => {
    const gradient = new Float32Array(theta.length);
    const slope = new Float64Array(step.length).fill(1);
    policy.addLogpGradient({ arrays, theta, s: 0, step, n: step.length }, slope, gradient, layers);
    return gradient;
  };
  return { all: of('all'), last: of('last') };
}

const planOf = (changes: Record<string, unknown>): Plan => must(makePlan(configWith({ ...small, ...changes })));
const squares = (x: Float32Array): number => x.reduce((sum, g) => sum + g * g, 0);

test.each([
  ['an MLP', { 'policy.mlp.hidden': [13, 9], 'advantage.method': 'gae' }, /^[Wb]3$/],
  ['a transformer', words, /^out/],
])('the last layer of %s has the part of the whole score that belongs to it, and no other', (_, changes, names) => {
  const plan = planOf(changes);
  const { all, last } = scores(plan, thetaOf(initialState(plan)));
  const own = plan.layout.tensors.filter(({ name }) => names.test(name));
  expect(own.length).toBe(2);
  const want = new Float32Array(all.length);
  for (const { offset, rows, cols } of own) want.set(all.subarray(offset, offset + rows * cols), offset);
  expect(last).toEqual(want);
  expect(squares(last)).toBeGreaterThan(0.01);
  expect(squares(all)).toBeGreaterThan(squares(last));
});

test('word vectors that also write words count as the last layer only by what they write', () => {
  const tied = planOf({ ...words, 'policy.transformer.tied': true });
  const free = planOf(words);
  const theta = thetaOf(initialState(tied));
  const at = (plan: Plan, name: string) => plan.layout.tensors.find((t) => t.name === name)!;
  // the same policy with an output matrix of its own
  const twin = new Float32Array(free.layout.size);
  const scale = 1 / Math.sqrt(8);
  for (const { name, offset, rows, cols } of free.layout.tensors) {
    const from = at(tied, name === 'out' ? 'E' : name).offset;
    twin.set(
      theta.subarray(from, from + rows * cols).map((x) => (name === 'out' ? scale * x : x)),
      offset,
    );
  }
  const [mine, theirs] = [scores(tied, theta).last, scores(free, twin).last];
  const { offset, rows, cols } = at(free, 'out');
  for (let k = 0; k < rows * cols; k++)
    expect(mine[at(tied, 'E').offset + k]).toBeCloseTo(scale * theirs[offset + k]!, 5);
  const bias = squares(theirs.subarray(at(free, 'outbias').offset, at(free, 'outbias').offset + rows));
  expect(squares(mine)).toBeCloseTo(scale * scale * (squares(theirs) - bias) + bias, 4);
});

const vcpo = { ...small, 'objective.method': 'vcpo', 'rollout.staleness': 2, 'reward.grid.step': -7 };

async function thetaAfter(changes: Record<string, unknown>): Promise<Float32Array> {
  const run = await sampleRun({ ...vcpo, ...changes });
  await train(run, 3);
  return thetaOf(await run.backend.save());
}

test('a table is its own last layer: VCPO trains it to the same bits; an MLP to others, and not to those of equal lengths', async () => {
  const of = (kind: Record<string, unknown>, scoreNorm: string) =>
    thetaAfter({ ...kind, 'objective.vcpo.scoreNorm': scoreNorm });
  const table = { 'policy.method': 'tabular' };
  expect(await of(table, 'lastLayer')).toEqual(await of(table, 'exact'));
  const mlp = { 'policy.mlp.hidden': [8] };
  const last = await of(mlp, 'lastLayer');
  expect(last).not.toEqual(await of(mlp, 'exact'));
  expect(last).not.toEqual(await of(mlp, 'unit'));
});
