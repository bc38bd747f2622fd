import { expect, test } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import type { MakeBackend } from '../../engine/backend.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { runsOfSweep } from '../../lab/runs/ofSweep.ts';
import { readRecord } from '../../lab/runs/readRecord.ts';
import { trainCell } from '../../lab/sweep/cell.ts';
import type { Description } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import type { Slot } from '../../store/slots.ts';
import { OwnThread, type CellDevice, type OpenDevice } from './cellTrainer.ts';
import type { Places } from './midway.ts';
import { Shelf, watched, type Watched } from './shelf.ts';
import type { SweepStatus } from './status.ts';
import type { Around, Lane } from './sweeping.ts';

/**
 * Comparisons on a graphics device, with the CPU path in its place: what is batched, kept, lost and continued does not
 * depend on who computes. That WebGPU gives a cell of a batch its own bits is shown in lab/sweep/together.gpu.test.ts.
 */
const SMALL: Description = {
  base: {},
  set: {
    ...{ 'policy.method': 'tabular', 'analysis.evalEvery': 2 },
    ...{ 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2 },
  },
  vary: { 'advantage.method': ['grpo', 'rloo'], 'optimizer.learningRate': [0.05, 0.1] },
  seeds: 2,
  updates: 12,
  backend: 'webgpu',
};

/** What never depends on who trained it, or when. */
const resultsOf = (shelf: Shelf): unknown[] =>
  shelf.all().runs.map(({ id, state, digest, score, update, backend, diverged }) => ({
    ...{ id, state, digest, score, update, backend, diverged },
    curves: shelf.curves.get(id)?.part.values,
  }));

async function begun(changes: Partial<Description> = {}): Promise<{ shelf: Shelf; sweep: Sweep }> {
  const description = { ...SMALL, ...changes };
  const sweep = await expand(description, defaultConfig());
  if (typeof sweep === 'string') throw new Error(sweep);
  return { shelf: Shelf.with(await runsOfSweep(sweep, { id: 'x', title: '', description }, 7)), sweep };
}

/** A device on the CPU path; after `lives` updates in all it is gone, and the next one has no end. Counts its runs by their replicas. */
class Device {
  readonly batches: number[] = [];
  private lives: number;
  private isGone = false;

  constructor(lives = Infinity) {
    this.lives = lives;
  }

  readonly open: OpenDevice = () => {
    this.isGone = false;
    const device: CellDevice = {
      make: this.make,
      gone: () => Promise.resolve(this.isGone ? 'The graphics device went away.' : null),
    };
    return Promise.resolve(device);
  };

  private readonly make: MakeBackend = async (plan, state) => {
    this.batches.push(plan.S);
    const backend = await makeCpuBackend(plan, state);
    const finish = backend.finish.bind(backend);
    backend.finish = (update) => {
      if (--this.lives !== 0) return finish(update);
      this.isGone = true;
      return Promise.reject(new Error('the device is lost'));
    };
    return backend;
  };
}

const sweepingOn = (shelf: Shelf, device: Device, changes: Partial<Around> = {}): Watched =>
  watched(shelf, {
    startLane: () => Object.assign(new OwnThread(shelf.keepRuns, shelf.places, device.open), { end: () => undefined }),
    lanes: 3,
    ...changes,
  });

const isOver = ({ state }: SweepStatus): boolean => state === 'finished';
const isPaused = ({ state }: SweepStatus): boolean => state === 'paused';

async function trained(changes: Partial<Description> = {}): Promise<Shelf> {
  const { shelf } = await begun(changes);
  const { sweeping, until } = sweepingOn(shelf, new Device());
  await sweeping.resume();
  await until(isOver);
  return shelf;
}

test('seeds and learning rates of one method are one batch, and every cell is kept as a run of its own', async () => {
  const { shelf, sweep } = await begun();
  const device = new Device();
  const { sweeping, until } = sweepingOn(shelf, device);
  expect(sweeping.status().backend).toBe('webgpu');
  await sweeping.resume();
  await until(isOver);
  expect(device.batches).toEqual([4, 4]);
  for (const cell of sweep.cells) {
    const run = shelf.runs.get(`x.${cell.address}`)!;
    // the device is the CPU path here: the same bits
    const alone = await trainCell(cell, () => Promise.resolve());
    if ('problem' in alone) throw new Error(alone.problem);
    const { digest, score, envSteps } = alone.result;
    expect(run).toMatchObject({ state: 'finished', backend: 'webgpu', digest, score, envSteps, update: 12 });
    expect(run.config.run['backend']).toBe('webgpu');
    expect(readRecord(run)).toBe(run);
  }
  expect(shelf.files.size).toBe(0);
});

test('a page that goes at any moment loses no finished run; batches go on from their checkpoint, to the same results', async () => {
  // long enough for several checkpoints, which are written between two turns
  const updates = 300;
  const whole = await trained({ updates });
  const { shelf } = await begun({ updates });
  let visits = 0;
  /** share of the first update that each visit trained */
  const begins: number[] = [];
  for (; visits < 60 && shelf.states().some((state) => state !== 'finished'); visits++) {
    const before = new Map([...shelf.runs].filter(([, { state }]) => state === 'finished'));
    // nothing reaches the shelf any more after so many checkpoints
    let writes = 1 + (visits % 4);
    let go = (): void => undefined;
    const isGone = new Promise<void>((done) => (go = done));
    const places: Places = {
      ...shelf.places,
      async slots(id) {
        const slots = await shelf.places.slots(id);
        const write = (slot: Slot): Slot => ({
          read: () => slot.read(),
          write(bytes) {
            if (writes-- > 0) return slot.write(bytes);
            go();
            return new Promise(() => undefined);
          },
        });
        return [write(slots[0]), write(slots[1])];
      },
    };
    const device = new Device();
    const startLane = (): Lane =>
      Object.assign(new OwnThread(shelf.keepRuns, places, device.open), { end: () => undefined });
    const { sweeping, until } = sweepingOn(shelf, device, { startLane });
    await sweeping.resume();
    const first = until(({ cells }) => cells.some(({ state, share }) => state === 'running' && share > 0));
    void first.then(({ cells }) => begins.push(Math.max(...cells.map((c) => (c.state === 'running' ? c.share : 0)))));
    await Promise.race([isGone, until(isOver)]);
    sweeping.drop();
    for (const [id, run] of before) expect(shelf.runs.get(id)).toEqual(run);
  }
  expect(resultsOf(shelf)).toEqual(resultsOf(whole));
  expect(visits).toBeGreaterThan(2);
  // one of them went on from an update after the first
  expect(Math.max(...begins)).toBeGreaterThan(1.5 / updates);
});

test('a device that goes away pauses the comparison with a sentence; it goes on there to the same results', async () => {
  const whole = await trained();
  const { shelf } = await begun();
  const device = new Device(15);
  const { sweeping, until } = sweepingOn(shelf, device);
  await sweeping.resume();
  const { problem, cells } = await until(isPaused);
  expect(problem).toContain('The graphics device went away.');
  expect(problem).toContain('“Finish on the CPU”');
  expect(cells.filter(({ state }) => state === 'finished')).toHaveLength(4);
  expect(cells.filter(({ state }) => state === 'waiting')).toHaveLength(4);
  await sweeping.resume();
  await until(isOver);
  expect(device.batches).toEqual([4, 4, 4]);
  expect(resultsOf(shelf)).toEqual(resultsOf(whole));
});

test('what is finished on the CPU path starts over as a CPU run, and none has numbers of both', async () => {
  const { shelf } = await begun();
  const { sweeping, until } = sweepingOn(shelf, new Device(15));
  await sweeping.resume();
  await until(isPaused);
  await sweeping.finishOnCpu();
  await until(isOver);
  const cells = ((await expand({ ...SMALL, backend: 'cpu' }, defaultConfig())) as Sweep).cells;
  const runs = [...shelf.runs.values()];
  expect(runs.map(({ backend }) => backend).sort()).toEqual([...Array(4).fill('cpu'), ...Array(4).fill('webgpu')]);
  for (const run of runs) {
    expect(run.config.run['backend']).toBe(run.backend);
    if (run.backend === 'webgpu') continue;
    const cell = cells.find(({ address }) => address === run.address)!;
    const alone = await trainCell(cell, () => Promise.resolve());
    expect('problem' in alone ? null : alone.result.digest).toBe(run.digest);
    expect(readRecord(run)).toBe(run);
  }
  expect(shelf.files.size).toBe(0);
});

test('without a device nothing trains, nothing is lost, and the sentence says why', async () => {
  const { shelf } = await begun();
  const startLane = (): Lane => Object.assign(new OwnThread(shelf.keepRuns, shelf.places), { end: () => undefined });
  const { sweeping, until } = sweepingOn(shelf, new Device(), { startLane });
  await sweeping.resume();
  const { problem, cells } = await until(isPaused);
  expect(problem).toContain('No graphics device can be opened here.');
  expect(cells.every(({ state }) => state === 'waiting')).toBe(true);
  expect(shelf.sweep!.order).toHaveLength(8);
});

test('one that diverges is over before the others of its batch, which train to their end', async () => {
  const overflows = {
    ...{ 'advantage.method': 'gae', 'objective.epochs': 4, 'objective.valueClip': 0, 'optimizer.method': 'sgd' },
    ...{ 'optimizer.clipNorm': 0, 'analysis.evalEvery': 1, 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 8 },
  };
  const vary = { 'optimizer.learningRate': [0.001, 3] };
  const { shelf } = await begun({ set: overflows, vary, seeds: 1, updates: 20 });
  const { sweeping, until } = sweepingOn(shelf, new Device());
  await sweeping.resume();
  const status = await until(({ cells }) => cells.some(({ state }) => state === 'finished'));
  expect(status.cells.map(({ state }) => state)).toEqual(['running', 'finished']);
  await until(isOver);
  const [sound, fell] = [...shelf.runs.values()];
  expect(sound).toMatchObject({ state: 'finished', update: 20 });
  expect(sound!.diverged).toBeUndefined();
  expect(fell).toMatchObject({ state: 'finished', score: 0, diverged: fell!.update });
  expect(fell!.update).toBeLessThan(20);
});

test('a pause holds a whole batch, and the time left counts batches', async () => {
  const { shelf } = await begun({ updates: 60 });
  const { sweeping, until } = sweepingOn(shelf, new Device());
  await sweeping.resume();
  const { cells, left } = await until((s) => s.cells.filter(({ share }) => share > 0).length === 4);
  const atWork = cells.find(({ share }) => share > 0)!;
  // one batch at work and one that waits for as long as this one takes in all
  expect(left!).toBeCloseTo(atWork.left! + atWork.left! / (1 - atWork.share), 6);
  await sweeping.pause();
  expect(sweeping.status().cells.filter(({ state }) => state === 'running')).toHaveLength(4);
  await sweeping.resume();
  await until(isOver);
  expect(shelf.states()).toEqual(Array(8).fill('finished'));
});
