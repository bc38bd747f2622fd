import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { LabHost } from './host.ts';
import { Pacer } from './pace.ts';
import type { Answer, Frame } from './protocol.ts';

const small = configWith({
  'rollout.groupSize': 4,
  'rollout.tasksPerBatch': 2,
  'run.backend': 'cpu',
  'run.updates': 12,
  'run.seeds': 1,
});

/** So slow that the second update never comes while a test runs. */
const HARDLY_EVER = 1e-4;

/** A host whose frames are answered at once, with small loaded and at this pace. */
async function paced(perSecond: number | null) {
  const { port1, port2 } = new MessageChannel();
  const frames: Frame[] = [];
  const waiting: { until: (frame: Frame) => boolean; done: (frame: Frame) => void }[] = [];
  port2.onmessage = ({ data }: MessageEvent<Frame>) => {
    frames.push(data);
    port2.postMessage({ ack: data.seq, busyMs: 0 } satisfies Answer);
    for (const w of [...waiting]) if (w.until(data)) waiting.splice(waiting.indexOf(w), 1)[0]!.done(data);
  };
  const host = new LabHost(port1, true, 1);
  await host.load(small);
  const pace = (most: number | null) =>
    host.view({ replica: 0, snapshotHz: 10, points: 50, perSecond: most, isHidden: false });
  await pace(perSecond);
  const seen = (until: (frame: Frame) => boolean) =>
    new Promise<Frame>((done) => {
      const old = frames.find(until);
      if (old) done(old);
      else waiting.push({ until, done });
    });
  return { host, pace, seen, close: () => port2.close() };
}

test('a run at a pace ends with the same bits as one at full speed', async () => {
  const fast = await paced(null);
  const slow = await paced(60);
  for (const { host, seen } of [fast, slow]) {
    await host.start();
    await seen((f) => f.state === 'finished');
  }
  expect(await slow.host.digest()).toEqual(await fast.host.digest());
  fast.close();
  slow.close();
});

test('while an update waits for its turn the page has seen the one before it, with its batch', async () => {
  const { host, seen, close } = await paced(HARDLY_EVER);
  await host.start();
  const frame = await seen((f) => f.state === 'running' && f.update === 1 && f.snapshot !== null);
  expect(frame.snapshot!.update).toBe(0);
  await host.pause();
  close();
});

test('a pause, a step and another pace do not wait for the update whose turn is far away', async () => {
  const { host, pace, seen, close } = await paced(HARDLY_EVER);
  await host.start();
  await seen((f) => f.state === 'running' && f.update === 1);
  await host.pause();
  expect((await host.digest()).update).toBe(1);
  await host.step();
  expect((await host.digest()).update).toBe(2);
  await host.start();
  await seen((f) => f.state === 'running' && f.update === 3);
  await pace(null);
  expect((await seen((f) => f.state === 'finished')).update).toBe(12);
  close();
});

test('updates keep their rhythm when one begins a little late, and do not hurry after one that took long', () => {
  const pacer = new Pacer();
  expect(pacer.left(0)).toBe(0);
  pacer.set(10);
  pacer.begin(1000);
  expect(pacer.left(1000)).toBe(100);
  pacer.begin(1104);
  expect(pacer.left(1104)).toBe(96);
  pacer.begin(2000);
  expect(pacer.left(2000)).toBe(100);
  pacer.set(null);
  expect([pacer.left(2000), pacer.isFree]).toEqual([0, true]);
});
