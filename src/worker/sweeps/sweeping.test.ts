import { expect, test } from 'vitest';
import { presetConfig, presets } from '../../config/presets.ts';
import { defaultConfig } from '../../config/schema.ts';
import { readRecord } from '../../lab/runs/readRecord.ts';
import { runsOfSweep } from '../../lab/runs/ofSweep.ts';
import { trainCell } from '../../lab/sweep/cell.ts';
import type { Description } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import { OwnThread } from './cellTrainer.ts';
import type { KeepRuns } from './ends.ts';
import type { Places } from './midway.ts';
import { groupFirst, runFirst } from './order.ts';
import { Shelf, watched, type Watched } from './shelf.ts';
import type { SweepStatus } from './status.ts';
import type { Around, Lane } from './sweeping.ts';

const SMALL: Description = {
  base: {},
  set: {
    ...{ 'policy.method': 'tabular', 'analysis.evalEvery': 1 },
    ...{ 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 2 },
  },
  vary: { 'advantage.method': ['grpo', 'rloo'] },
  seeds: 3,
  updates: 4,
};

/** These runs are over before the first checkpoint is due. */
const NOWHERE: Places = {
  bytes: () => Promise.resolve(new Uint8Array()),
  slots: () => Promise.reject(new Error('no storage')),
  remove: () => Promise.resolve(),
};

async function begun(
  changes: Partial<Description> = {},
  base = defaultConfig(),
): Promise<{ shelf: Shelf; sweep: Sweep }> {
  const sweep = (await expand({ ...SMALL, ...changes }, base)) as Sweep;
  return { shelf: Shelf.with(await runsOfSweep(sweep, { id: 'x', title: '', description: SMALL }, 7)), sweep };
}

/** Goes on with what is kept, in this thread. */
const sweepingOn = (shelf: Shelf, changes: Partial<Around> = {}): Watched =>
  watched(
    shelf,
    {
      startLane: () => Object.assign(new OwnThread(shelf.keepRuns, NOWHERE), { end: () => undefined }),
      lanes: 2,
      ...changes,
    },
    shelf.byId(),
  );

const isOver = ({ state }: SweepStatus): boolean => state === 'finished';

test('every cell is a kept run with its curves, and has the digest of the cell that the command line trains', async () => {
  const { shelf, sweep } = await begun();
  expect(shelf.states()).toEqual(Array(6).fill('waiting'));
  const { sweeping, until } = sweepingOn(shelf);
  await sweeping.resume();
  const { cells, left } = await until(isOver);
  expect(cells.map(({ state }) => state)).toEqual(Array(6).fill('finished'));
  expect(left).toBe(0);
  expect(shelf.sweep!.state).toBe('finished');
  for (const cell of sweep.cells) {
    const run = shelf.runs.get(`x.${cell.address}`)!;
    const alone = await trainCell(cell, () => Promise.resolve());
    if ('problem' in alone) throw new Error(alone.problem);
    expect(run).toMatchObject({ state: 'finished', digest: alone.result.digest, score: alone.result.score, update: 4 });
    expect(run.group).toBe(shelf.sweep!.groups[cell.group]!.group);
    expect(run.address).toBe(cell.address);
    expect(shelf.curves.get(run.id)!.part.steps).toHaveLength(4);
  }
});

test('a run that diverges is finished with score 0, and its curve ends with 0', async () => {
  const base = presetConfig(presets.find(({ id }) => id === 'alarm-non-finite')!);
  const { shelf } = await begun(
    { set: { 'analysis.evalEvery': 1 }, vary: undefined, seeds: 1, updates: undefined },
    base,
  );
  const { sweeping, until } = sweepingOn(shelf);
  await sweeping.resume();
  await until(isOver);
  const [run] = [...shelf.runs.values()];
  expect(run).toMatchObject({ state: 'finished', score: 0, diverged: run!.update });
  expect(run!.update).toBeLessThan(run!.updates);
  const { updates, steps, success } = run!.evaluations;
  expect([updates.at(-1), steps.at(-1), success.at(-1)]).toEqual([run!.update, run!.envSteps, 0]);
  expect(readRecord(run)).toBe(run);
});

test('a page that goes at any moment loses no finished run, and the next one ends with the same digests', async () => {
  const { shelf } = await begun();
  const whole = await begun();
  const one = sweepingOn(whole.shelf, { lanes: 1 });
  await one.sweeping.resume();
  await one.until(isOver);
  const gone = new Error('the page is gone');
  for (let visit = 0; visit < 40 && shelf.states().some((state) => state !== 'finished'); visit++) {
    const before = new Map([...shelf.runs].filter(([, { state }]) => state === 'finished'));
    // nothing reaches the shelf any more after so many writes
    let writes = 1 + (visit % 4);
    let go = (): void => undefined;
    const isGone = new Promise<void>((done) => (go = done));
    const keepRuns: KeepRuns = (runs, curves) => {
      if (writes-- > 0) return shelf.keepRuns(runs, curves);
      go();
      return new Promise(() => undefined);
    };
    const startLane = (): Lane => Object.assign(new OwnThread(keepRuns, NOWHERE), { end: () => undefined });
    const { sweeping, until } = sweepingOn(shelf, { startLane, lanes: 1 + (visit % 2) });
    await sweeping.resume();
    await Promise.race([isGone, until(isOver)]);
    sweeping.drop();
    for (const [id, run] of before) expect(shelf.runs.get(id), gone.message).toEqual(run);
  }
  const digests = (s: Shelf) => [...s.runs.values()].map(({ id, state, digest }) => [id, state, digest]);
  expect(digests(shelf)).toEqual(digests(whole.shelf));
});

test('a pause holds runs between two updates, and they go on where they were', async () => {
  const { shelf } = await begun({ updates: 40, seeds: 1 });
  const { sweeping, until } = sweepingOn(shelf);
  await sweeping.resume();
  await until(({ cells }) => cells.every(({ share }) => share > 0));
  await sweeping.pause();
  expect(shelf.sweep!.state).toBe('paused');
  expect(sweeping.status().cells.map(({ state }) => state)).toEqual(['running', 'running']);
  await sweeping.resume();
  await until(isOver);
  expect(shelf.states()).toEqual(['finished', 'finished']);
});

test('a pause is heard from the first word on: while a sweep is opened again, while it resumes, while its runs move', async () => {
  for (const act of ['reopen', 'resume', 'finishOnCpu', 'trainFailed'] as const) {
    const { shelf } = await begun({ updates: 40, seeds: 1 });
    const asked: Promise<void>[] = [];
    let mayAsk = true;
    const started: string[] = [];
    const held: boolean[] = [];
    const startLane = (): Lane => {
      started.push(act);
      const lane = new OwnThread(shelf.keepRuns, NOWHERE);
      const { hold } = lane;
      return Object.assign(lane, {
        end: () => undefined,
        hold: (isHeld: boolean) => (held.push(isHeld), hold.call(lane, isHeld)),
      });
    };
    const changed = ({ state }: SweepStatus): void => {
      if (state !== 'running' || !mayAsk) return;
      mayAsk = false;
      asked.push(sweeping.pause());
    };
    const { sweeping } = sweepingOn(shelf, { startLane, changed });
    await sweeping[act]();
    await Promise.all(asked);
    expect([act, sweeping.status().state, shelf.sweep!.state]).toEqual([act, 'paused', 'paused']);
    expect([act, started]).toEqual([act, []]);
    // told while lanes are at work, they wait
    await sweeping.resume();
    expect(started).toEqual([act, act]);
    await sweeping.pause();
    mayAsk = true;
    held.length = 0;
    await sweeping.resume();
    await Promise.all(asked);
    expect([act, sweeping.status().state, held.slice(-2)]).toEqual([act, 'paused', [true, true]]);
    sweeping.drop();
  }
});

test('what is to be first trains first; a cancelled sweep keeps what has finished', async () => {
  const { shelf } = await begun();
  const { sweeping, until } = sweepingOn(shelf, { lanes: 1 });
  await sweeping.putGroupFirst(1);
  const last = shelf.sweep!.order[2]!;
  await sweeping.putFirst(last);
  expect(shelf.sweep!.order[0]).toBe(last);
  await sweeping.resume();
  const finished = ({ cells }: SweepStatus) => cells.filter(({ state }) => state === 'finished');
  const status = await until((s) => finished(s).length === 1);
  expect(finished(status).map(({ id }) => id)).toEqual([last]);
  await sweeping.cancel();
  expect(shelf.sweep).toMatchObject({ state: 'cancelled', order: [] });
  expect(shelf.states().sort()).toEqual(['finished', ...Array<string>(5).fill('stopped')]);
});

test('a sweep is told to be cancelled when that is kept, with its runs: the page may go at once', async () => {
  const { shelf } = await begun();
  const kept: unknown[] = [];
  const changed = ({ state }: SweepStatus): void => {
    if (state === 'cancelled') kept.push([shelf.sweep!.state, ...new Set(shelf.states())]);
  };
  const { sweeping } = sweepingOn(shelf, { changed });
  await sweeping.cancel();
  expect(kept).toEqual([['cancelled', 'stopped']]);
});

test('a cancelled sweep goes on with what was not trained, seed by seed, and is never told to be over meanwhile', async () => {
  const { shelf } = await begun();
  const whole = await begun();
  const one = sweepingOn(whole.shelf, { lanes: 1 });
  await one.sweeping.resume();
  await one.until(isOver);
  const first = sweepingOn(shelf, { lanes: 1 });
  await first.sweeping.resume();
  await first.until(({ cells }) => cells.some(({ state }) => state === 'finished'));
  await first.sweeping.cancel();
  const heard: string[] = [];
  const ended: string[] = [];
  let tell = (_status: SweepStatus): void => undefined;
  const isDone = new Promise<void>((done) => {
    tell = ({ state, cells }) => {
      heard.push(state);
      for (const cell of cells) if (cell.state === 'finished' && !ended.includes(cell.id)) ended.push(cell.id);
      if (state === 'finished') done();
    };
  });
  const { sweeping } = sweepingOn(shelf, { lanes: 1, changed: tell });
  await sweeping.reopen();
  await isDone;
  expect([...new Set(heard)]).toEqual(['running', 'finished']);
  const digests = ({ runs }: Shelf) => [...runs.values()].map(({ id, state, digest }) => [id, state, digest]);
  expect(digests(shelf)).toEqual(digests(whole.shelf));
  const seeds = ended.slice(1).map((id) => shelf.runs.get(id)!.seed);
  expect(seeds).toEqual([...seeds].sort((a, b) => a - b));
});

test('a worker that breaks leaves the others alone; its run fails with a sentence and can be trained again', async () => {
  const { shelf } = await begun();
  let lanes = 0;
  const startLane = (): Lane => {
    const lane = new OwnThread(shelf.keepRuns, NOWHERE);
    const isBad = lanes++ === 0;
    const train: Lane['train'] = (runs, tell) =>
      isBad ? Promise.reject(new Error('out of memory')) : lane.train(runs, tell);
    return { train, hold: (is) => lane.hold(is), measure: (configs) => lane.measure(configs), end: () => undefined };
  };
  const { sweeping, until } = sweepingOn(shelf, { startLane });
  await sweeping.resume();
  const { cells } = await until(isOver);
  expect(cells.flatMap(({ problem }) => problem ?? [])).toEqual(['The worker that trained it stopped: out of memory']);
  expect(shelf.states().filter((state) => state === 'failed')).toHaveLength(1);
  await sweeping.trainFailed();
  await until(isOver);
  expect(shelf.states()).toEqual(Array(6).fill('finished'));
});

test('a result that cannot be kept pauses the sweep with a sentence, and trains again when there is room', async () => {
  const { shelf } = await begun({ seeds: 1 });
  shelf.isFull = true;
  const { sweeping, until } = sweepingOn(shelf, { lanes: 1 });
  await sweeping.resume();
  const { problem } = await until(({ state }) => state === 'paused');
  expect(problem).toContain('the quota has been exceeded');
  shelf.isFull = false;
  await sweeping.resume();
  await until(isOver);
  expect(shelf.states()).toEqual(['finished', 'finished']);
});

test('a run that was deleted while it trained does not come back', async () => {
  const { shelf } = await begun({ seeds: 1, updates: 30 });
  const { sweeping, until } = sweepingOn(shelf, { lanes: 1 });
  await sweeping.resume();
  const [first] = (await until(({ cells }) => cells.some(({ share }) => share > 0))).cells;
  shelf.runs.delete(first!.id);
  await until(isOver);
  expect(shelf.states()).toEqual(['finished']);
  expect(sweeping.status().cells).toHaveLength(1);
});

test('an order keeps every run once, whatever comes first', () => {
  const order = ['a1', 'b1', 'a2', 'b2'];
  expect(groupFirst(order, (id) => id.startsWith('b'))).toEqual(['b1', 'b2', 'a1', 'a2']);
  expect(runFirst(order, 'a2')).toEqual(['a2', 'a1', 'b1', 'b2']);
  expect(runFirst(order, 'gone')).toEqual(order);
});

test('the pace of a config is measured without an end in sight', async () => {
  const { sweep } = await begun({ updates: 1 });
  const pace = (await new OwnThread(() => Promise.resolve([]), NOWHERE).measure([sweep.cells[0]!.config]))!;
  expect(pace.secondsPerUpdate).toBeGreaterThan(0);
  expect(pace.stepsPerUpdate).toBeGreaterThanOrEqual(2);
});
