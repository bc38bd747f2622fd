import { expect, test } from 'vitest';
import { random, uniform } from '../../core/random.ts';
import { networks } from '../registry.ts';
import { GateLayer } from './gates.ts';
import { grammarOf } from './grammar.ts';
import { GATES, offsetsOf, transformerLayout, transformerWeights, type Gate, type TransformerShape } from './shape.ts';

const D = 16;
const ROWS = 32;
const u = (a: number, k: number): number => 2 * uniform(random(5, 98, a, k, 0)) - 1;

/** How far the output of a gate with fresh weights lies from the stream, as a share of the stream. */
function change(gate: Gate): number {
  const shape: TransformerShape = {
    ...{ vocabulary: 6, observation: 4, history: 0, width: D, heads: 1, layers: 1, hidden: 8 },
    ...{ gate, gateBias: 2, tied: false, grammar: grammarOf([[5]], 6, true), actions: 1, critic: false },
  };
  const layout = transformerLayout(shape);
  const theta = new Float32Array(layout.size);
  transformerWeights(shape, 1, theta);
  const at = Object.fromEntries(
    Object.entries(offsetsOf(layout)).flatMap(([name, offset]) =>
      name.startsWith('g1') ? [[name.slice(2, -2), offset]] : [],
    ),
  );
  const layer = new GateLayer(gate, D, at, ROWS);
  const x = Float32Array.from({ length: ROWS * D }, (_, k) => u(1, k));
  // what a sub-layer gives to a gate has no negative numbers
  layer.memory.y.set(x.map((_, k) => Math.max(0, u(2, k))));
  const out = new Float32Array(ROWS * D);
  layer.forward({ theta, from: 0 }, x, ROWS, out);
  const size = (values: Float32Array): number => Math.hypot(...values);
  return size(out.map((value, k) => value - x[k]!)) / size(x);
}

test('as the form says, all gates but “input” start near the identity, and a plain sum does not', () => {
  const said = networks.flatMap(({ params }) => ('gate' in params ? [params['gate']!.doc] : []));
  expect(said).toEqual([
    'How a layer joins the stream; all but “input” and the sum start near the identity.',
    'How a layer joins the stream; all but “input” and the sum start near the identity.',
    'How a layer joins the stream; all GTrXL gates but “input” start near the identity.',
  ]);
  const shares = Object.fromEntries(GATES.map((gate) => [gate, change(gate)]));
  for (const gate of ['gru', 'output', 'highway', 'sigtanh'] as const) expect(shares[gate], gate).toBeLessThan(0.25);
  for (const gate of ['none', 'input'] as const) expect(shares[gate], gate).toBeGreaterThan(0.5);
});
