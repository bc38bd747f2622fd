import { expect, test } from 'vitest';
import { configOfArm } from './arms.ts';
import { evaluate } from './evaluate.ts';
import { openLesson } from './lessonTest.ts';
import { statistics, together } from './measures/statistics.ts';
import { watching } from './measures/types.ts';
import { SAMPLE_ARM, sampleLesson } from './format/sampleLesson.ts';
import { openArm, trainArms } from './train.ts';

const EARLY = { ...SAMPLE_ARM, id: 'early', stopAt: { metric: 'success', level: 0.3 } };
const valuesOf = async (runs: ReturnType<typeof openLesson>, values: Record<string, string | number>) =>
  Object.fromEntries((await runs.values(values)).map(({ name, value, problem }) => [name, value ?? problem]));

test('an arm trains, its check is judged, and the same seeds give the same value', async () => {
  const found: unknown[] = [];
  for (const _ of [1, 2]) {
    const runs = openLesson(sampleLesson());
    expect((await runs.check('learned')).problem).toBe('The arm a has not been trained yet.');
    expect(await runs.train(['a'])).toEqual({ kind: 'done' });
    const outcome = await runs.check('learned');
    expect(outcome).toMatchObject({ passed: true, problem: null, source: 'exact' });
    found.push(outcome.value);
  }
  expect(found[0]).toBe(found[1]);
});

test('other seeds are none of the first ones', async () => {
  const runs = openLesson(sampleLesson());
  await runs.train(['a']);
  const before = await runs.check('learned');
  await runs.train(['a'], { again: 1 });
  expect((await runs.check('learned')).value).not.toBe(before.value);
});

test('base measures agree with each other, and with the number of updates', async () => {
  const runs = openLesson(sampleLesson({ arms: [SAMPLE_ARM, EARLY] }));
  await runs.train(['a', 'early']);
  const found = await valuesOf(runs, {
    all: 'updates(a)',
    end: 'mean(last(a, success) - at(a, success, 24))',
    start: 'mean(first(a, success) - at(a, success, 1))',
    top: 'min(highest(a, success) >= last(a, success))',
    low: 'max(lowest(a, success) <= over(a, success))',
    never: 'max(updatesTo(a, success, 1.5))',
    wide: 'min(updatesTo(a, success, 0.5, 5) >= updatesTo(a, success, 0.5))',
    unmeasured: 'mean(last(a, evalSuccess))',
    // the arm that stops has gone as far as the first update whose mean is at the level, and no further
    stopped: 'mean(last(early, success)) >= 0.3',
    before: 'mean(at(a, success, 3)) < 0.3',
    half: 'all / 2',
    seeds: 'last(a, success)',
  });
  expect(found).toMatchObject({ all: 24, end: 0, start: 0, top: 1, low: 1, never: Infinity, wide: 1, stopped: 1 });
  expect(found).toMatchObject({ before: 1, half: 12, unmeasured: NaN });
  expect(found['seeds']).toContain('one number per seed');
  const [early] = Object.values(await valuesOf(runs, { n: 'updates(early)' }));
  expect(await valuesOf(runs, { n: `mean(at(a, success, ${early}))`, m: `mean(last(early, success))` })).toEqual(
    await valuesOf(runs, { n: 'mean(last(early, success))', m: `mean(at(a, success, ${early}))` }),
  );
});

test('training ends between two updates where somebody wants it to, and leaves nothing', async () => {
  const runs = openLesson(sampleLesson());
  let seen = 0;
  const trained = await runs.train(['a'], { between: ([arm]) => (seen = arm!.updates) === 3 });
  expect([trained, seen, runs.has('a')]).toEqual([{ kind: 'stopped' }, 3, false]);
});

test('an arm that no experiment allows is one sentence', async () => {
  const wide = { ...SAMPLE_ARM, changes: { 'rollout.groupSize': 1 } };
  const trained = await openLesson(sampleLesson({ arms: [wide] })).train(['a']);
  expect(trained).toMatchObject({ kind: 'problem', problem: expect.stringMatching(/^The arm a cannot be trained: /) });
  const unknown = { ...SAMPLE_ARM, preset: 'no-such' };
  const problem = 'The arm a begins with “no-such”, which is not an experiment of the lab.';
  expect(await openLesson(sampleLesson({ arms: [unknown] })).train(['a'])).toEqual({ kind: 'problem', problem });
});

test('an exercise trains with the settings of the reader, and the arms of the lesson stay', async () => {
  const exercise = { id: 'own', text: 'Try.', arm: 'a', fields: ['optimizer.learningRate'], goal: 'learned' };
  const runs = openLesson(sampleLesson({ blocks: [{ exercise }] }));
  await runs.train(['a']);
  const before = await runs.check('learned');
  const tried = await runs.exercise('own', await configOfArm(SAMPLE_ARM, { 'optimizer.learningRate': 0.001 }));
  expect(tried).toMatchObject({ kind: 'done', outcome: { passed: false } });
  expect(await runs.check('learned')).toEqual(before);
  const refused = await runs.exercise('own', await configOfArm(SAMPLE_ARM, { 'optimizer.learningRate': -1 }));
  expect(refused).toMatchObject({ kind: 'problem' });
});

test('statistics over seeds, by hand', () => {
  const of = (id: string, ...args: unknown[]) =>
    (statistics.find((m) => m.id === id)!.of as (...all: unknown[]) => unknown)(...args);
  const x = [1, 2, 6];
  expect(['mean', 'median', 'min', 'max', 'sum'].map((id) => of(id, x))).toEqual([3, 2, 1, 6, 9]);
  expect(of('std', x)).toBeCloseTo(Math.sqrt(7), 12);
  expect(of('se', x)).toBeCloseTo(Math.sqrt(7 / 3), 12);
  expect(of('improvement', [3, 1], [1, 0])).toBe((1 + 1 + 0.5 + 1) / 4);
  expect(together([1, 2], 3, (a, b) => a * b)).toEqual([3, 6]);
  expect(() => together([1, 2], [1], (a, b) => a + b)).toThrow('One arm has 2 seeds and the other 1.');
});

test('a measure that watches sees an arm before the first update and after each, and only where it was asked for', async () => {
  const seen: number[] = [];
  const counted = watching({
    id: 'counted',
    doc: 'counted(arm, n): n times the looks.',
    takes: ['number'],
    watch: (n) => ({ see: (arm) => void seen.push(arm.updates), value: () => n * seen.length }),
  });
  const call = (name: string) =>
    ({
      kind: 'call',
      measure: counted,
      args: [
        { kind: 'arm', name },
        { kind: 'number', value: 2 },
      ],
      text: `counted(${name}, 2)`,
    }) as const;
  const config = await configOfArm(SAMPLE_ARM, { 'run.updates': 3 });
  if (typeof config === 'string') throw new Error(config);
  const arm = await openArm(SAMPLE_ARM, config, [call('a'), call('a'), call('b')]);
  if (typeof arm === 'string') throw new Error(arm);
  expect(await trainArms([{ spec: SAMPLE_ARM, arm }], () => false)).toBe(true);
  expect(seen).toEqual([0, 1, 2, 3]);
  expect(await evaluate(call('a'), new Map([['a', arm]]))).toBe(8);
  await expect(evaluate(call('b'), new Map([['b', arm]]))).rejects.toThrow('has trained without it');
});
