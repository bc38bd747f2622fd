import { expect, test } from 'vitest';
import { networks } from '../../src/networks/registry.ts';
import { CASES } from './cases.ts';
import { count } from './count.ts';
import { DEVICES } from './devices.ts';
import { stepUs, timeOf, trainedPerS, updateMs } from './estimate.ts';
import { readModelArgs } from './model.ts';
import { chainOf, MEASURED, plus, SHARED, WORLD } from './stepWork.ts';
import { workOf } from './work.ts';

const caseOf = (start: string) => CASES.find(({ name }) => name.startsWith(start))!;
const total = (counted: Awaited<ReturnType<typeof count>>): number =>
  counted.dispatches.reduce((n, { times }) => n + times, 0);

test('an update of the default experiment hands over few dispatches and little else', async () => {
  const counted = await count(caseOf('default'));
  // what a device pays for each time; more of them need a reason
  expect(total(counted)).toBeLessThanOrEqual(21);
  // rollout, credit and steps; what else is copied goes along with them
  expect(counted.submissions).toBe(3);
  expect(counted.writes).toBeLessThanOrEqual(6);
  expect(counted.reads).toBe(1);
  // a step of a batch is shown with its state, its probabilities and what an update has left of it
  expect(counted.viewSubmissions).toBe(1);
  expect(counted.viewBytes).toBeLessThan(120 * counted.rows + 2 * 4 * 31_048);
});

test('PPO with four epochs of four minibatches takes sixteen optimizer steps and no more dispatches than before', async () => {
  const counted = await count(caseOf('PPO 4×4, 64×8'));
  expect(total(counted)).toBeLessThanOrEqual(69);
  const steps = counted.dispatches.filter(({ kernel }) => kernel === 'optimize').reduce((n, { times }) => n + times, 0);
  expect([steps, counted.rows, counted.epochs]).toEqual([16, 16_384, 4]);
});

test.each(networks.filter(({ gpu }) => gpu).map(({ id }) => id))(
  'an optimizer that makes the norm itself has the sums of a way back: %s',
  async (id) => {
    const words = id === 'transformer' ? { 'task.method': 'textmaze' } : {};
    const small = { 'rollout.tasksPerBatch': 2, 'rollout.groupSize': 2, 'advantage.method': 'grpo' };
    const { dispatches } = await count({ name: id, changes: { ...small, ...words, 'policy.method': id } });
    const bound = (name: string): boolean[] =>
      dispatches.filter(({ kernel }) => kernel === name).map((one) => 'sums' in one.bound);
    // of slices, or at once
    const made = [...bound('sliceSum'), ...bound('sparseGradient.whole')];
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(bound('optimize'))).toEqual(new Set(made));
    expect(bound('gradNorm').length > 0).toBe(!bound('optimize')[0]);
  },
);

test('a dispatch takes its launch and the longest of what it does', () => {
  const [device] = DEVICES as [(typeof DEVICES)[number]];
  const one = { kernel: 'combine', groups: [1, 1, 1], lanes: 64, bound: { x: 0 }, dims: {}, times: 1 } as const;
  expect(timeOf(device, one)).toEqual({ us: device.dispatchUs, on: 'launch' });
  // 64 lanes that each read a thousand numbers, one after the other
  const walked = timeOf(device, { ...one, bound: { x: 4 * 64 * 1000 } });
  expect(walked.on).toBe('one invocation');
  expect(walked.us).toBeCloseTo(device.dispatchUs + device.laneLoadNs, 6);
  // a whole buffer by as many lanes as it has numbers: memory is what takes time
  const wide = timeOf(device, { ...one, groups: [2 ** 20, 1, 1], bound: { x: 4 * 64 * 2 ** 20 } });
  expect(wide).toEqual({ us: device.dispatchUs + (4 * 64 * 2 ** 20) / device.gigabytesPerS / 1e3, on: 'bytes' });
});

test('steps of an episode take what they took on an H200, in the kernels of that day', () => {
  const h200 = DEVICES.find(({ name }) => name === 'H200')!;
  const [first, ...others] = MEASURED.map((one) => (30 * stepUs(h200, one)) / 1e3 / one.ms);
  expect(first).toBeCloseTo(1, 2);
  for (const quotient of others) expect(Math.abs(quotient! - 1)).toBeLessThan(0.1);
});

test('a rollout of eight episodes in a workgroup takes its steps, network included', async () => {
  const { dispatches } = await count(caseOf('GRPO, 16×8, T 30'));
  const rollout = dispatches.find(({ kernel }) => kernel === 'sharedRollout')!;
  const { reads, operations } = workOf(rollout).steps!;
  const want = plus(WORLD.shared, chainOf(SHARED, 64, 1));
  expect(reads / 30 / want.reads).toBeCloseTo(1, 2);
  expect(operations / 30 / want.operations).toBeCloseTo(1, 2);
});

test('an update takes its dispatches, its submissions and the reports that nothing overlaps', () => {
  const [device] = DEVICES as [(typeof DEVICES)[number]];
  const one = { kernel: 'combine', groups: [1, 1, 1], lanes: 64, bound: {}, dims: {}, times: 10 } as const;
  const traffic = {
    copies: 0,
    copiedBytes: 0,
    writes: 0,
    writtenBytes: 0,
    readBytes: 0,
    viewBytes: 0,
    viewSubmissions: 0,
  };
  const counted = {
    ...traffic,
    name: '',
    dispatches: [one],
    rows: 1000,
    epochs: 2,
    submissions: 3,
    reads: 1,
    depth: 2,
  };
  const ms = (10 * device.dispatchUs + 3 * device.submitUs) / 1e3;
  expect(updateMs(device, counted)).toBeCloseTo(ms, 9);
  expect(updateMs(device, { ...counted, depth: 1 })).toBeCloseTo(ms + device.readBackUs / 1e3, 9);
  expect(trainedPerS(counted, 2)).toBe(1);
});

test('words of the command line are read or refused with a sentence', () => {
  expect(readModelArgs(['--before', 'HEAD~1', '--shares'])).toEqual({
    ...{ before: 'HEAD~1', json: null, kernels: null, shares: true },
  });
  expect(readModelArgs(['--after'])).toMatch(/There is no option --after/);
  expect(readModelArgs(['--json'])).toBe('The option --json needs a value.');
});
