import { expect, test } from 'vitest';
import { eventsOf, REFERENCE, RESET } from '../config/events.ts';
import { configWith } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { LabHost } from './host.ts';
import type { Answer, Frame, Mark, StoryAnswer } from './protocol.ts';

const LR = 'optimizer.learningRate';
const small = configWith({
  'task.grid.level': 'corridor',
  'rollout.groupSize': 4,
  'rollout.tasksPerBatch': 2,
  'policy.mlp.hidden': [8],
  'optimizer.learningRate': 0.05,
  'run.backend': 'cpu',
  'run.seeds': 2,
  'run.updates': 24,
});

function open() {
  const { port1, port2 } = new MessageChannel();
  const frames: Frame[] = [];
  const waiting: { until: (frame: Frame) => boolean; done: (frame: Frame) => void }[] = [];
  port2.onmessage = ({ data }: MessageEvent<Frame>) => {
    frames.push(data);
    port2.postMessage({ ack: data.seq, busyMs: 0 } satisfies Answer);
    for (const w of [...waiting]) if (w.until(data)) waiting.splice(waiting.indexOf(w), 1)[0]!.done(data);
  };
  const host = new LabHost(port1, true);
  const seen = (until: (frame: Frame) => boolean): Promise<Frame> =>
    new Promise((done) => {
      const old = frames.findLast(until);
      if (old) done(old);
      else waiting.push({ until, done });
    });
  return {
    host,
    seen,
    async steps(count: number): Promise<void> {
      for (let k = 0; k < count; k++) await host.step();
    },
    async finish(): Promise<string> {
      const ended = new Promise<Frame>((done) => waiting.push({ until: (f) => f.state === 'finished', done }));
      await host.start();
      await ended;
      return (await host.digest()).result;
    },
    /** the newest list of checkpoints with such a mark */
    marks: async (has: (mark: Mark) => boolean): Promise<readonly Mark[]> =>
      (await seen((f) => f.timeline?.some(has) ?? false)).timeline!,
    close: () => port2.close(),
  };
}

async function digestOf(config: Config): Promise<string> {
  const { host, finish, close } = open();
  await host.load(config);
  const digest = await finish();
  close();
  return digest;
}

function configOf(answer: StoryAnswer): Config {
  if (!answer.ok) throw new Error(answer.why);
  return answer.config;
}

test('a live change in mid-run is an event of its config; the config alone repeats the run', async () => {
  const { host, steps, finish, close } = open();
  await host.load(small);
  await steps(5);
  const config = configOf(await host.change(LR, 0.4));
  expect(eventsOf(config)).toEqual([{ update: 5, path: LR, value: 0.4 }]);
  await steps(2);
  const both = configOf(await host.change('rollout.temperature', 2));
  const changed = await finish();
  expect(await digestOf(both)).toBe(changed);
  expect((await host.digest()).config).not.toBe('');
  expect(await host.change(LR, 0.1)).toEqual({ ok: false, why: 'There is no run to continue.' });
  close();
});

test('a reset of the reference in mid-run is an event of its config; the config alone repeats the run', async () => {
  const { host, steps, finish, close } = open();
  await host.load(small);
  await steps(5);
  const config = configOf(await host.change(REFERENCE, RESET));
  expect(eventsOf(config)).toEqual([{ update: 5, path: REFERENCE, value: RESET }]);
  const changed = await finish();
  expect(await digestOf(config)).toBe(changed);
  expect(changed).not.toBe(await digestOf(small));
  close();
});

test('a live change that is impossible is refused in words and leaves the run as it is', async () => {
  const { host, steps, finish, close } = open();
  await host.load(small);
  await steps(3);
  expect(await host.change(LR, 99)).toMatchObject({ ok: false, why: expect.stringMatching(/must be a number from/) });
  expect(await host.change('run.seeds', 1)).toMatchObject({ ok: false, why: expect.stringMatching(/cannot change/) });
  expect(await finish()).toBe(await digestOf(small));
  close();
});

test('going back to a checkpoint and on again gives the digest of the uninterrupted run', async () => {
  const { host, seen, steps, finish, marks, close } = open();
  await host.load(small);
  await steps(10);
  await host.change(LR, 0.4);
  await steps(8);
  const kept = await marks((m) => m.update === 16);
  expect(kept.map((m) => m.update)).toEqual(expect.arrayContaining([0, 1, 2, 4, 8, 16]));
  const config = configOf(await host.rewind(8));
  // the change was made in what is dropped
  expect(eventsOf(config)).toEqual([]);
  expect((await host.digest()).update).toBe(8);
  const back = await seen((f) => f.update === 8 && f.timeline !== null && !f.timeline.some((m) => m.update === 16));
  expect(back.timeline!.at(-1)!.update).toBe(8);
  expect(await finish()).toBe(await digestOf(small));
  const isEnd = (m: Mark): boolean => m.reasons.some((r) => r.kind === 'end');
  expect((await marks(isEnd)).filter(isEnd).map((m) => m.update)).toEqual([24]);
  configOf(await host.rewind(0));
  expect(await finish()).toBe(await digestOf(small));
  close();
});

test('a run that has failed goes on from an earlier checkpoint', async () => {
  const { host, seen, steps, close } = open();
  await host.load(small);
  await steps(5);
  await host.inject('nonFinite');
  await host.step();
  await seen((f) => f.state === 'failed');
  configOf(await host.rewind(4));
  expect((await host.digest()).update).toBe(4);
  close();
});

test('a run whose numbers are no longer finite keeps its last good state under the words of the alarm', async () => {
  const { host, steps, marks, close } = open();
  await host.load(small);
  await steps(5);
  await host.inject('nonFinite');
  await host.step();
  const isAlarm = (m: Mark): boolean => m.reasons.some((r) => r.kind === 'alarm');
  expect((await marks(isAlarm)).filter(isAlarm)).toEqual([
    { update: 6, reasons: [{ kind: 'alarm', words: 'A number is not finite' }] },
  ]);
  configOf(await host.rewind(6));
  const stopped = await host.walkUpdate();
  configOf(await host.rewind(4));
  const before = await host.walkUpdate();
  if (!stopped.ok || !before.ok) throw new Error('no walk');
  // the update that failed moved nothing, and something had been learned before
  expect(stopped.walk.snapshot.update).toBe(6);
  for (const p of stopped.walk.snapshot.probs) expect(Number.isFinite(p)).toBe(true);
  expect(stopped.walk.snapshot.probs).not.toEqual(before.walk.snapshot.probs);
  close();
});

test('an alarm keeps a checkpoint under its words, while the run waits and while it trains', async () => {
  const { host, steps, finish, marks, close } = open();
  await host.load(small);
  await steps(3);
  await host.keepCheckpoint('alarm: entropy collapse');
  const early = await marks((m) => m.update === 3);
  expect(early.find((m) => m.update === 3)!.reasons).toEqual([{ kind: 'alarm', words: 'alarm: entropy collapse' }]);
  const ended = finish();
  await host.keepCheckpoint('alarm: success drop');
  await ended;
  const isDrop = (m: Mark): boolean => m.reasons.some((r) => r.words === 'alarm: success drop');
  expect((await marks(isDrop)).filter(isDrop).length).toBe(1);
  expect((await host.digest()).result).toBe(await digestOf(small));
  close();
});

test('looking at the past shows that update with its credit, and moves nothing', async () => {
  const { host, seen, steps, close } = open();
  await host.load(small);
  await host.view({ replica: 1, snapshotHz: 10, points: 50, perSecond: null, isHidden: false });
  await steps(5);
  const shown = (await seen((f) => f.snapshot?.update === 4)).snapshot!;
  await steps(5);
  const before = await host.digest();
  const answer = await host.lookAt(4);
  if (!answer.ok) throw new Error(answer.why);
  for (const name of ['state', 'action', 'A', 'probs', 'exact'] as const)
    expect(answer.snapshot[name], name).toEqual(shown[name]);
  const methods = [{ id: 'rloo', params: {} }];
  const credit = await host.credit({ update: 4, replica: 1, methods, withArrays: true, workMs: 20 });
  expect(credit.isKept).toBe(true);
  expect(credit.columns[0]!.A!.length).toBe(shown.A.length);
  expect(await host.lookAt(7)).toEqual({ ok: false, why: 'No checkpoint of update 7 is kept any more.' });
  expect(await host.digest()).toEqual(before);
  close();
});

test('a fork goes on from its parent with its curves, and its config alone repeats it', async () => {
  const { host, seen, steps, finish, marks, close } = open();
  await host.load(small);
  await steps(12);
  const parent = await host.digest();
  const child = configWith({ 'optimizer.method': 'sgd', 'run.updates': 20 }, small);
  const config = configOf(await host.fork(8, child, 'other settings'));
  expect((await host.digest()).update).toBe(8);
  expect((await seen((f) => f.run === 2)).series!.points).toBe(8);
  const forked = await marks((m) => m.reasons.some((r) => r.kind === 'fork'));
  expect(forked.at(-1)!.reasons.at(-1)!.words).toBe('fork: other settings');
  const end = await finish();
  expect((await host.digest()).update).toBe(20);
  expect(await digestOf(config)).toBe(end);
  expect((await host.digest()).config).not.toBe(parent.config);
  close();
});

test('what a rewind or a fork has replaced comes back whole, and goes on to the same digest', async () => {
  const { host, seen, steps, finish, close } = open();
  await host.load(small);
  await steps(12);
  const { result } = await host.digest();
  const { timeline } = await seen((f) => f.timeline?.some((m) => m.update === 8) === true);
  configOf(await host.rewind(4));
  await steps(1);
  expect(await host.bringBack(1)).toEqual({ ok: true, run: 3 });
  const back = await seen((f) => f.run === 3);
  expect(back).toMatchObject({ state: 'paused', update: 12, timeline });
  expect(back.series!.points).toBe(12);
  expect((await host.digest()).result).toBe(result);
  configOf(await host.fork(8, configWith({ 'optimizer.method': 'sgd' }, small), 'SGD'));
  const forked = await host.digest();
  expect((await host.bringBack(3)).ok).toBe(true);
  expect((await host.digest()).result).toBe(result);
  // the other way round, before the parent goes on to its end
  expect((await host.bringBack(4)).ok).toBe(true);
  expect(await host.digest()).toEqual(forked);
  expect((await host.bringBack(5)).ok).toBe(true);
  expect(await finish()).toBe(await digestOf(small));
  close();
});

test('a fork that does not fit is refused in words, and the parent is still there', async () => {
  const { host, steps, finish, close } = open();
  await host.load(small);
  await steps(4);
  const refused = await host.fork(4, configWith({ 'policy.mlp.hidden': [9] }, small), 'other settings');
  expect(refused).toMatchObject({ ok: false, why: expect.stringMatching(/changes the shape of the network/) });
  expect(await finish()).toBe(await digestOf(small));
  close();
});

test('an update that is walked through after a change and at the start of a fork is the one the run then makes', async () => {
  const { host, steps, close } = open();
  await host.load(small);
  await steps(4);
  await host.change('rollout.temperature', 2);
  expect((await host.walkUpdate()).ok).toBe(true);
  expect(await host.finishWalk()).toMatchObject({ isSame: true });
  await steps(3);
  configOf(
    await host.fork(8, configWith({ 'optimizer.method': 'sgd', 'objective.klCoef': 0.3 }, small), 'other settings'),
  );
  const answer = await host.walkUpdate();
  expect(answer.ok && answer.walk.snapshot.update).toBe(8);
  expect(await host.finishWalk()).toMatchObject({ isSame: true });
  close();
});
