import { expect, test } from 'vitest';
import { environments } from '../../envs/registry.ts';
import type { RoomsKind } from '../../envs/editor.ts';
import { placesOf, sceneOfGraph } from './lattice.ts';
import { addRoom, exitOf, parseGraph, removeRoom, renameRoom, setExit, writeGraph } from './rooms.ts';

const kind = environments.find((e) => e.id === 'textmaze')!.editor as RoomsKind;
const text = [
  'rooms: hall attic vault',
  'start: hall',
  'edge: hall north attic',
  'door: hall east vault green',
  'key: green attic',
  'item: coin vault',
  'goal: bring coin hall',
].join('\n');
const graph = parseGraph(text, kind);

test('a level text is read and written again as it was', () => {
  expect(writeGraph(graph, kind)).toBe(text);
  expect(writeGraph(parseGraph('rooms: hall\nstart: hall\ngoal: reach hall', kind), kind)).toBe(
    'rooms: hall\nstart: hall\ngoal: reach hall',
  );
});

test('lines that make no sense are left out', () => {
  const rough = `${text}\nedge: hall up attic\nedge: hall south moon\nkey: red moon\nnonsense`;
  expect(writeGraph(parseGraph(rough, kind), kind)).toBe(text);
});

test('a way is seen from both of its ends', () => {
  expect(exitOf(graph, 'hall', 0)).toEqual({ to: 'vault', color: 'green' });
  expect(exitOf(graph, 'vault', 2)).toEqual({ to: 'hall', color: 'green' });
  expect(exitOf(graph, 'vault', 0)).toBeNull();
});

test('an exit takes the place of those it collides with', () => {
  // the south of attic is where hall arrived: both ends give way
  const moved = setExit(graph, 'vault', 3, 'attic', 'red');
  expect(exitOf(moved, 'hall', 3)).toBeNull();
  expect(exitOf(moved, 'attic', 1)).toEqual({ to: 'vault', color: 'red' });
  expect(exitOf(setExit(graph, 'vault', 2, null, null), 'hall', 0)).toBeNull();
});

test('another lock leaves the line of a way where it is', () => {
  expect(writeGraph(setExit(graph, 'vault', 2, 'hall', 'red'), kind)).toBe(text.replace('vault green', 'vault red'));
});

test('rooms come with the next free name and go with all that belongs to them', () => {
  const grown = addRoom(graph, kind, 'vault', 1);
  expect(grown.rooms.at(-1)).toBe('kitchen');
  expect(exitOf(grown, 'kitchen', 3)).toEqual({ to: 'vault', color: null });
  expect(writeGraph(removeRoom(graph, 'attic'), kind)).toBe(
    'rooms: hall vault\nstart: hall\ndoor: hall east vault green\nitem: coin vault\ngoal: bring coin hall',
  );
  const one = parseGraph('rooms: hall\nstart: hall\ngoal: reach hall', kind);
  expect(removeRoom(one, 'hall')).toBe(one);
});

test('a new name is used everywhere, a used one nowhere', () => {
  expect(writeGraph(renameRoom(graph, 'hall', 'porch'), kind)).toBe(text.replaceAll('hall', 'porch'));
  expect(renameRoom(graph, 'hall', 'attic')).toBe(graph);
});

test('rooms lie where their exits lead, and nobody in the place of another', () => {
  const full = kind.names.reduce((g) => addRoom(g, kind), graph);
  const places = [...placesOf(full).values()].map(({ x, y }) => `${x},${y}`);
  expect(new Set(places).size).toBe(16);
  const { scene, cellOf } = sceneOfGraph(graph, kind);
  // attic above the hall, vault to its right
  expect([scene.width, scene.height]).toEqual([2, 2]);
  expect([cellOf.get('attic'), cellOf.get('hall'), cellOf.get('vault')]).toEqual([0, 2, 3]);
  expect(scene.passages).toEqual([
    { a: 2, b: 0, open: true },
    { a: 2, b: 3, open: false, color: 2 },
  ]);
});
