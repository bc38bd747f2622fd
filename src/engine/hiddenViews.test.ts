import { beforeAll, describe, expect, test } from 'vitest';
import { networkIssues } from '../config/networkRules.ts';
import { configWith } from '../config/schema.ts';
import { thetaOf } from '../contract/state.ts';
import { must } from '../core/problem.ts';
import { networkOf, prepareNetwork } from '../networks/policy.ts';
import { makeArrays } from './arrays.ts';
import { askAbout } from './cpu/asking.ts';
import { makeCpuPolicy } from './cpu/policy.ts';
import { rolloutReplica } from './cpu/rollout.ts';
import { makePlan, makeTasks } from './plan.ts';
import { initialState } from './state.ts';

// policies are made here without a run
beforeAll(async () => {
  for (const id of ['gru', 'gtrxl', 'memo']) await prepareNetwork(networkOf(id));
});

const NETWORKS: readonly (readonly [string, object])[] = [
  ['GRU', { 'policy.method': 'gru', 'policy.gru.hidden': 8 }],
  ['GTrXL', { 'policy.method': 'gtrxl', 'policy.gtrxl.width': 8, 'policy.gtrxl.memory': 4, 'policy.gtrxl.segment': 4 }],
  ['Memo', { 'policy.method': 'memo', 'policy.memo.width': 8, 'policy.memo.segment': 4 }],
];
const HIDDEN: readonly (readonly [string, object])[] = [
  ['a window', { 'task.grid.view': 'ego', 'task.grid.window': 3 }],
  ['the light goes out', { 'task.seenSteps': 2 }],
  ['text without a map', { 'task.method': 'textmaze', 'task.textmaze.rooms': 4, 'task.textmaze.maxSteps': 12 }],
];
const SMALL = {
  'objective.entropyCoef': 0.1,
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'task.grid.maxSteps': 12,
};

const hintsOf = (changes: object): string[] =>
  networkIssues(configWith({ ...SMALL, ...changes }))
    .map(({ message }) => message)
    .filter((message) => message.includes('expect no gain'));

describe.each(NETWORKS)('%s', (_name, network) => {
  test.each(HIDDEN)('%s: what was played is what is learned from, and the form expects a gain', (_view, view) => {
    const changes = { ...SMALL, ...network, ...view };
    expect(hintsOf(changes)).toEqual([]);
    const plan = must(makePlan(configWith(changes)));
    const [arrays, policy, asked] = [makeArrays(plan), makeCpuPolicy(plan), makeCpuPolicy(plan)];
    const theta = thetaOf(initialState(plan));
    const tasks = makeTasks(plan, 1, 'train');
    expect(rolloutReplica(plan, arrays, { policy, theta: () => theta, tasks, mode: 'train' }, 0)).toBe(true);
    const out = new Float64Array(arrays.logp.length);
    askAbout(plan, { arrays, theta, s: 0, step: new Int32Array(policy.chunk) }, (asking) =>
      asked.unitLogProbs(asking, out),
    );
    const steps = [...arrays.logp.keys()].filter((k) => arrays.logp[k] !== 0);
    // beyond one segment
    expect(steps.length).toBeGreaterThan(40);
    for (const k of steps) expect(Math.abs(out[k]! - arrays.logp[k]!)).toBeLessThan(1e-5);
  });

  test('where everything is in view the form expects no gain', () => {
    expect(hintsOf({ ...network, 'task.grid.view': 'planes' })).toHaveLength(1);
  });
});
