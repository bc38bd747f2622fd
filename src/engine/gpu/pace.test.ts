import { expect, test, vi } from 'vitest';
import type { CommandList } from '../../gpu/recorder.ts';
import type { Gpu } from '../../gpu/device.ts';
import { Pace, paceOf } from './pace.ts';
import { Sequence } from './tokenSequence.ts';

/** A list of `length` dispatches that writes down what of it is encoded. */
function listOf(name: string, length: number): CommandList {
  const encode = (encoder: unknown, from = 0, to = length): void => {
    for (let k = from; k < to; k++) (encoder as string[]).push(`${name}${k}`);
  };
  const cut = (k: number, pieces: number) =>
    Array.from({ length: pieces }, (_, p) => (encoder: unknown) => (encoder as string[]).push(`${name}${k}/${p}`));
  return { length, encode, cut, nameOf: (k: number) => `${name}${k}` } as unknown as CommandList;
}

/** A device whose submissions are lists of names, each of which takes a given time on a clock that is turned by hand. */
function deviceOf(msOf: (names: readonly string[]) => number) {
  const submitted: string[][] = [];
  let busy: Promise<void> = Promise.resolve();
  const queue = {
    submit([names]: string[][]) {
      submitted.push([...names!]);
      busy = busy.then(() => new Promise((done) => setTimeout(done, msOf(names!))));
    },
    onSubmittedWorkDone: () => busy,
  };
  const createCommandEncoder = (): string[] => {
    const names: string[] = [];
    return Object.assign(names, { finish: () => names });
  };
  return { device: { queue, createCommandEncoder } as unknown as GPUDevice, submitted };
}

test('lists are handed over in order and in bounded pieces, cut inside a list where need be', () => {
  const { device, submitted } = deviceOf(() => 0);
  const pace = new Pace();
  pace.dispatches = 4;
  const sequence = new Sequence(pace);
  sequence.add(listOf('a', 3));
  sequence.add(listOf('b', 2), 3);
  expect(sequence.length).toBe(9);
  sequence.submit(device, 'test');
  expect(submitted).toEqual([['a0', 'a1', 'a2', 'b0'], ['b1', 'b0', 'b1', 'b0'], ['b1']]);
});

test('steps come in the size of the pace, one submission each; what stands around them joins the first and the last', () => {
  const { device, submitted } = deviceOf(() => 0);
  const pace = new Pace();
  const sequence = new Sequence(pace);
  sequence.add(listOf('start', 1));
  sequence.addSteps(10, [
    { steps: -1, lists: [listOf('left', 1), listOf('right', 1)] },
    { steps: 0, lists: [listOf('one', 1)] },
    { steps: 3, lists: [listOf('eight', 1)] },
    { steps: 4, lists: [listOf('all', 1)] },
  ]);
  sequence.add(listOf('finish', 1));
  const names = (steps: number): string[] => {
    submitted.length = 0;
    pace.steps = steps;
    sequence.submit(device, 'test');
    return submitted.map((group) => group.join(' '));
  };
  expect(names(3)).toEqual(['start0 eight0', 'eight0 finish0']);
  expect(names(9)).toEqual(['start0 all0 finish0']);
  expect(names(2)).toHaveLength(10);
  expect(names(-1)).toHaveLength(20);
  expect(names(-3).slice(0, 2), 'no smaller pieces were recorded').toEqual(['start0 left0', 'right0']);
});

test('short submissions grow, long ones shrink, and the length of a submission settles between', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const { device, submitted } = deviceOf((names) => 3 * names.length);
  const pace = new Pace();
  pace.dispatches = 32;
  const sequence = new Sequence(pace);
  sequence.add(listOf('a', 40));
  const sizes: number[] = [];
  for (let k = 0; k < 5; k++) {
    sequence.submit(device, 'test');
    await vi.advanceTimersByTimeAsync(1000);
    sizes.push(pace.dispatches);
  }
  // 32 dispatches take 96 ms, 16 take 48, 8 take 24
  expect(sizes).toEqual([16, 8, 8, 8, 8]);
  expect(pace.longest).toBeCloseTo(24, 6);
  expect(submitted.at(-1)).toHaveLength(8);
  vi.useRealTimers();
});

test('a dispatch that is too long by itself is cut into submissions; the others stay together', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  const ms = (name: string): number => (name === 'a1' ? 100 : name.startsWith('a1/') ? 25 : 1);
  const { device, submitted } = deviceOf((names) => names.reduce((sum, name) => sum + ms(name), 0));
  const pace = new Pace();
  const sequence = new Sequence(pace);
  sequence.add(listOf('a', 4));
  for (let k = 0; k < 12; k++) {
    submitted.length = 0;
    sequence.submit(device, 'test');
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect([...pace.cuts]).toEqual([['a1', 4]]);
  expect(submitted).toEqual([['a0'], ['a1/0'], ['a1/1'], ['a1/2'], ['a1/3'], ['a2', 'a3']]);
  vi.useRealTimers();
});

test('the pace of a piece of work is kept for the next run on the device', () => {
  const gpu = {} as Gpu;
  paceOf(gpu, 'rollout').steps = 6;
  expect(paceOf(gpu, 'rollout').steps).toBe(6);
  expect(paceOf(gpu, 'optimize').steps).not.toBe(6);
  expect(paceOf({} as Gpu, 'rollout').steps).not.toBe(6);
});
