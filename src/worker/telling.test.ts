import { afterEach, expect, test, vi } from 'vitest';
import { defaultConfig } from '../config/schema.ts';
import { runsOfSweep } from '../lab/runs/ofSweep.ts';
import { expand, type Sweep } from '../lab/sweep/expand.ts';
import { configOfArm } from '../lessons/arms.ts';
import { loadLesson } from '../lessons/list.ts';
import type { Slot } from '../store/slots.ts';
import { LessonHost, type Tell } from './lessonHost.ts';
import { OwnThread } from './sweeps/cellTrainer.ts';
import { Telling } from './telling.ts';

afterEach(() => void vi.restoreAllMocks());

/** News that a page gets in ten seconds when each keeps it busy for `busyMs`, and the share of time that it was busy. */
async function inTenSeconds(busyMs: number, everyMs: number): Promise<{ count: number; share: number }> {
  let now = 0;
  const heard: number[] = [];
  const answers: Record<number, (busyMs: number) => void> = {};
  const telling = new Telling<[k: number]>(
    (k) => {
      heard.push(k);
      return new Promise((drawn) => (answers[now + busyMs] = drawn));
    },
    everyMs,
    () => now,
  );
  for (; now < 10_000; now++) {
    if (telling.isDue(now)) telling.say(now, now);
    answers[now]?.(busyMs);
    await Promise.resolve();
  }
  return { count: heard.length, share: (heard.length * busyMs) / 10_000 };
}

test('a page that draws quickly is told as often as there is news, one that takes longer has time for other things', async () => {
  expect((await inTenSeconds(0, 200)).count).toBe(50);
  expect((await inTenSeconds(50, 200)).count).toBe(50);
  const slow = await inTenSeconds(250, 200);
  expect(slow.share).toBeLessThanOrEqual(0.26);
  expect(slow.count).toBe(10);
});

test('nothing is told to a page that has not drawn what it was told before', async () => {
  const answers: ((busyMs: number) => void)[] = [];
  const telling = new Telling<[]>(
    () => new Promise((drawn) => answers.push(drawn)),
    200,
    () => 0,
  );
  telling.say(0);
  expect(telling.isDue(100_000)).toBe(false);
  answers[0]!(0);
  await Promise.resolve();
  expect(telling.isDue(199)).toBe(false);
  expect(telling.isDue(200)).toBe(true);
});

test('one that answers nothing, as on the command line, is told at the pace that was asked for', () => {
  const telling = new Telling<[]>(() => undefined, 200);
  telling.say(0);
  expect(telling.isDue(199)).toBe(false);
  expect(telling.isDue(200)).toBe(true);
});

/** Everything takes so long on its clock that there is news after each update. */
const onSlowClock = (): void => {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
};

/** A page that never answers, and one that has nothing to draw. */
const pages = () => [vi.fn<() => Promise<number>>(() => new Promise(() => undefined)), vi.fn<() => void>()] as const;

test('a lesson that trains does not wait for its page, and tells it nothing more until it has drawn', async () => {
  const lesson = (await loadLesson('one-number'))!;
  const host = new LessonHost();
  const [arm] = lesson.arms;
  const config = await configOfArm({ ...arm!, changes: { ...arm!.changes, 'run.updates': 8 } });
  await host.open(lesson, Object.fromEntries(lesson.arms.map(({ id }) => [id, config])));
  onSlowClock();
  const [never, quick] = pages();
  const train = (tell: Tell) => host.train({ arms: [arm!.id], chart: ['success'], again: 0 }, tell);
  expect((await train(never)).kind).toBe('done');
  expect(never).toHaveBeenCalledTimes(1);
  expect((await train(quick)).kind).toBe('done');
  expect(quick).toHaveBeenCalledTimes(8);
});

test('a run of a comparison that trains tells its page nothing more until it has drawn', async () => {
  const description = { base: {}, set: { 'policy.method': 'tabular' }, seeds: 1, updates: 8 };
  const sweep = (await expand(description, defaultConfig())) as Sweep;
  const [run] = (await runsOfSweep(sweep, { id: 'x', title: '', description }, 7)).runs;
  const keep = (runs: readonly { readonly id: string }[]) => Promise.resolve(runs.map(({ id }) => id));
  const bytes = () => Promise.resolve(new Uint8Array());
  const nowhere: Slot = { read: bytes, write: () => Promise.resolve() };
  const slots = () => Promise.resolve([nowhere, nowhere] as const);
  const lane = new OwnThread(keep, { bytes, slots, remove: () => Promise.resolve(), pauseMs: 1e9, rest: 0 });
  onSlowClock();
  const [never, quick] = pages();
  await lane.train([run!], never);
  expect(never).toHaveBeenCalledTimes(1);
  await lane.train([run!], quick);
  expect(quick.mock.calls.length).toBeGreaterThan(4);
});
