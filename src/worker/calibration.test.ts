import { expect, test, vi } from 'vitest';
import { productsOf, SMALL } from '../config/caps.ts';
import { memoryOf } from '../config/memory.ts';
import { estimateCost } from '../config/cost.ts';
import { configWith } from '../config/schema.ts';
import { must, ok } from '../core/problem.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { CpuShare } from '../engine/cpu/share.ts';
import { Snapshots } from '../lab/snapshot.ts';
import type { Config } from '../config/slots.ts';
import { createRun, Run } from '../engine/run.ts';
import { METRICS, metricIndex } from '../slots/metrics/metrics.ts';
import { batchesIn, Calibration } from './calibration.ts';
import { Devices } from './devices.ts';
import type { Speed } from './protocol.ts';

// whether a machine has room for a run is tested where it is checked: here large ones are needed on any
vi.mock('./checkedPlan.ts', async () => {
  const { makePlan } = await import('../engine/plan.ts');
  return { checkedPlan: (config: Config) => Promise.resolve(makePlan(config)) };
});

const small = {
  'rollout.tasksPerBatch': 2,
  'rollout.groupSize': 4,
  'run.seeds': 1,
  'task.grid.level': 'corridor',
  'task.grid.n': 4,
  'task.grid.maxSteps': 40,
  'policy.mlp.hidden': [4],
};

async function open(changes: Record<string, unknown> = {}): Promise<Run> {
  return must(await createRun(configWith({ ...small, ...changes })));
}

/** Trial after trial, as a page asks for them, until more would not tell more. */
async function untilKnown(of: () => Promise<Speed | null>): Promise<{ speed: Speed; trials: number }> {
  for (let trials = 1; ; trials++) {
    const speed = (await of())!;
    if (speed.isKnown) return { speed, trials };
  }
}

class OnlyCpu extends Devices {
  made = 0;
  override makeScratch: Devices['makeScratch'] = () => {
    this.made++;
    return Promise.resolve(ok(makeCpuBackend));
  };
}

test('a size of run is measured once, and the run itself does not move', async () => {
  const devices = new OnlyCpu(1);
  const calibration = new Calibration();
  const run = await open();
  const { speed, trials } = await untilKnown(() => calibration.measure(run, devices, () => true));
  expect(speed.stepsPerSecond).toBeGreaterThan(0);
  // of each update that it trained it knows how long episodes were: those of the run itself, most of which end early
  const { envSteps } = await (await open()).submit();
  expect(speed.shares[0]).toBeCloseTo(envSteps / estimateCost(run.plan.config, null)!.stepsPerUpdate);
  expect(speed.later).toBeLessThan(1);
  expect(run.update).toBe(0);
  expect(await calibration.measure(await open({ 'run.seed': 9 }), devices, () => true)).toBe(speed);
  expect(devices.made).toBe(trials);
  await calibration.measure(await open({ 'rollout.groupSize': 5 }), devices, () => true);
  expect(devices.made).toBe(trials + 1);
});

test('what a rollout plays beside a batch counts: a speed is that of its batches, and holds for its settings alone', async () => {
  const devices = new OnlyCpu(1);
  const calibration = new Calibration();
  await calibration.measure(await open(), devices, () => true);
  for (const maxRounds of [2, 3]) {
    const run = await open({ 'rollout.method': 'dynamicSampling', 'rollout.dynamicSampling.maxRounds': maxRounds });
    await calibration.measure(run, devices, () => true);
  }
  expect(devices.made).toBe(3);
  // two seeds: one played three batches, the other one half more than one
  const metrics = new Float64Array(2 * METRICS).fill(NaN);
  expect(batchesIn(metrics, { S: 2, B: 8 })).toBe(1);
  [metrics[metricIndex.episodesPlayed], metrics[METRICS + metricIndex.episodesPlayed]] = [24, 12];
  expect(batchesIn(metrics, { S: 2, B: 8 })).toBe(2.25);
});

test('a run that starts meanwhile ends the measurement without a number', async () => {
  const devices = new OnlyCpu(1);
  const calibration = new Calibration();
  const run = await open();
  const updates = vi.spyOn(Run.prototype, 'submit');
  let asked = 0;
  let before: number | null = null;
  const isIdle = (): boolean => {
    if (++asked <= 3) return true;
    before ??= updates.mock.calls.length;
    return false;
  };
  expect(await calibration.measure(run, devices, isIdle)).toBeNull();
  const after = updates.mock.calls.length;
  updates.mockRestore();
  expect(before).toBeGreaterThan(0);
  expect(after - before!).toBeLessThanOrEqual(1);
  expect(await calibration.measure(run, devices, () => true)).not.toBeNull();
});

test('on the CPU no update that is measured takes long, however heavy the run, and nothing is cloned for it', async () => {
  const devices = new OnlyCpu(1);
  const heavy = { 'rollout.tasksPerBatch': 64, 'policy.mlp.hidden': [256, 256], 'task.grid.maxSteps': 1000 };
  const cloned = { 'policy.cloneEpisodes': 1, 'policy.cloneSteps': 1 };
  const run = await open({ ...heavy, ...cloned });
  const made = vi.spyOn(Run, 'create');
  await new Calibration().measure(run, devices, () => true);
  const { config, B } = made.mock.calls[0]![0];
  made.mockRestore();
  expect(productsOf(run.config)).toBeGreaterThan(2e10);
  expect(productsOf(config)).toBeLessThanOrEqual(2e9);
  expect(B).toBeGreaterThan(1);
  expect(config.policy['cloneEpisodes']).toBe(0);
});

test('where even the smallest update takes seconds it is made on another core; where it takes longer no number is told', async () => {
  const gtrxl = { 'policy.method': 'gtrxl', 'task.grid.maxSteps': 2000 };
  const devices = new OnlyCpu(2);
  const shares = vi.spyOn(devices.cores, 'take').mockImplementation(() => [new CpuShare()]);
  const updates = vi.spyOn(Run.prototype, 'submit').mockImplementation(function (this: Run) {
    return Promise.resolve({ update: this.update++, envSteps: 100, metrics: new Float64Array(METRICS) } as never);
  });
  const heavy = await open({ ...gtrxl, 'policy.gtrxl.width': 64 });
  const speed = await new Calibration().measure(heavy, devices, () => true);
  expect(speed!.stepsPerSecond).toBeGreaterThan(0);
  expect([devices.made, shares.mock.calls]).toEqual([0, [[1]]]);
  const heavier = await open({ ...gtrxl, 'policy.gtrxl.width': 64, 'run.seeds': 4 });
  expect(await new Calibration().measure(heavier, devices, () => true)).toBeNull();
  expect([devices.made, shares.mock.calls.length]).toEqual([0, 1]);
  updates.mockRestore();
});

test('what is too large to be prepared before Run is measured on a copy with short episodes, whose time is the most', async () => {
  const devices = new OnlyCpu(1);
  const config = configWith({
    ...small,
    'run.backend': 'cpu',
    'policy.mlp.hidden': [512, 512],
    'task.grid.maxSteps': 1500,
  });
  const made = vi.spyOn(Run, 'create');
  const speed = await new Calibration().measure(config, devices, () => true);
  const [{ T, config: copy }] = made.mock.calls[0]!;
  made.mockRestore();
  expect(T).toBeLessThan(1500);
  expect(productsOf(copy)).toBeLessThanOrEqual(2e9);
  expect(speed).toMatchObject({ fastest: Infinity });
});

test('on a device what is not prepared is measured on a copy that has room before Run, what is prepared as it is', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const updates = vi.spyOn(Run.prototype, 'submit').mockImplementation(function (this: Run) {
    // milliseconds, of a device that is faster than any trial
    now += 1e-9 * productsOf(this.plan.config);
    return Promise.resolve({ update: this.update++, envSteps: 100, metrics: new Float64Array(METRICS) } as never);
  });
  const devices = new OnlyCpu(1);
  vi.spyOn(devices, 'where').mockResolvedValue(ok({}) as never);
  const made = vi.spyOn(Run, 'create');
  const config = configWith({
    ...small,
    'policy.mlp.hidden': [32],
    'rollout.tasksPerBatch': 1024,
    'rollout.groupSize': 32,
    'analysis.evalEvery': 0,
  });
  const calibration = new Calibration();
  const { speed } = await untilKnown(() => calibration.measure(config, devices, () => true));
  const sizes = made.mock.calls.map(([{ B }]) => B);
  const held = made.mock.calls.map(([plan]) => {
    const { besideGpu, gpu } = memoryOf(configWith({ 'run.updates': 1 }, plan.config))!;
    return Math.max(besideGpu, gpu);
  });
  const run = await open({ 'analysis.evalEvery': 0 });
  made.mockClear();
  await calibration.measure({ plan: run.plan, backend: { kind: 'webgpu' } }, devices, () => true);
  const [{ B }] = made.mock.calls[0]!;
  for (const spy of [clock, updates, made]) spy.mockRestore();
  expect(speed.fastest).toBe(Infinity);
  // the second one is larger, and takes most of the room
  expect(sizes[1]).toBeGreaterThan(sizes[0]!);
  expect(new Set(sizes.slice(1)).size).toBe(1);
  expect(held[1]).toBeLessThanOrEqual(SMALL.bytes);
  expect(held[1]! / 0.7).toBeGreaterThan(SMALL.bytes);
  expect(B).toBe(run.plan.B);
});

test('evaluations count as often as the run makes them', async () => {
  // a clock by which an update takes a millisecond, and an evaluation before it four more
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const updates = vi.spyOn(Run.prototype, 'submit').mockImplementation(function (this: Run) {
    now += this.evaluatesNext ? 5 : 1;
    return Promise.resolve({ update: this.update++, envSteps: 100, metrics: new Float64Array(METRICS) } as never);
  });
  const rates: number[] = [];
  for (const evalEvery of [0, 1, 2, 8]) {
    const run = await open({ 'analysis.evalEvery': evalEvery });
    const calibration = new Calibration();
    const { speed, trials } = await untilKnown(() => calibration.measure(run, new OnlyCpu(1), () => true));
    rates.push(100_000 / speed.stepsPerSecond);
    // all alike: no more of them than have to be
    expect(trials).toBe(3);
  }
  clock.mockRestore();
  updates.mockRestore();
  // milliseconds of an update
  [1, 5, 3, 1.5].forEach((ms, k) => expect(rates[k]).toBeCloseTo(ms));
});

test('what a run does besides its updates is timed on the copy, and told for the batch of the run', async () => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const updates = vi.spyOn(Run.prototype, 'submit').mockImplementation(function (this: Run) {
    now += this.evaluatesNext ? 5 : 1;
    this.isFresh = false;
    return Promise.resolve({ update: this.update++, envSteps: 100, metrics: new Float64Array(METRICS) } as never);
  });
  const shown = vi.spyOn(Snapshots.prototype, 'make').mockImplementation(() => {
    now += 30;
    return Promise.resolve({} as never);
  });
  const copied = vi.spyOn(Run.prototype, 'checkpoint').mockImplementation(function (this: Run) {
    now += 20;
    return Promise.resolve({ state: { update: this.update, steps: 0, tensors: {} }, chain: [] });
  });
  const { create } = Run;
  const made = vi.spyOn(Run, 'create').mockImplementation((...of) => {
    now += of[2] ? 5 : 50;
    return create(...of);
  });
  const cloned = vi.spyOn(globalThis, 'structuredClone').mockImplementation((value) => {
    now += 8;
    return value;
  });
  const packed = vi.spyOn(DataView.prototype, 'setFloat64').mockImplementation(() => (now += 2) as never);
  const measure = (of: Run | Config) => new Calibration().measure(of, new OnlyCpu(1), () => true);
  const millisecond = 0.001;
  const alike = (await measure(await open({ 'analysis.evalEvery': 4 })))!;
  const large = {
    ...small,
    'run.backend': 'cpu',
    'policy.mlp.hidden': [512, 512],
    'task.grid.maxSteps': 1500,
  } as const;
  const calibration = new Calibration();
  const again = () => calibration.measure(configWith(large), new OnlyCpu(1), () => true);
  const larger = (await again())!;
  const { B, T } = made.mock.calls.at(-1)![0];
  // a copy of before goes on, which begins faster than a run does
  let later = larger;
  while (!made.mock.calls.at(-1)![2]) later = (await again())!;
  const last = made.mock.calls.at(-1)![0];
  for (const spy of [clock, updates, shown, copied, made, cloned, packed]) spy.mockRestore();
  const times = {
    ...{ evaluation: 4 * millisecond, snapshot: 30 * millisecond, checkpoint: 20 * millisecond },
    ...{ told: 8 * millisecond, written: 7 * millisecond },
  };
  expect(alike.beside.preparing).toBe(0);
  for (const [name, seconds] of Object.entries(times))
    expect(alike.beside[name as keyof typeof times], name).toBeCloseTo(seconds);
  // what was not prepared before will be at Run, and all but the weights is as much larger as the batch
  const steps = 2 * 4 * 1500;
  const ratio = steps / (B * T);
  expect(ratio).toBeGreaterThan(2);
  const { preparing, snapshot, checkpoint, told, written } = larger.beside;
  expect(preparing).toBeCloseTo(50 * millisecond * ratio);
  expect(later.beside.preparing).toBeCloseTo((50 * millisecond * steps) / (last.B * last.T));
  expect(snapshot).toBeCloseTo(30 * millisecond * ratio);
  expect([checkpoint, told, written].map((of) => Math.round(of / millisecond))).toEqual([20, 8, 7]);
});

test('while trials become faster each goes on where the last one ended, and nobody is told how fast a run is at most', async () => {
  let [now, msOf] = [0, 16];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const updates = vi.spyOn(Run.prototype, 'submit').mockImplementation(function (this: Run) {
    now += msOf;
    return Promise.resolve({ update: this.update++, envSteps: 100, metrics: new Float64Array(METRICS) } as never);
  });
  const made = vi.spyOn(Run, 'create');
  const [calibration, devices] = [new Calibration(), new OnlyCpu(1)];
  const run = await open({ 'analysis.evalEvery': 0 });
  made.mockClear();
  const speeds: Speed[] = [];
  while (!speeds.at(-1)?.isKnown) {
    speeds.push((await calibration.measure(run, devices, () => true))!);
    if (speeds.length < 5) msOf /= 2;
  }
  clock.mockRestore();
  updates.mockRestore();
  const begun = made.mock.calls.map(([, , from]) => from?.state.update ?? 0);
  made.mockRestore();
  // 16, 8, 4, 2 ms, then 1 ms for ever
  expect(speeds.map(({ fastest }) => Math.round(fastest))).toEqual([...Array(6).fill(Infinity), 100_000]);
  expect(speeds.at(-1)!.slowest).toBeCloseTo(100_000);
  expect(begun.length).toBe(7);
  begun.slice(1).forEach((update, k) => expect(update).toBeGreaterThan(begun[k]!));
});

test('what goes on changing is told as a range after ten trials', async () => {
  let [now, n] = [0, 0];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const updates = vi.spyOn(Run.prototype, 'submit').mockImplementation(function (this: Run) {
    now += 5 * (1 + (n % 2));
    return Promise.resolve({ update: this.update++, envSteps: 100, metrics: new Float64Array(METRICS) } as never);
  });
  const calibration = new Calibration();
  const run = await open({ 'analysis.evalEvery': 0 });
  const { speed, trials } = await untilKnown(() => {
    n++;
    return calibration.measure(run, new OnlyCpu(1), () => true);
  });
  clock.mockRestore();
  updates.mockRestore();
  expect(trials).toBe(10);
  expect([speed.slowest, speed.fastest].map(Math.round)).toEqual([10_000, 20_000]);
});

test('where an update of the copy takes little the next one is larger, and no larger than the run', async () => {
  let [now, msOfStep] = [0, 0.001];
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const updates = vi.spyOn(Run.prototype, 'submit').mockImplementation(function (this: Run) {
    const envSteps = this.plan.B * this.plan.T;
    now += envSteps * msOfStep;
    return Promise.resolve({ update: this.update++, envSteps, metrics: new Float64Array(METRICS) } as never);
  });
  const made = vi.spyOn(Run, 'create');
  const wide = { 'policy.mlp.hidden': [512, 512], 'task.grid.maxSteps': 200, 'analysis.evalEvery': 0 };
  const run = await open({ ...wide, 'rollout.tasksPerBatch': 16 });
  const sizes = async (before = (): unknown => 0): Promise<number[]> => {
    made.mockClear();
    const [calibration, devices] = [new Calibration(), new OnlyCpu(1)];
    const { speed } = await untilKnown(() => {
      before();
      return calibration.measure(run, devices, () => true);
    });
    const all = made.mock.calls.map(([plan]) => plan.B);
    // a smaller batch does not learn as that of the run does: then the time is the most
    expect(speed.fastest === Infinity).toBe(all.at(-1)! < run.plan.B);
    return all;
  };
  const [small, ...later] = await sizes();
  expect(small).toBeLessThan(run.plan.B);
  expect(later).toEqual([run.plan.B, run.plan.B, run.plan.B]);
  // an update of the small copy takes half of what one may take, or all of it
  msOfStep = 125 / (small! * run.plan.T);
  const [, ...twice] = await sizes();
  expect(twice).toEqual(Array(3).fill(twice[0]));
  expect(twice[0]).toBeGreaterThan(small!);
  expect(twice[0]).toBeLessThanOrEqual(2 * small!);
  msOfStep *= 2.5;
  expect(await sizes()).toEqual([small, small, small]);
  // once it is compiled a copy takes half of what it was made for, and another one follows
  msOfStep /= 2.5;
  const [first, second, third] = await sizes(() => (msOfStep /= 2));
  expect([first! < second!, second! < third!]).toEqual([true, true]);
  for (const spy of [clock, updates, made]) spy.mockRestore();
});
