import { beforeEach, describe, expect, test } from 'vitest';
import { valueAt } from '../../config/events.ts';
import { configWith } from '../../config/schema.ts';
import type { Alarm, Mark } from '../../worker/protocol.ts';
import { useRun } from '../stores/run.ts';
import { halved, rateOf, targetOf } from './actions.ts';
import { clearHealth, putAway, rowsOf, takeAlarms, useHealth, whenOf } from './healthStore.ts';

const alarm = (changes: Partial<Alarm>): Alarm => ({
  key: 'lowEss@7',
  id: 'lowEss',
  title: 'A few episodes decide everything',
  evidence: 'ESS/N is 0.2: 20 % of the episodes count.',
  cause: 'The step is too long.',
  action: 'lowerRate',
  doc: '',
  since: 7,
  until: null,
  replicas: [0, 2],
  S: 3,
  ...changes,
});
const log = (): string[] => useRun.getState().log.map((entry) => entry.text);

beforeEach(() => {
  clearHealth();
  useRun.setState({ log: [] });
});

describe('what is told', () => {
  test('how many seeds, since when, and when it was over', () => {
    expect(whenOf(alarm({}))).toBe('In 2 of 3 seeds, since update 8.');
    expect(whenOf(alarm({ replicas: [0, 1, 2], until: 20 }))).toBe(
      'In all 3 seeds, since update 8, over by update 21.',
    );
    expect(whenOf(alarm({ replicas: [0], S: 1 }))).toBe('Since update 8.');
  });

  test('each alarm is logged once when it is raised and once when it is over', () => {
    takeAlarms([alarm({ replicas: [0] })]);
    takeAlarms([alarm({})]);
    takeAlarms([alarm({ until: 20 })]);
    takeAlarms([alarm({ until: 20 })]);
    expect(log()).toEqual([
      'alarm: A few episodes decide everything. ESS/N is 0.2: 20 % of the episodes count. In 1 of 3 seeds, since update 8.',
      'over: A few episodes decide everything, at update 21',
    ]);
  });

  test('one row per condition, those that go on first, the oldest of them on top; closed ones stay closed', () => {
    const first = alarm({ until: 20 });
    const again = alarm({ key: 'lowEss@40', since: 40 });
    const drop = alarm({ key: 'successDrop@30', id: 'successDrop', since: 30 });
    const silent = alarm({ key: 'silentGroups@9', id: 'silentGroups', since: 9, until: 12 });
    takeAlarms([first, silent, drop, again]);
    const rows = () => rowsOf(useHealth.getState()).map((r) => [r.alarm.key, r.times]);
    expect(rows()).toEqual([
      ['successDrop@30', 1],
      ['lowEss@40', 2],
      ['silentGroups@9', 1],
    ]);
    putAway('lowEss@40');
    takeAlarms([first, silent, drop, { ...again, until: 60 }]);
    expect(rows()).toEqual([
      ['successDrop@30', 1],
      ['silentGroups@9', 1],
    ]);
  });
});

describe('what can be done', () => {
  const mark = (update: number, kind: Mark['reasons'][number]['kind']): Mark => ({
    update,
    reasons: [{ kind, words: kind }],
  });

  test('back to the best checkpoint before the trouble, else to the newest before it', () => {
    const marks = [mark(0, 'start'), mark(5, 'best'), mark(16, 'power'), mark(35, 'best')];
    expect(targetOf(alarm({ since: 30 }), marks)!.update).toBe(5);
    expect(targetOf(alarm({ since: 30 }), [marks[0]!, marks[2]!])!.update).toBe(16);
    expect(targetOf(alarm({ since: 3 }), marks)!.update).toBe(0);
    expect(targetOf(alarm({ since: 3 }), [])).toBeNull();
  });

  test('halving a run that is over halves the setting and its changes in mid-run alike', () => {
    const config = configWith({ 'run.events': `2 optimizer.learningRate 0.04; 3 rollout.temperature 2` });
    const next = halved(config);
    expect([0, 2].map((u) => valueAt(next, 'optimizer.learningRate', u))).toEqual(
      [0, 2].map((u) => valueAt(config, 'optimizer.learningRate', u) / 2),
    );
    expect(valueAt(next, 'rollout.temperature', 5)).toBe(2);
  });

  test('the rate to halve is the one in force', () => {
    const config = configWith({ 'optimizer.learningRate': 0.02 });
    expect(rateOf(config)).toBe(0.02);
    expect(
      rateOf(configWith({ 'run.events': '10 optimizer.learningRate 0.01; 20 optimizer.learningRate 0.004' }, config)),
    ).toBe(0.004);
  });
});
