import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HIDDEN_MS, VISIBLE_MS, type Gpu } from '../../gpu/device.ts';
import {
  FakeDevice,
  fakeKernel,
  latencyBound,
  throughputBound,
  type Cost,
  type FakeOptions,
} from '../../gpu/fixtures/fakeDevice.ts';
import { VirtualClock } from '../../gpu/fixtures/virtualClock.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { ROOM } from './bounds.ts';
import { paceOf } from './pace.ts';
import { Sequence, type StepSize } from './tokenSequence.ts';

let clock: VirtualClock;
beforeEach(() => void (clock = new VirtualClock()));
afterEach(() => void vi.unstubAllGlobals());

const GROUPS = 1024;

async function listOf(gpu: Gpu, kernels: readonly string[], groups = GROUPS): Promise<CommandList> {
  const list = new CommandList(gpu, 'test');
  for (const id of kernels) await list.add(fakeKernel(id), {}, {}, [groups]);
  return list;
}

/** A device with one sequence on it. */
async function deviceWith(
  options: FakeOptions,
  fill: (sequence: Sequence, gpu: Gpu) => Promise<void>,
  frameMs = VISIBLE_MS,
) {
  const fake = new FakeDevice(clock, options);
  fake.gpu.isHidden = frameMs === HIDDEN_MS;
  const sequence = new Sequence(paceOf(fake.gpu, 'work'));
  await fill(sequence, fake.gpu);
  await clock.run();
  /** What one use hands over; the device is done with it and has told so. */
  const once = async () => {
    fake.handed.length = 0;
    sequence.submit(fake.gpu.device, 'test');
    await clock.run();
    return [...fake.handed];
  };
  /** So many uses, of the last the submissions. */
  const uses = async (n: number) => {
    for (let k = 1; k < n; k++) await once();
    return once();
  };
  return { fake, sequence, once, uses };
}

const shape = (handed: Awaited<ReturnType<Awaited<ReturnType<typeof deviceWith>>['once']>>): string =>
  handed.map(({ dispatches }) => dispatches.join(' ')).join(' | ');
const longestOf = (handed: readonly { ms: number }[]): number => Math.max(...handed.map(({ ms }) => ms));
const totalOf = (handed: readonly { ms: number }[]): number => handed.reduce((sum, { ms }) => sum + ms, 0);

/** Uses until everything has its size, whatever the device. */
const SETTLED = 16;

/** Kernels of an update: long ones between many that take next to nothing. */
const UPDATE = [...Array<string>(20).fill('tiny'), 'long', ...Array<string>(15).fill('tiny'), 'long', 'tiny'];

const DEVICES = {
  phone: { latencyMs: 4, overlaps: false },
  laptop: { latencyMs: 1, overlaps: true },
  H200: { latencyMs: 0.1, overlaps: true },
} as const;

for (const [device, options] of Object.entries(DEVICES))
  for (const ms of [2, 6, 40])
    for (const frameMs of [VISIBLE_MS, HIDDEN_MS])
      for (const [bound, cost] of [
        ['latency', latencyBound(ms)],
        ['throughput', throughputBound(ms, GROUPS)],
      ] as const)
        test(`${device}: kernels of ${ms} ms bound by ${bound} in a frame of ${frameMs} ms`, async () => {
          const costs: Record<string, Cost> = { tiny: () => 0.05, long: cost };
          const { once, uses } = await deviceWith(
            { ...options, costs },
            async (sequence, gpu) => {
              await fillWith(sequence, gpu, UPDATE);
            },
            frameMs,
          );
          const settled = await uses(SETTLED);
          const canBeShort = bound === 'throughput' || ms <= frameMs;
          if (canBeShort) expect(longestOf(settled)).toBeLessThanOrEqual(frameMs);
          else
            expect(settled.filter((one) => one.ms > frameMs).map((one) => one.dispatches)).toEqual([
              [`long ${GROUPS}`],
              [`long ${GROUPS}`],
            ]);
          // two neighbors of a submission would not fit into a frame, so there are at most so many
          const overhead = options.overlaps ? 0 : options.latencyMs * settled.length;
          expect(settled.length).toBeLessThanOrEqual(
            Math.ceil((2 * (totalOf(settled) + overhead)) / (ROOM * frameMs)) + 1,
          );
          for (let k = 0; k < 36; k++) expect(shape(await once())).toBe(shape(settled));
        });

async function fillWith(sequence: Sequence, gpu: Gpu, kernels: readonly string[]): Promise<void> {
  const list = await listOf(gpu, kernels);
  sequence.add(list);
}

test('lists are handed over in order, sixteen dispatches at once before anything was measured', async () => {
  const { once } = await deviceWith({ costs: {} }, async (sequence, gpu) => {
    sequence.add(await listOf(gpu, Array<string>(10).fill('a')));
    sequence.add(await listOf(gpu, ['b', 'c', 'd'], 2), 3);
  });
  const handed = await once();
  expect(handed.map(({ dispatches }) => dispatches.length)).toEqual([16, 3]);
  const names = handed.flatMap(({ dispatches }) => dispatches.map((one) => one[0]));
  expect(names.join('')).toBe('aaaaaaaaaabcdbcdbcd');
  expect((await once()).length, 'all of it took no time').toBe(1);
});

/** A rollout whose steps are recorded in sizes from 1/8 of the trajectories to all steps. */
const rollout =
  (T: number) =>
  async (sequence: Sequence, gpu: Gpu): Promise<void> => {
    sequence.add(await listOf(gpu, ['start']));
    const sizes: StepSize[] = [];
    for (let steps = -3; steps === -3 || 2 ** (steps - 1) < T; steps++) {
      const pieces = 2 ** Math.max(0, -steps);
      const lists = Array.from({ length: pieces }, () => listOf(gpu, [`play${Math.max(0, steps)}`], GROUPS / pieces));
      sizes.push({ steps, lists: await Promise.all(lists) });
    }
    sequence.addSteps(T, sizes);
    sequence.add(await listOf(gpu, ['finish']));
  };
const steps = (cost: (steps: number) => Cost): Record<string, Cost> =>
  Object.fromEntries([0, 1, 2, 3, 4, 5, 6, 7].map((k) => [`play${k}`, cost(2 ** k)]));

test.each([
  [0.01, 1, 128],
  [1, 16, 8],
  [9, 100, 1],
])(
  'a rollout of 100 steps of %d ms each comes in %d submissions of at most %d steps',
  async (ms, submissions, most) => {
    const costs = steps((n) => throughputBound(n * ms, GROUPS));
    const { uses, once } = await deviceWith({ costs }, rollout(100));
    const settled = await uses(SETTLED);
    expect(longestOf(settled)).toBeLessThanOrEqual(VISIBLE_MS);
    expect(shape(settled)).toContain(`play${Math.log2(most)} ${GROUPS}`);
    expect(settled.length).toBeLessThanOrEqual(submissions + 2);
    for (let k = 0; k < 40; k++) expect(shape(await once())).toBe(shape(settled));
  },
);

test('one step that is too long is divided among trajectories only where that makes it shorter', async () => {
  const full = steps((n) => throughputBound(n * 40, GROUPS));
  const waiting = steps((n) => latencyBound(n * 40));
  const { fake, uses } = await deviceWith({ costs: waiting }, rollout(4));
  expect((await uses(SETTLED)).filter(({ ms }) => ms > 0).map(({ ms }) => ms)).toEqual([40, 40, 40, 40]);
  fake.costs = full;
  fake.speed = 1 / 2;
  const divided = await uses(32 + SETTLED);
  expect(longestOf(divided)).toBeLessThanOrEqual(VISIBLE_MS);
  expect(divided.filter(({ dispatches }) => dispatches.includes(`play0 ${GROUPS / 8}`))).toHaveLength(32);
});

test('a device that gets slower or quicker is followed, down and up again', async () => {
  const costs = { long: throughputBound(10, GROUPS), tiny: () => 0.2 };
  const { fake, once, uses } = await deviceWith({ costs, latencyMs: 0.5 }, (s, gpu) => fillWith(s, gpu, UPDATE));
  const before = await uses(SETTLED);
  // one use in 32 is measured once it has settled
  fake.speed = 1 / 8;
  const slow = await uses(32 + SETTLED);
  expect(longestOf(slow)).toBeLessThanOrEqual(VISIBLE_MS);
  expect(slow.length).toBeGreaterThan(before.length);
  fake.speed = 4;
  const quick = await uses(32 + SETTLED);
  expect(quick.length).toBeLessThan(before.length);
  fake.speed = 1;
  expect(longestOf(await uses(32 + SETTLED))).toBeLessThanOrEqual(VISIBLE_MS);
  const again = shape(await once());
  for (let k = 0; k < 40; k++) expect(shape(await once())).toBe(again);
});

test('a kernel that only waited, and then fills the device, is cut after all', async () => {
  const { fake, uses } = await deviceWith({ costs: { long: latencyBound(40) } }, (s, gpu) =>
    fillWith(s, gpu, ['long', 'tiny']),
  );
  expect(longestOf(await uses(SETTLED))).toBe(40);
  fake.costs = { long: throughputBound(80, GROUPS) };
  expect(longestOf(await uses(32 + SETTLED))).toBeLessThanOrEqual(VISIBLE_MS);
});

test('a page that nobody looks at gives the device more at once, and less as soon as somebody does', async () => {
  const { fake, uses } = await deviceWith({ costs: { long: throughputBound(100, GROUPS) } }, (s, gpu) =>
    fillWith(s, gpu, ['long', 'long', 'tiny']),
  );
  const seen = await uses(SETTLED);
  fake.gpu.isHidden = true;
  const hidden = await uses(SETTLED);
  expect(hidden.length).toBeLessThan(seen.length / 2 + 1);
  expect(longestOf(hidden)).toBeLessThanOrEqual(HIDDEN_MS);
  fake.gpu.isHidden = false;
  expect(longestOf(await uses(SETTLED))).toBeLessThanOrEqual(VISIBLE_MS);
});

test.each([2, 6, 40])('a clock that tells every 100 ms teaches nothing about kernels of %d ms', async (ms) => {
  const costs = { tiny: () => 0.05, long: throughputBound(ms, GROUPS) };
  const { once } = await deviceWith({ costs, grainMs: 100, latencyMs: 1 }, (s, gpu) => fillWith(s, gpu, UPDATE));
  const first = shape(await once());
  for (let k = 0; k < 80; k++) expect(shape(await once())).toBe(first);
});

test('under such a clock a dispatch that is too long for certain is cut', async () => {
  const costs = { long: throughputBound(1000, GROUPS) };
  const { uses } = await deviceWith({ costs, grainMs: 100 }, (s, gpu) => fillWith(s, gpu, ['long']));
  expect(longestOf(await uses(SETTLED))).toBeLessThan(250);
});

test('where every submission costs a fixed time, many small ones are no way out', async () => {
  const { uses, once } = await deviceWith({ costs: { a: () => 0.1 }, latencyMs: 15, overlaps: false }, (s, gpu) =>
    fillWith(s, gpu, Array<string>(64).fill('a')),
  );
  const settled = await uses(SETTLED);
  expect(settled.length).toBeLessThanOrEqual(4);
  for (let k = 0; k < 40; k++) expect(shape(await once())).toBe(shape(settled));
});

test('one odd measurement changes nothing', async () => {
  const costs = { long: throughputBound(6, GROUPS) };
  const { fake, sequence, uses, once } = await deviceWith({ costs }, (s, gpu) => fillWith(s, gpu, UPDATE));
  const settled = shape(await uses(SETTLED));
  const before = sequence.pace.longest!;
  fake.speed = 1 / 20;
  while (sequence.pace.longest === before) expect(shape(await once())).toBe(settled);
  fake.speed = 1;
  for (let k = 0; k < 40; k++) expect(shape(await once())).toBe(settled);
});

test('submissions that run beside each other and are too long as one are apart for good', async () => {
  const costs = { long: latencyBound(8.5) };
  const { once, uses } = await deviceWith({ costs, besideMs: 4 }, (s, gpu) =>
    fillWith(s, gpu, Array<string>(8).fill('long')),
  );
  const settled = await uses(SETTLED);
  expect(settled).toHaveLength(8);
  for (let k = 0; k < 40; k++) expect(shape(await once())).toBe(shape(settled));
});

test('uses that follow before the device is done are not taken for parts of the one that is measured', async () => {
  const costs = { long: throughputBound(30, GROUPS) };
  const { fake, sequence, uses } = await deviceWith({ costs }, (s, gpu) => fillWith(s, gpu, ['long', 'tiny', 'long']));
  const settled = await uses(SETTLED);
  const twice = new FakeDevice(clock, { costs });
  twice.gpu.isHidden = false;
  const other = new Sequence(paceOf(twice.gpu, 'work'));
  await fillWith(other, twice.gpu, ['long', 'tiny', 'long']);
  for (let k = 0; k < SETTLED; k++) {
    twice.handed.length = 0;
    for (let again = 0; again < 3; again++) other.submit(twice.gpu.device, 'test');
    await clock.run();
  }
  expect(shape(twice.handed.slice(0, settled.length))).toBe(shape(settled));
  expect(sequence.pace.longest).toBe(other.pace.longest);
  expect(fake.handed).toHaveLength(settled.length);
});

test.each([1, 30])(
  'what goes along is in the first submission and in the last, with dispatches of %i ms',
  async (ms) => {
    const costs = { long: throughputBound(ms, GROUPS) };
    const { fake, sequence, uses } = await deviceWith({ costs }, (s, gpu) =>
      fillWith(s, gpu, ['long', 'tiny', 'long']),
    );
    const settled = await uses(SETTLED);
    const [first, last] = await Promise.all(['first', 'last'].map((id) => listOf(fake.gpu, [id], 1)));
    fake.handed.length = 0;
    const before = fake.gpu.device.createCommandEncoder();
    first!.encode(before);
    sequence.submit(fake.gpu.device, 'test', { before, after: (encoder) => last!.encode(encoder) });
    await clock.run();
    expect(shape(fake.handed)).toBe(`first 1 ${shape(settled)} last 1`);
  },
);

test('the pace of a piece of work is kept for the next run on the device', () => {
  const [a, b] = [new FakeDevice(clock, { costs: {} }).gpu, new FakeDevice(clock, { costs: {} }).gpu];
  paceOf(a, 'rollout').steps.power = 6;
  expect(paceOf(a, 'rollout').steps.power).toBe(6);
  expect(paceOf(a, 'optimize').steps.power).not.toBe(6);
  expect(paceOf(b, 'rollout').steps.power).not.toBe(6);
});
