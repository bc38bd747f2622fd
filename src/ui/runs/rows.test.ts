import { expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import type { RunRecord } from '../../lab/runs/record.ts';
import { groupRuns } from './groups.ts';
import { chosenGroups, memberGroups } from './members.ts';
import { Names } from './names.ts';
import { idsOf, Lines, rowsOf } from './rows.ts';
import { EVERYTHING, type Sort } from './tableStore.ts';

const GRPO = configWith({ 'advantage.method': 'grpo' });
const RLOO = configWith({ 'advantage.method': 'rloo' });

let made = 0;
function run(group: string, seed: number, more: Partial<RunRecord> = {}): RunRecord {
  const config = group === 'grpo' ? GRPO : RLOO;
  return {
    ...{ id: `${group}-${seed}-${made++}`, batch: 'b', origin: 'page', config, address: 'address', group, title: '' },
    ...{ seed, state: 'finished', problem: null, update: 10, updates: 10, envSteps: 100, seconds: 1, backend: 'cpu' },
    ...{ score: 0.5, best: 0.6, entropy: 1, ess: 1, digest: 'digest', version: '0.1.0', startedAt: 5, changedAt: 5 },
    evaluations: { updates: [0, 10], steps: [0, 100], success: [0, 0.5] },
    ...{ tags: [], note: '', isPinned: false, ...more },
  };
}

const SHOWN = {
  isGrouped: true,
  sort: { by: 'score', isDown: true } as Sort,
  filter: EVERYTHING,
  open: new Set<string>(),
};

function table(runs: readonly RunRecord[], how: Partial<typeof SHOWN> = {}): string[] {
  const groups = groupRuns(runs, new Map());
  return rowsOf(groups.values(), new Names().of(groups.values()), { ...SHOWN, ...how }).map(({ name }) => name);
}

const SIX = [
  ...[1, 2, 3].map((seed) => run('grpo', seed, { score: 0.1 * seed })),
  ...[1, 2, 3].map((seed) => run('rloo', seed, { score: 0.3 * seed, tags: ['good'] })),
];

test('runs are grouped by everything but the seed, named by what differs, and open to their seeds', () => {
  expect(table(SIX)).toEqual(['RLOO', 'GRPO']);
  expect(table(SIX, { open: new Set(['grpo']) })).toEqual(['RLOO', 'GRPO', 'seed 1', 'seed 2', 'seed 3']);
  expect(table(SIX, { isGrouped: false })[0]).toBe('RLOO, seed 3');
});

test('pinned lines come first, unknown values last whichever way it goes, and a title is a name', () => {
  const pinned = [...SIX, run('grpo', 4, { isPinned: true, title: 'mine' })];
  expect(table(pinned)).toEqual(['mine', 'RLOO']);
  const unknown = SIX.map((r) => (r.group === 'rloo' ? { ...r, score: null, state: 'running' as const } : r));
  for (const isDown of [true, false])
    expect(table(unknown, { sort: { by: 'score', isDown } })).toEqual(['GRPO', 'RLOO']);
});

test('filters: every word of the text somewhere, tags, states; nothing that does not fit', () => {
  const only = (filter: Partial<typeof EVERYTHING>): string[] => table(SIX, { filter: { ...EVERYTHING, ...filter } });
  expect(only({ tag: 'good' })).toEqual(['RLOO']);
  expect(only({ text: 'key GRPO' })).toEqual(['GRPO']);
  expect(only({ text: 'key nothing' })).toEqual([]);
  expect(only({ state: 'failed' })).toEqual([]);
  expect(only({ batch: 'b', method: 'RLOO' })).toEqual(['RLOO']);
});

test('what is done to the line of a group leaves alone the runs of it that the filters hide', () => {
  const tagged = SIX.map((each) => (each.seed === 2 ? { ...each, tags: ['good'] } : { ...each, tags: [] }));
  const groups = groupRuns(tagged, new Map());
  const filter = { ...EVERYTHING, tag: 'good' };
  const rows = rowsOf(groups.values(), new Names().of(groups.values()), { ...SHOWN, filter });
  expect(rows.map((row) => idsOf(row))).toEqual(
    [...groups.values()].toReversed().map(({ runs }) => [runs.find(({ seed }) => seed === 2)!.id]),
  );
});

test('the same seed twice counts once, and it is the finished one', () => {
  const twice = [...SIX.slice(0, 3), run('grpo', 2, { score: 0.9, state: 'paused', update: 5 })];
  const [group] = groupRuns(twice, new Map()).values();
  expect(group!.runs).toHaveLength(4);
  expect(group!.members).toHaveLength(3);
  expect(group!.score).toBeCloseTo(0.2, 12);
});

test('unfinished runs do not count beside finished ones; where none is finished, all do, and it is said', () => {
  const [mixed] = groupRuns([...SIX.slice(0, 2), run('grpo', 7, { state: 'running', score: 1 })], new Map()).values();
  expect(mixed!.scored).toHaveLength(2);
  expect(mixed!.isSoFar).toBe(false);
  const [early] = groupRuns([run('grpo', 7, { state: 'running', score: 1 })], new Map()).values();
  expect(early).toMatchObject({ isSoFar: true, score: 1 });
});

test('groups in which nothing changes stay the same objects', () => {
  const before = groupRuns(SIX, new Map());
  const after = groupRuns([...SIX, run('grpo', 9)], before);
  expect(after.get('rloo')).toBe(before.get('rloo'));
  expect(after.get('grpo')).not.toBe(before.get('grpo'));
});

test('names are looked for again only when groups come or go', () => {
  const names = new Names();
  const groups = groupRuns(SIX, new Map());
  const first = names.of(groups.values());
  expect(names.of(groups.values())).toEqual(first);
  const alone = groupRuns(SIX.slice(0, 3), new Map());
  // nothing to differ from: the method says what it is
  expect([...names.of(alone.values()).values()]).toEqual(['GRPO']);
});

test('a comparison has the selected runs that count, the baseline first', () => {
  const groups = [...groupRuns(SIX, new Map()).values()];
  const names = new Names().of(groups);
  const selected = new Set(SIX.filter(({ seed }) => seed < 3).map(({ id }) => id));
  const chosen = chosenGroups(groups, names, selected, 'rloo');
  expect(chosen.map(({ name, runs }) => [name, runs.length])).toEqual([
    ['RLOO', 2],
    ['GRPO', 2],
  ]);
  expect(memberGroups(chosen, false)[0]!.members[0]).toMatchObject({ seed: 1, score: 0.3, envSteps: 100 });
  expect(memberGroups(chosen, true).map(({ name }) => name)).toEqual(['RLOO', 'GRPO']);
});

test('lines stay where they are while somebody points at them, and what is new comes last; whoever sorts gets the order', () => {
  const lines = new Lines();
  const names = new Names();
  const draw = (runs: readonly RunRecord[], isHeld: boolean, how: Partial<typeof SHOWN> = {}): string[] => {
    const groups = groupRuns(runs, new Map());
    return lines.of(groups.values(), names.of(groups.values()), { ...SHOWN, ...how }, isHeld).map(({ id }) => id);
  };
  const trained = SIX.map((r) => (r.group === 'grpo' ? { ...r, score: 1 } : r));
  expect(draw(SIX, false)).toEqual(['rloo', 'grpo']);
  expect(draw(trained, true)).toEqual(['rloo', 'grpo']);
  const more = [...trained, run('another', 1, { score: 2 })];
  expect(draw(more, true)).toEqual(['rloo', 'grpo', 'another']);
  const open = new Set(['rloo']);
  expect(draw(more, true, { open }).map((id) => id.split('-')[0])).toEqual([
    'rloo',
    'rloo',
    'rloo',
    'rloo',
    'grpo',
    'another',
  ]);
  // pins are asked for, and so is an order
  const pinned = more.map((r) => (r.group === 'grpo' ? { ...r, isPinned: true } : r));
  expect(draw(pinned, true)).toEqual(['grpo', 'rloo', 'another']);
  expect(draw(more, true, { sort: { by: 'score', isDown: true } })).toEqual(['another', 'grpo', 'rloo']);
  expect(draw(trained, true)[0]).toBe('grpo');
  expect(draw(SIX, false)).toEqual(['rloo', 'grpo']);
});
