import { expect, test } from 'vitest';
import { defaultConfig } from '../../config/schema.ts';
import { runsOfSweep } from '../../lab/runs/ofSweep.ts';
import type { RunCurves, RunRecord } from '../../lab/runs/record.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import type { Slot } from '../../store/slots.ts';
import { OwnThread } from './cellTrainer.ts';
import type { CellEnd, KeepRuns } from './ends.ts';
import type { Places } from './midway.ts';

/** Long enough for several checkpoints that follow each other at once. */
const SMALL = {
  ...{ 'policy.method': 'tabular', 'analysis.evalEvery': 50 },
  ...{ 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2 },
};
const UPDATES = 600;

async function firstRun(base = {}): Promise<RunRecord> {
  const description = { base: {}, set: { ...SMALL, ...base }, seeds: 1, updates: UPDATES };
  const sweep = (await expand(description, defaultConfig())) as Sweep;
  return (await runsOfSweep(sweep, { id: 'x', title: '', description }, 7)).runs[0]!;
}

/** The storage of a browser, in memory. */
class Storage {
  readonly files = new Map<string, Uint8Array>();
  run: RunRecord | null = null;
  curves: RunCurves | null = null;
  /** called after every file that was written whole */
  written = (): void => undefined;
  /** bytes that there is room for */
  room = Infinity;

  readonly keep: KeepRuns = ([run], [curves]) => {
    this.run = run!;
    this.curves = curves ?? null;
    return Promise.resolve([run!.id]);
  };

  private slot(id: string, k: number): Slot {
    const name = `${id}-${k}`;
    return {
      read: () => Promise.resolve(this.files.get(name) ?? new Uint8Array()),
      write: (bytes) => {
        this.files.set(name, bytes.slice(0, this.room));
        this.written();
        return Promise.resolve();
      },
    };
  }

  readonly places: Places = {
    bytes: (id, k) => this.slot(id, k).read(),
    slots: (id) => Promise.resolve([this.slot(id, 0), this.slot(id, 1)]),
    remove: (id) => {
      for (const k of [0, 1]) this.files.delete(`${id}-${k}`);
      return Promise.resolve();
    },
    // on a busy machine a run could end before it had as many checkpoints as a test is about
    ...{ pauseMs: 0, rest: 0 },
  };
}

/** Trains until the worker is gone after so many checkpoints: it does nothing any more, and nobody hears of it. */
async function trainUntil(storage: Storage, run: RunRecord, checkpoints: number): Promise<void> {
  const lane = new OwnThread(storage.keep, storage.places);
  let left = checkpoints;
  await new Promise<void>((gone, fail) => {
    storage.written = () => {
      if (--left > 0) return;
      void lane.hold(true);
      storage.written = () => undefined;
      gone();
    };
    void lane.train([run], () => undefined).then(() => fail(new Error('It ended before it had so many checkpoints.')));
  });
  // what is left of writing waits for nothing outside: it is over in the next turn, and the lane is held
  await new Promise((done) => setTimeout(done));
}

type Ended = { readonly end: CellEnd; readonly shares: readonly number[] };

async function trainOn(storage: Storage, run: RunRecord): Promise<Ended> {
  const shares: number[] = [];
  const lane = new OwnThread(storage.keep, storage.places);
  const [end] = await lane.train([run], ([share]) => void shares.push(share!));
  return { end: end!, shares };
}

test('an interrupted run goes on from its checkpoint, ends with the digest of an uninterrupted one, and leaves none', async () => {
  const run = await firstRun();
  const whole = new Storage();
  await trainOn(whole, run);
  const storage = new Storage();
  await trainUntil(storage, run, 3);
  expect(storage.run!.state).toBe('running');
  expect(storage.files.size).toBe(2);
  const { end, shares } = await trainOn(storage, storage.run!);
  expect(end.kind).toBe('finished');
  // the first update was not the first of the run
  expect(shares[0]).toBeGreaterThan(2 / UPDATES);
  const { seconds: _own, startedAt, changedAt: _changed, ...record } = storage.run!;
  const { seconds: _other, startedAt: _began, changedAt: _then, ...expected } = whole.run!;
  expect(record).toEqual(expected);
  expect(startedAt).toBeLessThan(storage.run!.changedAt);
  expect(storage.curves).toEqual(whole.curves);
  expect(storage.files.size).toBe(0);
});

test('of two checkpoints the damaged one does not count; without a whole one a run starts over, to the same digest', async () => {
  const run = await firstRun();
  const whole = new Storage();
  await trainOn(whole, run);
  for (const damaged of [1, 2]) {
    const storage = new Storage();
    await trainUntil(storage, run, 2);
    for (const bytes of [...storage.files.values()].slice(0, damaged)) bytes[bytes.length - 1]! ^= 1;
    const { shares } = await trainOn(storage, storage.run!);
    if (damaged === 1) expect(shares[0]).toBeGreaterThan(2 / UPDATES);
    else expect(shares[0]).toBeCloseTo(1 / UPDATES);
    expect(storage.run!.digest).toBe(whole.run!.digest);
    expect(storage.files.size).toBe(0);
  }
});

test('a checkpoint of another experiment is not taken for one of this', async () => {
  const storage = new Storage();
  await trainUntil(storage, await firstRun({ 'optimizer.learningRate': 0.01 }), 2);
  const run = await firstRun();
  const files = [...storage.files.values()];
  storage.files.clear();
  for (const [k, bytes] of files.entries()) storage.files.set(`${run.id}-${k}`, bytes);
  const { shares } = await trainOn(storage, run);
  expect(shares[0]).toBeCloseTo(1 / UPDATES);
});

test('a full disk costs checkpoints and nothing else', async () => {
  const run = await firstRun();
  const storage = new Storage();
  storage.room = 100;
  const { end } = await trainOn(storage, run);
  expect(end.kind).toBe('finished');
  expect(storage.files.size).toBe(0);
});
