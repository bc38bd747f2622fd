import { expect, test } from 'vitest';
import { drawnGraph } from '../../lab/analysis/graphChains.ts';
import { trajectoryGraph } from '../../lab/analysis/graph.ts';
import { layoutGraph } from '../../lab/analysis/graphLayout.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { lineMeans } from './drawGraph.ts';
import { batchSteps, drawnFocus, focusOfHit, move, stepOf, visitOf } from './focus.ts';
import { fit, geometryOf, held, hit, pointOf, reveal, zoom } from './geometry.ts';
import { groupOf, valuesOf } from './question.ts';
import { edgeSentence, graphSentence, historySentence, nodeSentence, search, waysOf } from './words.ts';

/** Task 1 (rows 1 and 2 of the batch): 1 →right→ 2 →right→ 3 (goal) and 1 →left→ 1 →right→ 2 (cut). */
const snapshot = {
  B: 3,
  T: 2,
  length: Uint32Array.of(1, 2, 2),
  taskIndex: Uint32Array.of(0, 1, 1),
  stateKey: Uint32Array.of(0, 9, 0, 0, 0, 1, 0, 2, 0, 1, 0, 1),
  finalStateKey: Uint32Array.of(0, 8, 0, 3, 0, 2),
  action: Uint32Array.of(0, 0, 1, 1, 0, 1),
  success: Uint32Array.of(0, 1, 0),
  terminated: Uint32Array.of(1, 1, 0),
  outcome: Float32Array.of(0, 1, 0),
  words: 1,
  actions: ['left', 'right'],
  state: Uint32Array.from({ length: 9 }, (_, k) => k),
} as unknown as Snapshot;

function made(batch: Snapshot = snapshot, task = 1) {
  const group = groupOf(batch, task);
  const graph = trajectoryGraph(group.batch, 0, 0);
  const drawn = drawnGraph(graph, new Set());
  const isSource = Uint8Array.from(drawn.inside, (list) => (graph.starts[list[0]!]! > 0 ? 1 : 0));
  const layout = layoutGraph({ ...drawn, weight: Array.from(drawn.edge, () => 1), isSource });
  const names = Array.from({ length: graph.nodes }, (_, v) => ({ short: `n${v}`, long: `place ${v}` }));
  return { group, graph, drawn, layout, names };
}

test('a group is copied out of its batch, row by row', () => {
  const group = groupOf(snapshot, 1);
  expect(group.members).toEqual([1, 2]);
  expect([...group.batch.length]).toEqual([2, 2]);
  expect([...group.batch.action]).toEqual([1, 1, 0, 1]);
  expect([...group.state]).toEqual([3, 4, 5, 6, 7, 8]);
  expect([...valuesOf(group, Float32Array.of(0, 0, 1, 2, 3, 4))]).toEqual([1, 2, 3, 4]);
});

test('sentences count what happened', () => {
  const m = made();
  expect(graphSentence(m)).toBe(
    '2 episodes of task 2, 1 of them reached the goal. Their 4 steps merge into 3 states and 3 different steps; ' +
      '50 % of the steps were taken more than once.',
  );
  expect(nodeSentence(m, 0)).toBe('State: place 0; visited 3 times; 2 episodes start here.');
  expect(nodeSentence(m, 1)).toBe('State: place 1; visited twice; 1 episode is cut off here by the step limit.');
  expect(nodeSentence(m, 2)).toBe('State: place 2; visited once; 1 episode reaches the goal here.');
  expect(edgeSentence(m, 0, ['left', 'right'], '+0.5')).toBe(
    'Step: right in place 0, leading to place 1; taken twice by 2 episodes, of which 1 reached the goal; mean credit +0.5.',
  );
  expect(historySentence(0, 5)).not.toBe(historySentence(1, 5));
  expect(historySentence(5, 5)).toContain('tree');
});

test('search finds states by their words and steps by their action', () => {
  const m = made();
  expect(search(m, ['left', 'right'], ' ')).toBeNull();
  expect(search(m, ['left', 'right'], 'RIGHT')).toEqual({ nodes: [], edges: [0, 1] });
  expect(search(m, ['left', 'right'], 'place 2')).toEqual({ nodes: [2], edges: [] });
});

test('a step of the batch and its edge find each other', () => {
  const m = made();
  expect(stepOf(m, 2, 1)).toEqual({ kind: 'edge', at: 0 });
  expect(stepOf(m, 2, 2)).toEqual({ kind: 'node', at: 1 });
  // an episode of another task: the start
  expect(stepOf(m, 0, 0)).toEqual({ kind: 'node', at: 0 });
  expect(visitOf(m, { kind: 'edge', at: 0 }, 2)).toEqual({ i: 2, t: 1 });
  expect(visitOf(m, { kind: 'edge', at: 0 }, 0)).toEqual({ i: 1, t: 0 });
  expect(visitOf(m, { kind: 'node', at: 2 }, 2)).toEqual({ i: 1, t: 2 });
  // both episodes went right from 1: steps 0 of row 1 and 1 of row 2, with two steps a row
  expect([...batchSteps(m, 0)]).toEqual([2, 5]);
  for (let e = 0; e < m.drawn.edges; e++) {
    const focus = focusOfHit(m, { kind: 'edge', at: e });
    expect(drawnFocus(m, focus)).toEqual({ kind: 'edge', at: e });
  }
});

test('keys walk along the edges and never leave the graph', () => {
  const m = made();
  const start = { kind: 'node', at: 0 } as const;
  const first = move(m, start, 'ArrowRight')!;
  expect(first).toEqual({ kind: 'edge', at: 0 });
  expect(move(m, first, 'ArrowRight')).toEqual({ kind: 'node', at: 1 });
  expect(move(m, first, 'ArrowLeft')).toEqual(start);
  // the other way out of the start: the loop
  expect(move(m, first, 'ArrowDown')).toEqual({ kind: 'edge', at: 2 });
  expect(waysOf(m, 0, 'out')).toEqual([0, 2]);
  expect(move(m, start, 'ArrowLeft')).toEqual(start);
  expect(move(m, { kind: 'node', at: 2 }, 'ArrowRight')).toEqual({ kind: 'node', at: 2 });
  expect(move(m, { kind: 'node', at: 2 }, 'Home')).toEqual(start);
  expect(move(m, start, 'x')).toBeNull();
});

test('what is drawn can be hit: every node in its middle, every edge where no node is', () => {
  const { graph, drawn, layout } = made();
  const geometry = geometryOf(graph, drawn, layout, 600);
  const camera = fit(geometry, { width: 600, height: 300 });
  const screen = ([x, y]: readonly number[]): [number, number] => [
    x! * camera.scale + camera.left,
    y! * camera.scale + camera.top,
  ];
  for (let v = 0; v < drawn.nodes; v++)
    expect(hit(geometry, camera, ...screen([geometry.x[v]!, geometry.y[v]!]))).toEqual({ kind: 'node', at: v });
  for (let e = 0; e < drawn.edges; e++)
    expect(hit(geometry, camera, ...screen(pointOf(geometry, e, 0.5)))).toEqual({ kind: 'edge', at: e });
  expect(hit(geometry, camera, -500, -500)).toBeNull();
});

test('many loops of one state are drawn as one line that stands for all', () => {
  const actions = [0, 1, 2, 3, 4];
  const loops = {
    ...snapshot,
    B: 1,
    T: 6,
    length: Uint32Array.of(6),
    taskIndex: Uint32Array.of(0),
    stateKey: Uint32Array.from({ length: 12 }, (_, k) => k % 2),
    finalStateKey: Uint32Array.of(0, 2),
    action: Uint32Array.of(...actions, 5),
    success: Uint32Array.of(1),
    terminated: Uint32Array.of(1),
    outcome: Float32Array.of(1),
    state: new Uint32Array(7),
  } as unknown as Snapshot;
  const { graph, drawn, layout } = made(loops, 0);
  const geometry = geometryOf(graph, drawn, layout, 600);
  expect([...geometry.bundles]).toEqual([[0, actions]]);
  expect([...geometry.lineOf]).toEqual([0, 0, 0, 0, 0, 5]);
  expect(geometry.line.filter((wide) => wide > 0).length).toBe(2);
  // credit 1 … 5 on the loops, each walked once: 3 on their line
  const shown = lineMeans({ graph, drawn }, geometry, Float32Array.of(1, 2, 3, 4, 5, 6));
  expect([shown[0], shown[5]]).toEqual([3, 6]);
});

test('zooming keeps the point under it, and what is revealed lies in the picture', () => {
  const { graph, drawn, layout } = made();
  const geometry = geometryOf(graph, drawn, layout, 600);
  const size = { width: 600, height: 300 };
  const camera = fit(geometry, size);
  const larger = zoom(camera, 2, 100, 50);
  const under = (c: typeof camera): number => (100 - c.left) / c.scale;
  expect(under(larger)).toBeCloseTo(under(camera), 6);
  const far = held({ ...larger, left: 9e9, top: -9e9 }, geometry, size);
  expect(far.left).toBeLessThan(600);
  const seen = reveal(far, geometry.x[2]!, geometry.y[2]!, size);
  const x = geometry.x[2]! * seen.scale + seen.left;
  expect(x).toBeGreaterThanOrEqual(59);
  expect(x).toBeLessThanOrEqual(541);
});
