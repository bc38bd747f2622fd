import { afterAll, afterEach, expect, test } from 'vitest';
import { problemText } from '../config/problems.ts';
import { configWith } from '../config/schema.ts';
import type { Problem } from '../core/problem.ts';
import { LabHost } from './host.ts';
import type { Answer, Frame } from './protocol.ts';

const small = {
  'rollout.groupSize': 4,
  'rollout.tasksPerBatch': 2,
  'task.grid.level': 'corridor',
  'policy.mlp.hidden': [4],
  'analysis.evalEvery': 0,
  'run.seeds': 1,
  'run.updates': 6,
};

/** What goes wrong on the devices of a page; each is asked anew, so that a test can turn it on in mid-run. */
type Faults = {
  /** kernels that the driver does not take, by name and text */
  rejects?: RegExp;
  /** bytes that can be bound */
  binds?: number;
  /** memory is refused while the arrays of a run are made */
  isFull?: boolean;
  /** devices that go away as soon as they have been opened */
  dies?: (opened: number) => boolean;
};

const real = navigator.gpu;
let faults: Faults = {};
let opened: GPUDevice[] = [];

/** A device that has the faults; else the one of this browser. */
function withFaults(device: GPUDevice): GPUDevice {
  const { createShaderModule, pushErrorScope, popErrorScope, limits } = device;
  const scopes: GPUErrorFilter[] = [];
  device.createShaderModule = (described) =>
    createShaderModule.call(device, {
      ...described,
      ...(faults.rejects?.test(`${described.label} ${described.code}`) ? { code: 'fn nonsense(' } : {}),
    });
  device.pushErrorScope = (filter) => {
    scopes.push(filter);
    return pushErrorScope.call(device, filter);
  };
  device.popErrorScope = async () => {
    const filter = scopes.pop();
    const found = await popErrorScope.call(device);
    return faults.isFull && filter === 'out-of-memory' ? new GPUOutOfMemoryError('no memory') : found;
  };
  Object.defineProperty(device, 'limits', {
    get: () => new Proxy(limits, { get: (of, name) => limitOf(of, name as keyof GPUSupportedLimits) }),
  });
  opened.push(device);
  if (faults.dies?.(opened.length)) device.destroy();
  return device;
}

const limitOf = (of: GPUSupportedLimits, name: keyof GPUSupportedLimits): unknown =>
  name === 'maxStorageBufferBindingSize' && faults.binds ? faults.binds : of[name];

/**
 * The adapter: where devices are looked for it is that of a graphics card, which runs that may choose take; once a device of it is
 * open it is what it is, and a software adapter compiles the kernels of its own form in less time than those of cards.
 */
const card = {
  async requestAdapter() {
    const adapter = (await real.requestAdapter())!;
    let isOpen = false;
    return {
      get info() {
        return isOpen ? adapter.info : { vendor: 'a', architecture: 'card', description: '', isFallbackAdapter: false };
      },
      features: adapter.features,
      limits: adapter.limits,
      async requestDevice(wish: GPUDeviceDescriptor) {
        isOpen = true;
        return withFaults(await adapter.requestDevice(wish));
      },
    };
  },
};
Object.defineProperty(navigator, 'gpu', { configurable: true, get: () => card });
// other files of tests may share the page
afterAll(() => void Reflect.deleteProperty(navigator, 'gpu'));

/** A host with all that it told of troubles. */
class Watched {
  readonly host: LabHost;
  readonly told: Problem[] = [];
  private look: (frame: Frame) => void = () => undefined;
  private readonly port: MessagePort;

  constructor() {
    const { port1, port2 } = new MessageChannel();
    this.port = port2;
    port2.onmessage = ({ data }: MessageEvent<Frame>) => {
      const { problem } = data;
      if (problem && JSON.stringify(problem) !== JSON.stringify(this.told.at(-1))) this.told.push(problem);
      port2.postMessage({ ack: data.seq, busyMs: 0 } satisfies Answer);
      this.look(data);
    };
    // what a device does that a run has been given: which one it is given is measured elsewhere
    this.host = new LabHost(port1, true, 1, undefined, true, null);
  }

  /** Does something, and waits for a frame in this state after it. */
  until = async (state: Frame['state'], act: () => Promise<unknown>): Promise<Frame> => {
    const seen = new Promise<Frame>((done) => (this.look = (frame) => frame.state === state && done(frame)));
    await act();
    return seen;
  };

  close(): void {
    this.port.close();
  }
}

let watched: Watched | null = null;
const watch = (): Watched => (watched = new Watched());

afterEach(() => {
  watched?.close();
  for (const device of opened) device.destroy();
  [faults, opened] = [{}, []];
});

const config = (backend: 'auto' | 'webgpu' | 'cpu') => configWith({ ...small, 'run.backend': backend });
const bound = ({ host, told, until }: Watched) => ({ host, told, until });

/** What the run comes to where nothing goes wrong: all ways of training it come to the same. */
async function undisturbed(): Promise<string> {
  const { host, until } = bound(watch());
  await host.load(config('cpu'));
  await until('finished', () => host.start());
  const { result } = await host.digest();
  watched!.close();
  return result;
}
const right = await undisturbed();

test('before the run, what the device cannot do is refused in words where WebGPU is insisted on, and trains on the CPU path elsewhere', async () => {
  const { host, told } = bound(watch());
  // nothing is compiled here: which one of the kernels is refused is the matter of others
  const cases: readonly [Faults, Partial<Problem>, RegExp][] = [
    [{ rejects: /./ }, { kind: 'kernelRejected' }, /driver rejected the kernel \w/],
    [{ binds: 256 }, { kind: 'limitTooSmall' }, /needs one array .* of 1 MiB, and the graphics device allows/],
    [{ isFull: true }, { kind: 'outOfMemory' }, /has no room for/],
  ];
  for (const [own, problem, why] of cases) {
    faults = own;
    told.length = 0;
    expect(await host.load(config('webgpu'))).toMatchObject({ ok: false, problem });
    expect(told).toEqual([]);
    expect(await host.load(config('auto'))).toMatchObject({ ok: true });
    await host.step();
    expect(told).toEqual([
      { kind: 'fellBack', why: expect.objectContaining(problem), update: 0, resumedFrom: 0, now: 'cpu' },
    ]);
    expect(problemText(told[0]!).sentence).toMatch(why);
    expect(problemText(told[0]!).sentence).toMatch(/, so your run trains on the CPU path; nothing is lost\.$/);
  }
  expect(opened).toHaveLength(1);
});

test('a rollout of many steps at once that the driver rejects: step by step; work refused after that: the CPU path; the result is the same', async () => {
  faults = { rejects: /^fusedRollout/ };
  const { host, told, until } = bound(watch());
  expect(await host.load(config('auto'))).toMatchObject({ ok: true });
  await host.step();
  await host.step();
  const plain = { kind: 'fellBack', why: expect.objectContaining({ kind: 'kernelRejected' }), now: 'plain' };
  expect(told).toEqual([{ ...plain, update: 0, resumedFrom: 0 }]);
  expect(problemText(told[0]!).sentence).toMatch(
    /so your run trains on the GPU with simpler kernels; nothing is lost\.$/,
  );
  await host.inject('refuseWork');
  const end = await until('finished', () => host.start());
  expect(end).toMatchObject({ backend: 'cpu', update: 6 });
  expect(told.slice(1)).toEqual([expect.objectContaining({ kind: 'fellBack', update: 2, now: 'cpu' })]);
  expect(problemText(told[1]!).sentence).toMatch(
    /refused work .*, so your run continues from update 2 on the CPU path/,
  );
  expect((await host.digest()).result).toBe(right);
});

test('a second loss while the run is put on another device, and no memory on the third one: the CPU path, from the last complete state', async () => {
  const { host, told, until } = bound(watch());
  await host.load(config('auto'));
  await host.step();
  faults = { dies: (n) => n === 2, isFull: true };
  await host.inject('loseDevice');
  const end = await until('finished', () => host.start());
  expect(end).toMatchObject({ backend: 'cpu', update: 6 });
  expect(opened).toHaveLength(3);
  expect(told).toEqual([expect.objectContaining({ kind: 'fellBack', update: 1, resumedFrom: 1, now: 'cpu' })]);
  expect((await host.digest()).result).toBe(right);
});

test('a run that insists on WebGPU stops where no device has room for it any more; what was trained stays, and it can go back and on', async () => {
  const { host, told, until } = bound(watch());
  await host.load(config('webgpu'));
  await host.step();
  faults = { isFull: true };
  await host.inject('loseDevice');
  expect(await until('failed', () => host.start())).toMatchObject({ update: 1, backend: 'webgpu' });
  expect(told.map(({ kind }) => kind)).toEqual(['outOfMemory']);
  expect((await host.csv()).trim().split('\n')).toHaveLength(1 + 1);
  faults = {};
  expect(await host.rewind(0)).toMatchObject({ ok: true });
  const end = await until('finished', () => host.start());
  expect(end).toMatchObject({ backend: 'webgpu', update: 6 });
  expect((await host.digest()).result).toBe(right);
});
