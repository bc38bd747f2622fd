import { afterEach, expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import type { MakeBackend } from '../engine/backend.ts';
import { OutOfGpuMemory } from '../engine/gpu/errors.ts';
import type { Trial } from './contest.ts';
import type { Devices } from './devices.ts';
import { otherPath } from './fixtures/otherPath.ts';
import { LabHost } from './host.ts';
import type { Answer, DeviceReport, Frame } from './protocol.ts';

const sized = (groupSize: number, backend = 'auto') =>
  configWith({
    ...{ 'rollout.tasksPerBatch': 2, 'rollout.groupSize': groupSize, 'run.seeds': 2, 'run.updates': 20_000 },
    ...{ 'task.grid.level': 'corridor', 'task.grid.n': 4, 'task.grid.maxSteps': 9, 'policy.mlp.hidden': [4] },
    'run.backend': backend,
  });
const card: DeviceReport = { webgpu: true, adapter: 'a card', software: false, why: null, cores: 2, differs: null };
/** WebGPU is so many times as fast. */
const faster =
  (times: number): Trial =>
  (_run, _from, { kind }) =>
    Promise.resolve(kind === 'webgpu' ? 1000 * times : 1000);

let ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports) port.close();
  ports = [];
});

/** A host beside a card, whose backends are made by `make`. */
function beside(trial: Trial, make: MakeBackend, report = card) {
  const { port1, port2 } = new MessageChannel();
  ports.push(port2);
  const frames: Frame[] = [];
  let wake = (): void => undefined;
  port2.onmessage = ({ data }: MessageEvent<Frame>) => {
    frames.push(data);
    port2.postMessage({ ack: data.seq, busyMs: 0 } satisfies Answer);
    wake();
  };
  const host = new LabHost(port1, true, 1, undefined, false, trial);
  const devices = Reflect.get(host, 'devices') as Devices;
  Object.assign(devices, {
    probe: () => Promise.resolve(report),
    makeRival: make,
    gpu: { plainBecause: null, isLost: false },
  });
  const until = async (is: (frame: Frame) => boolean): Promise<Frame> => {
    for (;;) {
      const found = frames.find(is);
      if (found) return found;
      await new Promise<void>((done) => (wake = done));
    }
  };
  return { host, until };
}

/** Digest and table of so many updates on the CPU path. */
async function alone(groupSize: number, updates: number) {
  const { host, until } = beside(faster(1), () => Promise.reject(new Error('not asked for')));
  await host.load(sized(groupSize, 'cpu'));
  await host.start(updates);
  await until(({ state, update }) => state === 'paused' && update === updates);
  return [(await host.digest()).result, await host.csv()];
}
const nameless = async (host: LabHost) => [(await host.digest()).result, await host.csv()];

test('a run that waits is measured at once, and all of it trains on the faster path', async () => {
  const { make, counts } = otherPath();
  const { host, until } = beside(faster(3), make);
  await host.load(sized(4));
  const ready = await until(({ choice }) => choice?.kind === 'measured');
  expect(ready).toMatchObject({ state: 'ready', backend: 'webgpu', choice: { webgpu: 3000, cpu: 1000 } });
  await host.start(3);
  const end = await until(({ state, update }) => state === 'paused' && update === 3);
  expect(end).toMatchObject({ trainedOn: 'webgpu', stretches: [{ from: 0, on: 'webgpu' }] });
  expect(await nameless(host)).toEqual(await alone(4, 3));
  expect(counts).toEqual({ made: 1, freed: 0 });
});

test('while a device is prepared the CPU path trains; it takes over between two updates, which is told, and nothing changes', async () => {
  const { make, counts } = otherPath();
  let isPrepared = (): void => undefined;
  const prepared = new Promise<void>((done) => (isPrepared = done));
  const { host, until } = beside(faster(3), async (plan, state) => {
    await prepared;
    return make(plan, state);
  });
  await host.load(sized(5));
  await host.start();
  const first = await until(({ update }) => update > 1);
  expect(first).toMatchObject({ backend: 'cpu', choice: { kind: 'preparing' }, trainedOn: 'cpu' });
  isPrepared();
  await until(({ backend }) => backend === 'webgpu');
  await host.pause();
  await host.step();
  const { update } = await host.digest();
  const end = await until(({ state, update: at }) => state === 'paused' && at === update);
  expect(end).toMatchObject({ trainedOn: 'both', choice: { kind: 'measured' } });
  expect(end.stretches).toEqual([
    { from: 0, on: 'cpu' },
    { from: expect.any(Number), on: 'webgpu' },
  ]);
  expect(end.stretches[1]!.from).toBeGreaterThan(0);
  expect(await nameless(host)).toEqual(await alone(5, update));
  expect(counts).toEqual({ made: 1, freed: 0 });
});

test('where the CPU path is as fast, it stays, and the device is free again', async () => {
  const { make, counts } = otherPath();
  const { host, until } = beside(faster(1.1), make);
  await host.load(sized(6));
  await host.start(4);
  await until(({ state }) => state === 'paused');
  const end = await until(({ choice }) => choice?.kind === 'measured');
  expect(end).toMatchObject({ backend: 'cpu', trainedOn: 'cpu', choice: { webgpu: 1100, cpu: 1000 } });
  expect(counts).toEqual({ made: 1, freed: 1 });
  expect(await nameless(host)).toEqual(await alone(6, 4));
});

test('a device that cannot be prepared is told, and the CPU path trains on', async () => {
  const { host, until } = beside(faster(3), () => Promise.reject(new OutOfGpuMemory(100, 'batch')));
  await host.load(sized(7));
  expect((await until(({ choice }) => choice?.kind === 'failed')).choice).toMatchObject({
    why: { kind: 'outOfMemory', bytes: 100 },
  });
  await host.step();
  expect((await host.digest()).update).toBe(1);
});

test('no device is prepared for a run that asks for the CPU, or where there is none to be trusted', async () => {
  const { make, counts } = otherPath();
  const asked = beside(faster(3), make);
  await asked.host.load(sized(8, 'cpu'));
  await asked.host.step();
  for (const no of [{ software: true }, { webgpu: false }, { differs: 'gradNorm differs.' }]) {
    const { host, until } = beside(faster(3), make, { ...card, ...no });
    await host.load(sized(8));
    await host.step();
    expect((await until(({ update }) => update === 1)).choice).toBeNull();
  }
  expect(counts).toEqual({ made: 0, freed: 0 });
});

test('what was prepared for a run that is no longer there is freed', async () => {
  const { make, counts } = otherPath();
  let isPrepared = (): void => undefined;
  const prepared = new Promise<void>((done) => (isPrepared = done));
  let freed = (): void => undefined;
  const { host } = beside(faster(3), async (plan, state) => {
    await prepared;
    const backend = await make(plan, state);
    return new Proxy(backend, {
      get: (of, name) => (name === 'dispose' ? () => (of.dispose(), freed()) : (Reflect.get(of, name) as unknown)),
    });
  });
  await host.load(sized(9));
  await host.unload();
  const isFreed = new Promise<void>((done) => (freed = done));
  isPrepared();
  await isFreed;
  expect(counts).toEqual({ made: 1, freed: 1 });
});
