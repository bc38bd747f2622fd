import { expect, test, vi } from 'vitest';
import { configDigest } from '../config/digest.ts';
import { configWith } from '../config/schema.ts';
import { metricIndex } from '../slots/metrics/metrics.ts';
import { optimizers } from '../slots/methods.ts';
import { LabHost } from './host.ts';
import type { Answer, Frame } from './protocol.ts';

/** A worker host as the page sees it: commands, and frames that are answered at once unless told otherwise. */
function open(automated = true) {
  const { port1, port2 } = new MessageChannel();
  const frames: Frame[] = [];
  const waiting: { until: (frame: Frame) => boolean; done: (frame: Frame) => void }[] = [];
  let answers = true;
  port2.onmessage = ({ data }: MessageEvent<Frame>) => {
    frames.push(data);
    if (answers) port2.postMessage({ ack: data.seq, busyMs: 0 } satisfies Answer);
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
  await broken.host.view({ replica: 2, snapshotHz: 10, points: 50, perSecond: null, isHidden: false });
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

test('a pause lets the update in flight end, and no other begins', async () => {
  const { host, close } = open();
  await host.load(small);
  for (const update of [1, 2, 3]) {
    await host.start();
    await host.pause();
    expect((await host.digest()).update).toBe(update);
  }
  close();
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
    why: 'You can walk through an update while the run waits: pause it, or reset it if it is over.',
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

test('a newer experiment ends the loading of an older one between two pieces of work', async () => {
  const { host, frames, close } = open();
  const cloned = configWith({ 'policy.cloneEpisodes': 8, 'policy.cloneSteps': 1000 }, small);
  const older = host.load(cloned);
  const newer = host.load(small);
  expect(await older).toEqual({ ok: false, problem: null });
  expect(await newer).toEqual({ ok: true, run: 1 });
  expect((await host.digest()).config).toBe(await configDigest(small));
  expect(frames.filter((f) => f.state === 'ready').length).toBeLessThanOrEqual(1);
  close();
});

test('what is cloned stops for others: the run that is being made can be let go of', async () => {
  const { host, close } = open();
  const adam = optimizers.find(({ id }) => id === 'adam')!;
  const step = adam.step.bind(adam);
  let unloading: Promise<unknown> | null = null;
  const steps = vi.spyOn(adam, 'step').mockImplementation((...args) => {
    if (steps.mock.calls.length === 3) unloading = host.unload();
    step(...args);
  });
  const loading = host.load(configWith({ 'policy.cloneEpisodes': 8, 'policy.cloneSteps': 1000 }, small));
  expect(await loading).toEqual({ ok: false, problem: null });
  await unloading!;
  expect(steps.mock.calls.length).toBeLessThan(1000);
  expect((await host.digest()).update).toBe(0);
  steps.mockRestore();
  close();
});

test('what is unloaded is gone from the page and from memory', async () => {
  const { host, seen, close } = open();
  await host.load(small);
  await host.step();
  const { seq } = await seen((f) => f.update === 1);
  await host.unload();
  await seen((f) => f.state === 'empty' && f.seq > seq);
  expect(await host.digest()).toEqual({ config: '', result: '', perSeed: [], update: 0 });
  expect(await host.lookAt(0)).toMatchObject({ ok: false });
  close();
});

test('curves that are asked for just before another experiment are those of the run that was there', async () => {
  const { host, seen, close } = open();
  await host.load(small);
  await host.start();
  await seen((f) => f.state === 'finished');
  const [columns, column, loaded] = await Promise.all([
    host.columns(),
    host.column(metricIndex.success),
    host.load(configWith({ 'run.updates': 5 }, small)),
  ]);
  expect(loaded.ok).toBe(true);
  expect([columns?.steps.length, column?.steps.length]).toEqual([30, 30]);
  expect(await host.columns()).toMatchObject({ steps: new Float64Array(0) });
  close();
});

test('what is asked while a run forks or goes back waits for it: the newest experiment is there in the end', async () => {
  const { host, frames, close } = open();
  const other = configWith({ 'run.seed': 7 }, small);
  const child = configWith({ 'optimizer.learningRate': 0.02 }, small);
  for (const leave of [() => host.fork(2, child, 'other settings'), () => host.rewind(2)]) {
    await host.load(small);
    for (let u = 0; u < 4; u++) await host.step();
    const leaving = leave();
    const loading = host.load(other);
    await leaving;
    expect(await loading).toMatchObject({ ok: true });
    expect(await host.digest()).toMatchObject({ config: await configDigest(other), update: 0 });
    await vi.waitUntil(() => frames.at(-1)!.state === 'ready');
  }
  close();
});

test('Run right after a fork trains the fork, to the digest of a run that waited for it', async () => {
  const child = configWith({ 'optimizer.learningRate': 0.02 }, small);
  const digests: string[] = [];
  for (const waits of [true, false]) {
    const { host, seen, close } = open();
    await host.load(small);
    for (let u = 0; u < 4; u++) await host.step();
    const forking = host.fork(2, child, 'other settings');
    if (waits) await forking;
    await Promise.all([forking, host.start()]);
    await seen((f) => f.state === 'finished');
    digests.push((await host.digest()).result);
    close();
  }
  expect(digests[1]).toBe(digests[0]);
});

test('of Pause and Run pressed one after the other the last one counts', async () => {
  const { host, seen, frames, close } = open();
  await host.load(small);
  await host.start();
  const pausing = host.pause();
  const going = host.start();
  await Promise.all([pausing, going]);
  await seen((f) => f.state === 'finished');
  await host.load(small);
  await host.start();
  await Promise.all([host.pause(), host.start(), host.pause()]);
  expect((await host.digest()).update).toBeLessThan(30);
  await vi.waitUntil(() => frames.at(-1)!.state === 'paused');
  close();
});

test('a run that another one has replaced comes back whole, goes on to the same digest, and the other way round', async () => {
  const straight = open();
  await straight.host.load(small);
  await straight.host.start();
  await straight.seen((f) => f.state === 'finished');
  const { host, frames, seen, close } = open();
  await host.load(small);
  for (let u = 0; u < 9; u++) await host.step();
  const { result } = await host.digest();
  const marks = (await seen((f) => f.timeline?.some((mark) => mark.update === 8) === true)).timeline!;
  await host.load(configWith({ 'run.updates': 5 }, small));
  await host.start();
  await seen((f) => f.run === 2 && f.state === 'finished');
  const other = await host.digest();
  expect(await host.bringBack(7)).toEqual({ ok: false, problem: null });
  expect(await host.bringBack(1)).toEqual({ ok: true, run: 3 });
  const back = await seen((f) => f.run === 3);
  expect(back).toMatchObject({ state: 'paused', update: 9, updates: 30, timeline: marks });
  expect(back.series!.points).toBe(9);
  expect((await host.digest()).result).toBe(result);
  expect((await host.lookAt(4)).ok).toBe(true);
  await host.start();
  await seen((f) => f.run === 3 && f.state === 'finished');
  expect(await host.digest()).toEqual(await straight.host.digest());
  expect(await host.bringBack(2)).toEqual({ ok: true, run: 4 });
  expect(await host.digest()).toEqual(other);
  expect(frames.at(-1)).toMatchObject({ state: 'finished', update: 5 });
  // one that has not trained takes nobody's place
  await host.load(small);
  await host.load(small);
  expect((await host.bringBack(4)).ok).toBe(true);
  straight.close();
  close();
});
