import { expect, test } from 'vitest';
import type { Kept } from '../worker/protocol.ts';
import { Held, Losses } from './held.ts';

const part = (from: number, count: number) => ({
  from,
  values: new Float32Array(count),
  steps: new Float64Array(count),
});
const kept = (run: number, update: number, from: number): Kept => ({
  run,
  checkpoint: { state: { update } as Kept['checkpoint']['state'], chain: [] },
  trainedOn: 'cpu',
  curves: part(from, update - from),
});
const shape = (held: Held) =>
  held.newest && [
    held.newest.checkpoint.state.update,
    held.newest.curves.map((c) => [c.from, 'steps' in c ? c.steps.length : c.parts.length]),
  ];

test('the newest state is held, with the curves of all that came before it', () => {
  const held = new Held();
  held.begin(1);
  expect(held.newest).toBeNull();
  for (const [update, from] of [
    [20, 0],
    [40, 20],
    [60, 40],
  ])
    held.take(kept(1, update!, from!));
  expect(shape(held)).toEqual([
    60,
    [
      [0, 20],
      [20, 20],
      [40, 20],
    ],
  ]);
});

test('a run that went back drops what came after, and a fork goes on under a higher number', () => {
  const held = new Held();
  held.begin(1);
  held.take(kept(1, 40, 0));
  held.take(kept(1, 80, 40));
  held.take(kept(2, 40, 40));
  expect(shape(held)).toEqual([
    40,
    [
      [0, 40],
      [40, 0],
    ],
  ]);
});

test('a state of a run that is no longer loaded is not taken', () => {
  const held = new Held();
  held.begin(2);
  held.take(kept(1, 40, 0));
  expect(held.newest).toBeNull();
});

test('a run that was taken over is held under its new number', () => {
  const held = new Held();
  held.begin(3);
  held.take(kept(3, 40, 0));
  held.goOn(1);
  held.take(kept(1, 50, 0));
  expect(shape(held)).toEqual([50, [[0, 50]]]);
});

test('curves of a long run leave the memory of the page for files that have all of them, part by part', async () => {
  const held = new Held();
  held.begin(1);
  const size = 2000;
  const values = (from: number) => new Float32Array(500 * size).fill(from);
  for (let from = 0; from < 2000; from += 500) {
    held.take({ ...kept(1, from + 500, from), curves: { ...part(from, 500), values: values(from) } });
    expect(held.bytes).toBeLessThan(2.1 * 2 ** 20);
  }
  const files = held.newest!.curves.flatMap((c) => ('file' in c ? [c] : []));
  expect(files.flatMap(({ parts }) => parts)).toEqual([0, 500, 1000, 1500].map((from) => ({ from, count: 500 })));
  // of each part first its steps, then its values
  const bytes = await files[1]!.file.arrayBuffer();
  expect(new Float32Array(bytes.slice(8 * 500))).toEqual(values(500));
  // what goes back drops them as well
  held.take(kept(2, 900, 900));
  expect(held.newest!.curves.map(({ from }) => from)).toEqual([0, 500, 900]);
});

test('three losses within five minutes are too many, and older ones are forgotten', () => {
  const losses = new Losses();
  const minute = 60_000;
  expect([0, 1, 2].map((m) => losses.count(m * minute))).toEqual([true, true, false]);
  expect(losses.count(6.5 * minute)).toBe(true);
  losses.forget();
  expect([7, 7].map((m) => losses.count(m * minute))).toEqual([true, true]);
});
