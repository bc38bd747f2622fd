import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  eventsOf,
  eventWords,
  livePaths,
  parseEvents,
  REFERENCE,
  RESET,
  resetsAt,
  settledAt,
  valueAt,
  withEvent,
} from './events.ts';
import { forkConfig, forkIssues, parentOf, stageAt, stagesOf } from './fork.ts';
import { decodeLink, encodeLink } from './link.ts';
import { checkRules } from './rules.ts';
import { configWith, defaultConfig, getValue } from './schema.ts';

const LR = 'optimizer.learningRate';
const base = defaultConfig();
const messageOf = (text: string): string => {
  const parsed = parseEvents(text);
  return parsed.ok ? '' : parsed.message;
};

test('changes are read from lines or semicolons, and what is in force follows them', () => {
  const config = configWith({ 'run.events': `40 ${LR} 0.001; 60 objective.klCoef 0.5\n\n80 ${LR} 1e-4` });
  expect(eventsOf(config)).toHaveLength(3);
  expect([39, 40, 79, 80, 500].map((u) => valueAt(config, LR, u))).toEqual([0.003, 0.001, 0.001, 1e-4, 1e-4]);
  expect(valueAt(config, 'objective.klCoef', 59)).toBe(0);
  expect(livePaths).toEqual(['rollout.temperature', 'objective.entropyCoef', 'objective.klCoef', LR]);
});

test('each mistake has its own sentence, which the rules show at the field', () => {
  expect(messageOf('40 optimizer.learningRate')).toMatch(/where an update, a setting and a value should be/);
  expect(messageOf('-1 optimizer.learningRate 1')).toMatch(/“-1” where an update from 0 to 20000/);
  expect(messageOf('4 no.such 1')).toBe('changes “no.such”, which is not a setting');
  expect(messageOf('4 __proto__ 1')).toMatch(/is not a setting/);
  expect(messageOf('4 optimizer.schedule 1')).toMatch(/cannot change during a run/);
  expect(messageOf(`4 ${LR} 11`)).toBe(
    'sets learning rate to “11” at update 4: it must be a number from 0.000001 to 10',
  );
  expect(messageOf(`4 ${LR} NaN`)).toMatch(/must be a number/);
  expect(messageOf(`9 ${LR} 1; 8 ${LR} 2`)).toMatch(/goes back from update 9 to 8/);
  expect(messageOf('4 reference 1')).toBe('has “1” at update 4, where the reference can only be “reset”');
  expect(messageOf('4 reference reset; 4 reference reset')).toBe('changes reference twice at update 4');
  expect(messageOf(`4 ${LR} reset`)).toMatch(/must be a number/);
  expect(messageOf(`9 ${LR} 1; 9 ${LR} 2`)).toBe('changes learning rate twice at update 9');
  const [issue] = checkRules(configWith({ 'run.events': '4 no.such 1' }));
  expect(issue).toMatchObject({ severity: 'error', path: 'run.events', message: messageOf('4 no.such 1') });
});

test('a second change at the same update takes the place of the first; going back to the old value leaves none', () => {
  const once = withEvent(base, { update: 7, path: LR, value: 0.01 });
  const twice = withEvent(once, { update: 7, path: LR, value: 0.02 });
  expect(getValue(twice, 'run.events')).toBe(`7 ${LR} 0.02`);
  expect(getValue(withEvent(twice, { update: 7, path: LR, value: 0.003 }), 'run.events')).toBe('');
});

test('a reset of the reference is an event of its own: carried by a link, once an update, still to come where it begins', () => {
  const reset = { update: 7, path: REFERENCE, value: RESET } as const;
  const once = withEvent(withEvent(base, { update: 7, path: LR, value: 0.01 }), reset);
  expect(getValue(once, 'run.events')).toBe(`7 ${LR} 0.01\n7 reference reset`);
  expect(withEvent(once, reset)).toEqual(once);
  expect(decodeLink(encodeLink({ config: once }))).toEqual({ ok: true, value: { config: once } });
  expect([6, 7, 8].map((u) => resetsAt(once, u))).toEqual([false, true, false]);
  expect([7, 8].map((u) => getValue(settledAt(once, u), 'run.events'))).toEqual(['7 reference reset', '']);
  expect(eventWords(reset)).toBe('reference reset');
});

test('a settled config has the same values in force from there on', () => {
  const event = fc.record({
    update: fc.integer({ min: 0, max: 50 }),
    path: fc.constantFrom(...livePaths),
    value: fc.double({ min: 0.1, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 8 }), fc.integer({ min: 0, max: 50 }), (events, u) => {
      const config = events.reduce(withEvent, base);
      const settled = settledAt(config, u);
      expect(checkRules(config).filter((i) => i.severity === 'error')).toEqual([]);
      for (let k = u; k <= 51; k++)
        for (const path of livePaths) expect(valueAt(settled, path, k)).toBe(valueAt(config, path, k));
      expect(eventsOf(settled).every((e) => e.update > u)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('a fork names its parent, and its link carries the whole story', () => {
  const parent = configWith({ 'advantage.method': 'grpo', 'run.events': `10 ${LR} 0.01` });
  const child = configWith({ 'advantage.method': 'gigpo' }, settledAt(parent, 64));
  const fork = forkConfig(parent, 64, child);
  expect(stageAt(fork, 63)).toEqual(parent);
  expect(stageAt(fork, 64)).toEqual(child);
  expect(parentOf(fork)).toEqual({ at: 64, parent, own: child });
  expect(decodeLink(encodeLink({ config: fork }))).toEqual({ ok: true, value: { config: fork } });
  const again = forkConfig(fork, 100, configWith({ 'optimizer.method': 'sgd' }, stageAt(fork, 100)));
  expect(parentOf(again)!.parent).toEqual(fork);
  expect([63, 64, 100].map((u) => stageAt(again, u).optimizer.method)).toEqual(['adam', 'adam', 'sgd']);
  // a fork of the fork from before it began has the same parent
  expect(parentOf(forkConfig(again, 20, configWith({ 'run.updates': 99 }, parent)))!.parent).toEqual(parent);
});

test('what does not fit the weights is refused at its field, with the way back', () => {
  const refused = (changes: Record<string, unknown>): string[] =>
    forkIssues(base, configWith(changes), 64).map((i) => i.path);
  expect(refused({ 'advantage.method': 'rloo', 'optimizer.method': 'sgd', 'rollout.groupSize': 4 })).toEqual([]);
  expect(refused({ 'run.seeds': 2 })).toEqual(['run.seeds']);
  expect(refused({ 'run.updates': 64 })).toEqual(['run.updates']);
  expect(refused({ 'policy.mlp.hidden': [8] })).toEqual(['policy.mlp.hidden']);
  expect(refused({ 'advantage.method': 'gae' })).toEqual(['advantage.method']);
  expect(refused({ 'policy.cloneSteps': 3 })).toEqual(['policy.cloneSteps']);
  expect(forkIssues(base, configWith({ 'run.seeds': 2 }), 64)[0]!.repair!.set).toEqual([
    { path: 'run.seeds', value: 3 },
  ]);
});

test('a fork that cannot be read or run is refused in one sentence', () => {
  const sentence = (fork: string): string => {
    const stages = stagesOf(configWith({ 'run.fork': fork }));
    return stages.ok ? '' : stages.message;
  };
  expect(sentence('{')).toMatch(/is not readable/);
  expect(sentence('{}')).toMatch(/must be a list/);
  expect(sentence('[{"at":0,"was":{}}]')).toMatch(/must name for each fork an update/);
  expect(sentence('[{"at":9,"was":{}},{"at":9,"was":{}}]')).toMatch(/in the order of updates/);
  expect(sentence('[{"at":9,"was":{"run.fork":""}}]')).toBe('names “run.fork”, which is not a setting');
  expect(sentence('[{"at":9,"was":{"constructor":1}}]')).toBe('names “constructor”, which is not a setting');
  expect(sentence(`[{"at":9,"was":{"${LR}":99}}]`)).toMatch(/impossible value before update 9/);
  expect(sentence('[{"at":9,"was":{"run.events":"1"}}]')).toMatch(/mistake in the changes before update 9: it has “1”/);
  expect(sentence('[{"at":9,"was":{"run.seeds":1}}]')).toMatch(/at update 9, run.seeds cannot change in a fork/);
  expect(checkRules(configWith({ 'run.fork': '{' }))[0]).toMatchObject({ severity: 'error', path: 'run.fork' });
});
