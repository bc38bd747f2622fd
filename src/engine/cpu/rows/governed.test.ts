import { expect, test, vi } from 'vitest';
import { prepareTask } from '../../../config/level.ts';
import { configWith } from '../../../config/schema.ts';
import { must } from '../../../core/problem.ts';
import { makePlan } from '../../plan.ts';
import { Run } from '../../run.ts';
import { makeCpuBackend } from '../cpuBackend.ts';
import { LostCore } from './board.ts';
import { governed, type Around } from './governed.ts';
import { RowCore } from './rowCore.ts';
import type { RowLink } from './rowHand.ts';
import { sharedColumns } from './rowMemory.ts';
import { rowsOn } from './rows.ts';
import { sharedCores } from './sharedCrew.ts';

const SMALL = configWith({
  'run.seeds': 1,
  'run.updates': 60,
  'rollout.tasksPerBatch': 3,
  'rollout.groupSize': 4,
  'objective.minibatches': 2,
  'analysis.evalEvery': 5,
});

async function runOn(make: Parameters<typeof Run.create>[1]): Promise<Run> {
  await prepareTask(SMALL);
  return Run.create(must(makePlan(SMALL)), make);
}

async function digestOf(run: Run, updates: number) {
  for (let u = 0; u < updates; u++) await run.submit();
  return run.digest();
}

/** A clock of a machine on which an update takes so many ms on so many cores, and others that work in this thread. */
function machine(msOn: Record<number, number>) {
  const told: string[] = [];
  let [clock, asked] = [0, 0];
  const cores = new Set<RowCore>();
  const around: Around = {
    most: 4,
    least: 1,
    share: sharedColumns,
    take: (n) => {
      told.push(`${n} taken`);
      return sharedCores({ links: [], near: n });
    },
    rest: () => void told.push('rest'),
    lost: (error) => void told.push(error.message),
    // three parts of an update are timed, each from its begin to its end
    now: () => (asked++ % 2 === 0 ? clock : (clock += msOn[Math.max(1, cores.size)]! / 3)),
  };
  return { around, told, cores };
}

/** Notes which cores take part in the work that follows. */
function noting(cores: Set<RowCore>) {
  const { do: item } = RowCore.prototype;
  return vi.spyOn(RowCore.prototype, 'do').mockImplementation(function (this: RowCore, ...args) {
    cores.add(this);
    return item.apply(this, args);
  });
}

test('a run that tries one, two and four cores and stays on the fastest has the digest of one core', async () => {
  const wanted = await digestOf(await runOn(makeCpuBackend), 60);
  for (const [msOn, end, calls] of [
    [{ 1: 90, 2: 60, 3: 60, 4: 40 }, 4, ['3 taken']],
    [{ 1: 90, 2: 200, 3: 200, 4: 300 }, 1, ['3 taken', 'rest']],
  ] as const) {
    const { around, told, cores } = machine(msOn);
    const noted = noting(cores);
    const run = await runOn(governed(around));
    const used = new Set<number>();
    for (let u = 0; u < 60; u++) {
      cores.clear();
      await run.submit();
      used.add(Math.max(1, cores.size));
    }
    noted.mockRestore();
    expect(await run.digest()).toEqual(wanted);
    expect(used).toEqual(new Set([1, 2, 4]));
    expect(run.backend.description.replace(' (SIMD)', '')).toBe(end === 1 ? 'CPU' : `CPU, ${end} cores`);
    expect(told).toEqual(calls);
    run.dispose();
  }
});

test('any number of cores between two updates: the digest is that of one', async () => {
  const run = await runOn((plan, state) =>
    makeCpuBackend(
      plan,
      state,
      rowsOn({ share: sharedColumns, others: sharedCores({ links: [], near: 2 }), least: 1 }),
    ),
  );
  const { rows } = run.backend as unknown as { rows: { limit: number } };
  for (const limit of [1, 3, 2, 1]) {
    rows.limit = limit;
    await run.submit();
    await run.submit();
  }
  expect(await run.digest()).toEqual(await digestOf(await runOn(makeCpuBackend), 8));
});

test('others that do not come leave the run on one core', async () => {
  const { around, told } = machine({ 1: 90 });
  const refuses: RowLink = {
    open: () => Promise.reject(new Error('no')),
    enter: () => undefined,
    close: () => void told.push('closed'),
  };
  const given: Around = {
    ...around,
    take: () => sharedCores({ links: [refuses] }),
    alone: (error) => void told.push(String(error)),
  };
  const run = await runOn(governed(given));
  await digestOf(run, 30);
  expect(told).toEqual(['Error: no', 'closed', 'rest']);
  // whoever asked for all of them is told, and none is left
  await expect(runOn(governed({ ...given, isFixed: true }))).rejects.toThrow('no');
  expect(told.slice(3)).toEqual(['closed']);
  expect(await run.digest()).toEqual(await digestOf(await runOn(makeCpuBackend), 30));
});

test('a core that is lost in the middle of an update is told once, and nothing wrong comes of that update', async () => {
  const { around, told } = machine({ 1: 90, 2: 40, 4: 40 });
  const run = await runOn(governed({ ...around, isFixed: true }));
  await run.submit();
  const broken = vi.spyOn(RowCore.prototype, 'do').mockImplementation(() => {
    throw new LostCore('gone');
  });
  const ended = vi.fn<() => void>();
  void run.submit().then(ended, ended);
  await new Promise((resolve) => setImmediate(resolve));
  broken.mockRestore();
  expect(told).toEqual(['3 taken', 'gone']);
  expect(ended).not.toHaveBeenCalled();
  expect(run.series.length).toBe(1);
});
