import { expect, test } from 'vitest';
import type { Scene } from '../../envs/types.ts';
import type { LevelMap } from '../../worker/protocol.ts';
import { cellsOfLayer, layerNames, layersOfMap } from './layers.ts';

const scene = (items: readonly string[], holding: readonly string[] = []): Scene => ({
  width: items.length,
  height: 1,
  cells: items.map((item) => ({ ground: 'floor', item })),
  holding,
  agent: { cell: 0, direction: null },
});

/** Three states of layer 0, of which two share cell 4, and one of layer 1 in cell 4. */
const map = {
  cell: Uint32Array.of(4, 4, 5, 4),
  layer: Uint32Array.of(0, 0, 0, 1),
  visits: Uint32Array.of(3, 1, 0, 2),
  credit: Float32Array.of(1, -1, 0, 9),
  paid: Float32Array.of(0.5, -1, 0, 0),
  moved: Float32Array.of(0.4, 0, 0.3, 0),
  probs: Float32Array.of(1, 0, 0, 1, 0.5, 0.5, 0.25, 0.75),
} as unknown as LevelMap;

test('states that share a cell are averaged by their visits, other layers stay out', () => {
  const cells = cellsOfLayer(map, 0, ['right', 'down'], () => null);
  expect([...cells.keys()]).toEqual([4, 5]);
  // (3·1 + 1·(−1)) / 4 = 0.5; right: (3·1 + 1·0) / 4
  expect(cells.get(4)).toMatchObject({ rows: [0, 1], visits: 4, credit: 0.5 });
  expect([...cells.get(4)!.arrows]).toEqual([0.75, 0.25, 0, 0]);
  expect([...cells.get(5)!.arrows]).toEqual([0.5, 0.5, 0, 0]);
  // entropy 0 where an action is certain, log 2 where both are alike; moved (3·0.4 + 1·0) / 4
  expect(cells.get(4)!.entropy).toBe(0);
  expect(cells.get(5)!.entropy).toBeCloseTo(Math.log(2), 12);
  expect(cells.get(4)!.change).toBeCloseTo(0.3, 6);
  expect(cells.get(5)!.change).toBeCloseTo(0.3, 6);
});

test('where nobody was, states of a cell count alike', () => {
  const nobody = { ...map, visits: new Uint32Array(4) } as LevelMap;
  const cell = cellsOfLayer(nobody, 0, ['right', 'down'], () => null).get(4)!;
  expect([cell.visits, cell.credit, ...cell.arrows]).toEqual([0, 0, 0.5, 0.5, 0, 0]);
});

test('an agent with a heading has one arrow per heading, as long as going ahead is likely there', () => {
  const headings = [1, 3, 0, 2];
  const cell = cellsOfLayer(map, 0, ['turn left', 'forward'], (s) => headings[s]!).get(4)!;
  expect([...cell.arrows]).toEqual([0, 0, 0, 1]);
});

test('layers are listed in the order of their numbers with their first state', () => {
  expect(layersOfMap(map)).toEqual([
    { layer: 0, row: 0 },
    { layer: 1, row: 3 },
  ]);
});

test('names of layers say what tells them apart, and nothing else', () => {
  const [none, held] = [scene(['key', 'exit']), scene(['', 'exit'], ['red key'])];
  expect(layerNames([none, held])).toEqual(['without a key', 'with red key']);
  expect(layerNames([none])).toEqual(['all states']);
  expect(layerNames([scene(['door']), scene(['openDoor'])])).toEqual(['door shut', 'door open']);
  expect(layerNames([scene([]), scene([], ['red key']), scene([], ['red key', 'lamp'])])).toEqual([
    'empty-handed',
    'with red key',
    'with red key and lamp',
  ]);
  const doors = (open: boolean): Scene => ({ ...scene([]), passages: [{ a: 0, b: 0, color: 1, open }] });
  expect(layerNames([doors(false), doors(true)])).toEqual(['door shut', 'door open']);
  expect(layerNames([scene(['goal', 'goal']), scene(['goal', '']), scene(['', 'goal'])])).toEqual([
    '2 goals left',
    '1 goal left',
    '1 goal left (2)',
  ]);
});
