import { expect, test } from 'vitest';
import {
  asPlayed,
  batchColumns,
  bytesOfColumns,
  columnNames,
  columnOf,
  columnsOf,
  heldBy,
  makeColumns,
  mapColumns,
  shownNames,
  sizeOf,
  type Batch,
} from './columns.ts';
import { columns } from './columnTable.ts';

const sizes = { P: 2, B: 6, T: 5, K: 3, actions: 4, words: 2, obsWords: 1, cells: 9, passes: 3 };

test('a run has the columns that are always there, and of the others those that its modules need or make', () => {
  const plain = columnsOf([], []);
  expect(plain.has('reward')).toBe(true);
  expect(plain.has('logpPhi')).toBe(false);
  expect(columnsOf(['logpPhi', 'planMask'], []).has('logpPhi')).toBe(true);
  // nobody computes it because somebody asks
  expect(columnsOf(['planMask'], []).has('planMask')).toBe(false);
  expect(columnsOf([], ['planMask', 'role']).size).toBe(plain.size + 2);
});

test('arrays are as long as the table says, empty where a run has no such column, and the memory told is what they take', () => {
  const present = columnsOf(['greedyReturn'], ['command', 'unitLogp', 'valueHeads', 'measured']);
  const all = makeColumns(present, sizes, 3);
  expect(all.unitLogp).toHaveLength(3 * 6 * 5 * 3);
  expect(all.state).toHaveLength(3 * 6 * 6 * 2);
  expect(all.greedyReturn).toHaveLength(3 * 2);
  expect(all.measured).toBeInstanceOf(Uint8Array);
  expect(all.role).toHaveLength(0);
  const bytes = Object.values(all).reduce((sum, { byteLength }) => sum + byteLength, 0);
  expect(3 * bytesOfColumns(present, sizes)).toBe(bytes);
});

test('the batch of a replica is a view on its part; inner columns are not in it', () => {
  const present = columnsOf(['greedyReturn'], ['measured']);
  const all = makeColumns(present, sizes, 3);
  all.reward.forEach((_, k) => (all.reward[k] = k));
  const batch = { P: 2, G: 3, B: 6, T: 5, ...batchColumns(all, present, 3, 1) } as Batch;
  expect(batch.reward[0]).toBe(30);
  expect(batch.reward.buffer).toBe(all.reward.buffer);
  expect(heldBy(batch).map(([name]) => name)).toEqual(
    columnNames.filter((name) => present.has(name) && !columnOf(name).inner),
  );
  expect(batch).not.toHaveProperty('legal');
  const copy = mapColumns(batch, (values) => values.slice());
  expect(copy).toEqual(batch);
  expect(copy.reward.buffer).not.toBe(all.reward.buffer);
  expect(asPlayed(copy)).not.toHaveProperty('greedyReturn');
  expect(asPlayed(copy)).toHaveProperty('measured');
});

test('every column says what it holds; whoever lacks one is told in words', () => {
  for (const name of columnNames) {
    const { doc, made, inner, words, within, device } = columnOf(name);
    expect(doc.length, name).toBeGreaterThan(10);
    // a module can ask for it, and a run may have it not
    if (!inner && made !== 'always') expect(words, name).toBeTruthy();
    if (within) expect(columns).toHaveProperty(within[0]);
    expect(device !== undefined && within !== undefined, name).toBe(false);
    expect(Number.isInteger(sizeOf(name, sizes)), name).toBe(true);
  }
  expect(shownNames.filter((name) => columnOf(name).inner)).toEqual([]);
});
