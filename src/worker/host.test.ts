import { expect, test } from 'vitest';
import { configWith } from '../config/schema.ts';
import { metricIndex } from '../methods/analysis/metrics.ts';
import { LabHost } from './host.ts';
import type { Frame } from './protocol.ts';

/** A worker host as the page sees it: commands, and frames that are answered at once unless told otherwise. */
function open(automated = true) {
  const { port1, port2 } = new MessageChannel();
  const frames: Frame[] = [];
  const waiting: { until: (frame: Frame) => boolean; done: (frame: Frame) => void }[] = [];
  let answers = true;
  port2.onmessage = ({ data }: MessageEvent<Frame>) => {
    frames.push(data);
    if (answers) port2.postMessage({ ack: data.seq });
    for (const w of [...waiting]) if (w.until(data)) waiting.splice(waiting.indexOf(w), 1)[0]!.done(data);
  };
  return {
    host: new LabHost(port1, automated, 1),
    frames,
    mute: () => void (answers = false),
    seen: (until: (frame: Frame) => boolean) =>
      new Promise<Frame>((done) => {
        const old = frames.find(until);
        if (old) done(old);
        else waiting.push({ until, done });
      }),
    close: () => port2.close(),
  };
}

const small = configWith({
  'rollout.groupSize': 4,
  'rollout.tasksPerBatch': 2,
  'run.backend': 'cpu',
  'run.updates': 30,
});

test('a run goes from ready to finished, and its curves and snapshot arrive', async () => {
  const { host, seen, close } = open();
  expect(await host.load(small)).toEqual({ ok: true, run: 1 });
  await host.start();
  const last = await seen((f) => f.state === 'finished');
  expect(last.update).toBe(30);
  expect(last.series!.points).toBe(30);
  expect(last.series!.values[metricIndex.success * 3 * 30]).toBeGreaterThanOrEqual(0);
  expect(last.snapshot!.maps[0]!.states.length).toBe(36 * 7);
  expect(last.snapshot!.creditCorr).not.toBeUndefined();
  close();
});

test('pause, step and resume give the digest of an uninterrupted run; display never changes results', async () => {
  const straight = open();
  await straight.host.load(small);
  await straight.host.start();
  await straight.seen((f) => f.state === 'finished');
  const broken = open();
  await broken.host.load(small);
  await broken.host.view({ replica: 2, snapshotHz: 10, points: 50 });
  await broken.host.step();
  await broken.host.step();
  await broken.host.start();
  await broken.host.pause();
  await broken.host.start();
  await broken.seen((f) => f.state === 'finished');
  expect(await broken.host.digest()).toEqual(await straight.host.digest());
  straight.close();
  broken.close();
});

test('a config that is loaded again begins at update 0 and trains to the same digest', async () => {
  const { host, frames, close } = open();
  await host.load(small);
  await host.step();
  const once = await host.digest();
  await host.load(small);
  expect((await host.digest()).update).toBe(0);
  await host.step();
  expect((await host.digest()).result).toBe(once.result);
  expect(frames.some((f) => f.run === 2)).toBe(true);
  close();
});

test('an update that is walked through is then made by the run, equal in every bit; a walk that is left changes nothing', async () => {
  const straight = open();
  await straight.host.load(small);
  for (let u = 0; u < 3; u++) await straight.host.step();
  const { host, close } = open();
  await host.load(small);
  await host.step();
  const left = await host.walkUpdate();
  await host.step();
  // the run has gone on, so the walk is over
  expect(await host.finishWalk()).toBeNull();
  const answer = await host.walkUpdate();
  expect(left.ok && left.walk.snapshot.update).toBe(1);
  expect(answer.ok && answer.walk.snapshot.update).toBe(2);
  expect(await host.finishWalk()).toEqual({ isSame: true, largest: 0, backend: 'cpu' });
  expect(await host.digest()).toEqual(await straight.host.digest());
  close();
  straight.close();
});

test('a run that is over or not there is not walked through, in words', async () => {
  const { host, seen, close } = open();
  expect(await host.walkUpdate()).toMatchObject({ ok: false });
  await host.load(small);
  await host.start();
  await seen((f) => f.state === 'finished');
  expect(await host.walkUpdate()).toEqual({
    ok: false,
    why: 'An update can be walked through while the run waits: pause it, or reset it if it is over.',
  });
  close();
});

test('with nobody answering, two frames wait and no third is sent before a state change', async () => {
  const { host, frames, mute, close } = open();
  mute();
  await host.load(configWith({ 'run.updates': 60 }, small));
  await host.start();
  await new Promise<void>((done) => {
    const look = (): void => void host.digest().then(({ update }) => (update >= 60 ? done() : look()));
    look();
  });
  expect(frames.filter((f) => f.state === 'running').length).toBeLessThanOrEqual(2);
  close();
});

test('a number that is not finite stops the run, names the slot and keeps the curves', async () => {
  const { host, seen, close } = open();
  await host.load(small);
  await host.step();
  await host.inject('nonFinite');
  await host.start();
  const last = await seen((f) => f.problem !== null);
  expect(last.problem).toMatchObject({ kind: 'nonFinite', slot: 'optimizer', update: 1 });
  expect(last.state).toBe('failed');
  close();
});

test('faults cannot be injected in an ordinary browser', async () => {
  const { host, seen, close } = open(false);
  await host.load(small);
  await host.inject('nonFinite');
  await host.start();
  expect((await seen((f) => f.state === 'finished' || f.problem !== null)).problem).toBeNull();
  close();
});

test('a bad config is refused in words and the worker stays empty', async () => {
  const { host, close } = open();
  const bad = configWith({ 'task.grid.level': 'custom', 'task.grid.text': 'S..' }, small);
  expect(await host.load(bad)).toMatchObject({
    ok: false,
    problem: { kind: 'levelRejected', code: 'noGoal', line: 1, column: 1 },
  });
  close();
});

test('credit of another estimator on the stored batch, and how one step came by it, without training', async () => {
  const { host, seen, close } = open();
  await host.load(small);
  await host.step();
  const { snapshot } = await seen((f) => f.snapshot !== null);
  const { update, replica, A, exact } = snapshot!;
  const before = await host.digest();
  const methods = [{ id: 'rloo', params: {} }];
  const answer = await host.credit({ update, replica, methods, withArrays: true, workMs: 20 });
  expect(answer).toMatchObject({ isKept: true, truth: { kind: 'exact' }, columns: [{ id: 'rloo', why: null }] });
  expect(answer.columns[0]!.A!.length).toBe(A.length);
  expect(answer.truth.values).toEqual(exact);
  const step = await host.explain({ update, replica, id: 'rloo', params: {}, i: 1, t: 0 });
  expect(step.A).toBe(answer.columns[0]!.A![snapshot!.T]);
  // all episodes of a task start alike
  expect(step.sameState.length).toBeGreaterThanOrEqual(4);
  expect(await host.hold({ update, replica })).toBe(true);
  expect(await host.hold({ update: update + 1, replica })).toBe(false);
  expect(await host.digest()).toEqual(before);
  close();
});
