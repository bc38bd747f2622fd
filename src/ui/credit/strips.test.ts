import { describe, expect, test, vi } from 'vitest';
import type { Snapshot } from '../../worker/protocol.ts';
import { signedColor } from '../color.ts';
import { cellAt, columnsFor, layoutRows, moveCell, rowHeightFor } from './layout.ts';
import { agreementSentence, stepSentence, uneven, whatOneSees } from './sentences.ts';
import { layersOf, limitOf, realValues, stripPixels, type Layer } from './strips.ts';

/** Three episodes of two tasks; 99 is padding. Episode 1 belongs to the second task. */
const snapshot = {
  B: 3,
  T: 4,
  length: Uint32Array.of(3, 1, 2),
  taskIndex: Uint32Array.of(0, 1, 0),
  success: Uint32Array.of(1, 0, 0),
  origin: new Uint8Array(3),
  action: Uint32Array.of(0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
  actions: ['right', 'down'],
  A: Float32Array.of(1, -1, 0, 99, 2, 99, 99, 99, -2, -2, 99, 99),
  exact: Float32Array.of(0.5, -0.5, 0, 0, -0.5, 0, 0, 0, -0.5, 0, 0, 0),
  creditSign: 0.61,
  creditCorr: 0.4,
  parts: [
    { name: 'episode', values: Float32Array.of(1, 1, 1, 0, 0, 0, 0, 0, -1, -1, 0, 0) },
    { name: 'step', values: new Float32Array(12) },
  ],
} as unknown as Snapshot;
const total: Layer = { id: 'total', title: 'GiGPO', values: snapshot.A };
const layout = layoutRows(snapshot, 'start', 10, 4);
const atEnd = layoutRows(snapshot, 'end', 10, 4);

describe('rows', () => {
  test('stand together by task, with a gap between tasks', () => {
    expect([...layout.order]).toEqual([0, 2, 1]);
    expect([...layout.rowOf]).toEqual([0, 2, 1]);
    expect([...layout.top]).toEqual([0, 10, 24]);
    expect(layout.height).toBe(34);
    expect(layout.groups).toEqual([
      { task: 0, from: 0, to: 2 },
      { task: 1, from: 2, to: 3 },
    ]);
  });

  test('begin in the first column, or end in the last one', () => {
    expect([...layout.offset]).toEqual([0, 0, 0]);
    expect([...atEnd.offset]).toEqual([1, 3, 2]);
  });

  test('become fewer columns only when everything fits into half of them', () => {
    expect([columnsFor(30, 30), columnsFor(16, 30), columnsFor(15, 30), columnsFor(3, 30)]).toEqual([30, 30, 15, 8]);
    expect([columnsFor(1, 1), columnsFor(8, 8)]).toEqual([1, 8]);
  });

  test('are high for few episodes and at least one pixel for many', () => {
    expect([rowHeightFor(8, false), rowHeightFor(32, false), rowHeightFor(512, false)]).toEqual([12, 8, 1]);
    expect(rowHeightFor(512, true)).toBe(8);
  });
});

describe('selection', () => {
  test('a point is the nearest real step of its row, a gap belongs to the row above', () => {
    expect(cellAt(layout, snapshot, 1.5, 5)).toEqual({ i: 0, t: 1 });
    expect(cellAt(layout, snapshot, 3.5, 12)).toEqual({ i: 2, t: 1 });
    expect(cellAt(layout, snapshot, 0, 22)).toEqual({ i: 2, t: 0 });
    expect(cellAt(layout, snapshot, 0, 1000)).toEqual({ i: 1, t: 0 });
    expect(cellAt(atEnd, snapshot, 0, 5)).toEqual({ i: 0, t: 0 });
    expect(cellAt(atEnd, snapshot, 3.2, 5)).toEqual({ i: 0, t: 2 });
  });

  test('arrow keys move by rows as one sees them and stay on real steps', () => {
    const from = (i: number, t: number, key: string) => moveCell(layout, snapshot, { i, t }, key);
    expect(from(0, 2, 'ArrowRight')).toEqual({ i: 0, t: 2 });
    expect(from(0, 2, 'ArrowDown')).toEqual({ i: 2, t: 1 });
    expect(from(2, 1, 'ArrowDown')).toEqual({ i: 1, t: 0 });
    expect(from(0, 1, 'ArrowUp')).toEqual({ i: 0, t: 1 });
    expect(from(2, 1, 'Home')).toEqual({ i: 2, t: 0 });
    expect(from(0, 0, 'End')).toEqual({ i: 0, t: 2 });
    expect(from(0, 0, 'x')).toBeNull();
  });

  test('up and down keep the column when episodes are aligned at their ends', () => {
    expect(moveCell(atEnd, snapshot, { i: 0, t: 2 }, 'ArrowDown')).toEqual({ i: 2, t: 1 });
  });

  test('page keys go from task to task', () => {
    expect(moveCell(layout, snapshot, { i: 0, t: 0 }, 'PageDown')).toEqual({ i: 1, t: 0 });
    expect(moveCell(layout, snapshot, { i: 1, t: 0 }, 'PageUp')).toEqual({ i: 0, t: 0 });
    expect(moveCell(layout, snapshot, { i: 2, t: 0 }, 'PageUp')).toEqual({ i: 0, t: 0 });
    expect(moveCell(layout, snapshot, { i: 1, t: 0 }, 'PageDown')).toEqual({ i: 1, t: 0 });
  });
});

describe('pixels', () => {
  const pixel = (pixels: Uint8ClampedArray, row: number, column: number): number[] => [
    ...pixels.subarray(4 * (row * 4 + column), 4 * (row * 4 + column) + 4),
  ];

  test('orange is positive, purple negative, 0 the surface, and padding transparent', () => {
    const pixels = stripPixels(snapshot, layout, snapshot.A, 2, false);
    expect(pixel(pixels, 0, 0)).toEqual([...signedColor(0.5, false), 255]);
    expect(pixel(pixels, 0, 1)).toEqual([...signedColor(-0.5, false), 255]);
    expect(pixel(pixels, 0, 2)).toEqual([255, 255, 255, 255]);
    expect(pixel(pixels, 0, 3)).toEqual([0, 0, 0, 0]);
    expect(pixel(pixels, 2, 0)).toEqual([...signedColor(1, false), 255]);
  });

  test('episodes aligned at their ends leave their beginnings transparent', () => {
    const pixels = stripPixels(snapshot, atEnd, snapshot.A, 2, true);
    expect(pixel(pixels, 2, 2)).toEqual([0, 0, 0, 0]);
    expect(pixel(pixels, 2, 3)).toEqual([...signedColor(1, true), 255]);
  });

  test('a batch of 512 × 512 steps: painting reads every value once, and the limit is found without sorting them', () => {
    const B = 512;
    const steps = {
      B,
      T: B,
      length: new Uint32Array(B).fill(B),
      taskIndex: Uint32Array.from({ length: B }, (_, i) => i >> 3),
    };
    const values = Float32Array.from({ length: B * B }, (_, k) => Math.sin(k * 0.37) * (k % 7));
    let reads = 0;
    const counted = new Proxy(values, {
      get(array, name) {
        reads++;
        return array[Number(name)];
      },
    });
    const wide = layoutRows(steps, 'start', 1, 2);
    expect(stripPixels(steps, wide, counted, 3, false)).toEqual(stripPixels(steps, wide, values, 3, false));
    expect(reads).toBe(B * B);
    const sort = vi.spyOn(Float32Array.prototype, 'sort');
    const limit = limitOf(steps, values);
    expect(sort).not.toHaveBeenCalled();
    sort.mockRestore();
    expect(limit).toBe(values.map(Math.abs).sort()[Math.floor(0.98 * B * B)]);
  });
});

test('the limit and all counts ignore padding', () => {
  expect([...realValues(snapshot, snapshot.A)]).toEqual([1, -1, 0, 2, -2, -2]);
  expect(limitOf(snapshot, snapshot.A)).toBe(2);
});

test('parts are offered only where there are at least two', () => {
  expect(layersOf(snapshot, 'GiGPO').map((l) => l.title)).toEqual(['GiGPO', 'GiGPO: episode part', 'GiGPO: step part']);
  expect(layersOf({ ...snapshot, parts: snapshot.parts.slice(1) }, 'GRPO').map((l) => l.id)).toEqual(['total']);
});

describe('sentences', () => {
  const [, episode, step] = layersOf(snapshot, 'GiGPO') as [Layer, Layer, Layer];

  test('say what one sees: how episodes ended, where credit points, whether steps are told apart', () => {
    expect(uneven(snapshot, snapshot.A)).toBe(1);
    expect(whatOneSees(snapshot, total)).toBe(
      '1 of 3 episodes reached the goal. GiGPO encourages 33 % of the 6 steps and says nothing about 17 %. Credit differs between steps in 1 of 3 episodes.',
    );
    expect(whatOneSees(snapshot, episode)).toContain('All steps of an episode get the same credit');
    expect(whatOneSees(snapshot, step)).toContain('GiGPO: step part says nothing');
  });

  test('leave demonstrations out and say so', () => {
    const shown = { ...snapshot, origin: Uint8Array.of(5, 0, 0) };
    expect(whatOneSees(shown, total)).toBe(
      '0 of 2 own episodes reached the goal. The demonstration is left out. GiGPO encourages 33 % of the 3 steps. All steps of an episode get the same credit: good and bad moves are not told apart.',
    );
    // exact: −, −, · ; episode part: 0, −, −
    expect(agreementSentence(shown, episode)).toContain('on 50 % of the steps');
    expect(stepSentence(shown, total, 0, 1)).toContain('(task 1, demonstration)');
  });

  test('compare with the exact advantage in words, each part by its own numbers', () => {
    expect(agreementSentence(snapshot, total)).toBe(
      'GiGPO agrees in sign with the exact advantage on 61 % of the steps that made a difference; correlation +0.4.',
    );
    // exact: +, −, ·, −, −, · ; episode part: +, +, +, 0, −, − → 2 of the 4 that matter agree
    expect(agreementSentence(snapshot, episode)).toContain('on 50 % of the steps');
    expect(agreementSentence(snapshot, step)).toMatch(/on 0 % of the steps that made a difference\.$/);
    expect(agreementSentence({ ...snapshot, exact: null }, total)).toBeNull();
    expect(agreementSentence({ ...snapshot, creditSign: null }, total)).toContain('nothing to agree on');
  });

  test('name a step with its action and its numbers', () => {
    expect(stepSentence(snapshot, total, 0, 1)).toBe(
      'Episode 1 (task 1, success), step 2 of 3: down, credit −1, exact −0.5.',
    );
  });
});
