import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isExact, measureGrain, told, whenDone } from './deviceWait.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'performance'] });
  // messages are not part of the fake time
  vi.stubGlobal(
    'MessageChannel',
    class {
      readonly port1 = { onmessage: (): void => undefined, close: (): void => undefined };
      readonly port2 = { postMessage: (): void => queueMicrotask(() => this.port1.onmessage()) };
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A device whose engine looks every `grain` ms whether work is done, and where it `hears`, at each submission too. */
class Fake {
  clock = 0;
  submissions = 0;
  private until = 0;
  private readonly waiting = new Set<{ readonly at: number; readonly resolve: () => void }>();
  lose: () => void = () => undefined;
  readonly queue: GPUQueue;
  readonly device: GPUDevice;

  constructor(grain: number, hears: boolean) {
    setInterval(() => {
      if (++this.clock % grain === 0) this.look();
    }, 1);
    this.queue = {
      submit: () => {
        this.submissions++;
        if (hears) this.look();
      },
      onSubmittedWorkDone: () => this.answer(),
    } as unknown as GPUQueue;
    const lost = new Promise<void>((resolve) => (this.lose = resolve));
    this.device = { queue: this.queue, lost } as unknown as GPUDevice;
  }

  private look(): void {
    for (const one of this.waiting) {
      if (one.at > this.clock) continue;
      this.waiting.delete(one);
      one.resolve();
    }
  }

  /** told once the work that is there now is done, and the engine looks */
  answer(): Promise<void> {
    return new Promise((resolve) => this.waiting.add({ at: Math.max(this.clock, this.until), resolve }));
  }

  /** hands the device work for so many ms; the ms until somebody who waits knows that it is done */
  async wait(ms: number, waits: () => Promise<unknown> = () => whenDone(this.queue)): Promise<number> {
    const from = this.clock;
    this.until = from + ms;
    const done = waits().then(() => this.clock - from);
    await vi.advanceTimersByTimeAsync(ms + 250);
    return done;
  }

  async measured(): Promise<this> {
    const done = measureGrain(this.device);
    await vi.advanceTimersByTimeAsync(1000);
    await done;
    this.submissions = 0;
    return this;
  }
}

describe('an engine that looks every 100 ms, and at each submission', () => {
  test('is poked: a wait ends within a pause between two pokes, whatever the work takes', async () => {
    const fake = await new Fake(100, true).measured();
    expect(isExact(fake.queue)).toBe(true);
    for (const ms of [0, 1, 3, 17, 40, 99, 130]) {
      fake.submissions = 0;
      const took = await fake.wait(ms);
      expect([ms, took - ms <= 2]).toEqual([ms, true]);
      expect(fake.submissions).toBeLessThanOrEqual(ms + 2);
    }
  });

  test('the same waits without pokes end with the timer', async () => {
    const fake = new Fake(100, true);
    for (const ms of [1, 17, 40]) expect((await fake.wait(ms)) % 100).not.toBe(ms);
    expect(fake.submissions).toBe(0);
  });

  test('a buffer to be mapped is waited for in the same way', async () => {
    const fake = await new Fake(100, true).measured();
    expect(await fake.wait(5, () => told(fake.queue, fake.answer()))).toBeLessThanOrEqual(7);
  });

  test('many waits at once poke once a millisecond, and afterwards nobody does', async () => {
    const fake = await new Fake(100, true).measured();
    await fake.wait(20, () => Promise.all(Array.from({ length: 50 }, () => whenDone(fake.queue))));
    expect(fake.submissions).toBeGreaterThan(15);
    expect(fake.submissions).toBeLessThanOrEqual(22);
  });

  test('a wait that fails ends the pokes, and so does a device that is lost', async () => {
    const fake = await new Fake(100, true).measured();
    await expect(told(fake.queue, Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    void told(fake.queue, new Promise(() => undefined));
    await vi.advanceTimersByTimeAsync(20);
    expect(fake.submissions).toBeGreaterThan(10);
    fake.lose();
    await vi.advanceTimersByTimeAsync(5);
    const { submissions } = fake;
    await vi.advanceTimersByTimeAsync(100);
    expect(fake.submissions).toBe(submissions);
  });
});

test('an engine that tells at once is never poked', async () => {
  const fake = new Fake(1, true);
  await fake.measured();
  expect(await fake.wait(40)).toBeLessThanOrEqual(41);
  expect([fake.submissions, isExact(fake.queue)]).toEqual([0, true]);
});

test('an engine that hears no poke is left alone, and nothing is learned from its waits', async () => {
  const fake = await new Fake(20, false).measured();
  await fake.wait(40);
  expect([fake.submissions, isExact(fake.queue)]).toEqual([0, false]);
});

test('every wait for a queue in the sources goes through here', () => {
  const root = join(import.meta.dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path),
  );
  const waits = files.flatMap((path) =>
    readFileSync(join(root, path), 'utf8')
      .split('\n')
      .filter((line) => /\.(onSubmittedWorkDone|mapAsync)\(/.test(line) && !/\btold\(/.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(waits).toEqual([]);
});
