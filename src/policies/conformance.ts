import { GateMemory, gateForward } from './transformer/gates.ts';
import { activate, denseForward } from './dense.ts';
import { attention, layerNorm } from './transformer/ops.ts';
import { Sequences } from './transformer/sequence.ts';
import type { Gate } from './transformer/shape.ts';

/** A case of a golden file with schema rollout-policy/1. */
export type PolicyCase = {
  readonly name: string;
  readonly kind: string;
  readonly params: Readonly<Record<string, number | string>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, readonly number[]>>;
};
export type Check = {
  readonly key: string;
  readonly built: boolean;
  readonly passed: boolean;
  readonly maxError: number;
};
type Weights = Readonly<Record<string, readonly number[]>>;

/** Compares the gates and the block of GTrXL with a golden file; other kinds are not built. */
export function checkPolicyCase(c: PolicyCase, tolerance: { readonly abs: number; readonly rel: number }): Check[] {
  const got = c.kind === 'gtrxlGate' ? gates(c) : c.kind === 'gtrxlBlock' ? block(c) : null;
  if (!got) return [{ key: c.kind, built: false, passed: false, maxError: 0 }];
  return Object.entries(c.expected).map(([key, want]) => {
    const have = got[key];
    if (!have) return { key: `${c.kind}.${key}`, built: false, passed: false, maxError: 0 };
    const errors = want.map((w, k) => Math.abs(have[k]! - w));
    const passed =
      have.length === want.length && want.every((w, k) => errors[k]! <= tolerance.abs + tolerance.rel * Math.abs(w));
    return { key: `${c.kind}.${key}`, built: true, passed, maxError: Math.max(...errors) };
  });
}

/** [in, out] from the golden file's [out, in]. */
function turned(weights: readonly number[], inputs: number, outputs: number): number[] {
  return Array.from({ length: inputs * outputs }, (_, k) => weights[(k % outputs) * inputs + Math.floor(k / outputs)]!);
}

/** The tensors of one gate behind each other in the layout of `gateForward`, and where they lie. */
function gateTensors(gate: Gate, w: Weights, D: number): { theta: Float32Array; at: Record<string, number> } {
  const columns = (...names: string[]): number[] => {
    const parts = names.map((name) => turned(w[name]!, D, D));
    return Array.from({ length: D }, (_, i) => parts.flatMap((p) => p.slice(i * D, (i + 1) * D))).flat();
  };
  const all: Record<string, number[]> =
    gate === 'gru'
      ? { Wy: columns('Wr', 'Wz', 'Wg'), Ux: columns('Ur', 'Uz'), Ug: columns('Ug') }
      : gate === 'sigtanh'
        ? { Wy: columns('Wg'), Uy: columns('Ug') }
        : { Wx: columns('Wg') };
  all['b'] = [...w['b']!];
  const at: Record<string, number> = {};
  const values: number[] = [];
  for (const [name, list] of Object.entries(all)) {
    at[name] = values.length;
    values.push(...list);
  }
  return { theta: Float32Array.from(values), at };
}

function gates({ params, inputs }: PolicyCase): Record<string, readonly number[]> {
  const D = params['width'] as number;
  const x = Float32Array.from(inputs['x'] as number[]);
  const out: Record<string, readonly number[]> = {};
  for (const gate of ['input', 'output', 'highway', 'sigtanh', 'gru'] as const) {
    const memory = new GateMemory(1, D);
    memory.y.set(inputs['y'] as number[]);
    const { theta, at } = gateTensors(gate, inputs['weights'] as Weights, D);
    const result = new Float32Array(D);
    gateForward(gate, x, memory, 1, D, theta, at, result);
    out[gate] = [...result];
    if (gate === 'gru') out['updateGate'] = [...memory.z];
  }
  return out;
}

/** One block over [memory; segment]: the memory is read but does not ask. */
function block({ params, inputs }: PolicyCase): Record<string, readonly number[]> {
  const [D, heads, M, L, F] = ['width', 'heads', 'memory', 'segment', 'hidden'].map(
    (name) => params[name] as number,
  ) as [number, number, number, number, number];
  const gate = params['gate'] as Gate;
  const list = (name: string): number[] => inputs[name] as number[];
  const valid = list('memoryValid');
  const memory = list('memoryState').filter((_, k) => valid[Math.floor(k / D)] === 1);
  const held = memory.length / D;
  const stream = Float32Array.from([...memory, ...list('x')]);
  const tokens = held + L;
  const theta: number[] = [];
  const put = (values: readonly number[]): number => theta.push(...values) - values.length;
  const ln1 = [put(list('ln1Gain')), put(list('ln1Bias'))] as const;
  const qkv = ['Wq', 'Wk', 'Wv'].map((name) => turned(list(name), D, D));
  const Wqkv = put(Array.from({ length: D }, (_, i) => qkv.flatMap((w) => w.slice(i * D, (i + 1) * D))).flat());
  const rel = put(list('relativeBias'));
  const Wo = put(turned(list('Wo'), D, D));
  const ln2 = [put(list('ln2Gain')), put(list('ln2Bias'))] as const;
  const W1 = put(turned(list('W1'), D, F));
  const b1 = put(list('b1'));
  const W2 = put(turned(list('W2'), F, D));
  const b2 = put(list('b2'));
  const weights = Float32Array.from(theta);

  const queries = Array.from({ length: L }, (_, i) => held + i);
  // one row of `tokens` places, oldest first
  const seq = Object.assign(Object.create(Sequences.prototype) as Sequences, {
    rows: 1,
    count: tokens,
    start: Int32Array.of(0, tokens),
    // invalid slots are skipped, but the others keep their distance
    order: Int32Array.from([...valid.keys()].filter((k) => valid[k] === 1).concat(queries.map((_, i) => M + i))),
    ancestors: new Int32Array(tokens),
    prefix: new Int32Array(tokens).fill(-1),
  });
  const make = (rows: number, n: number): Float32Array => new Float32Array(rows * n);
  const n1 = make(tokens, D);
  layerNorm(stream, tokens, D, weights, ln1[0], ln1[1], n1, make(tokens, D), make(tokens, 1));
  const QKV = make(tokens, 3 * D);
  denseForward(n1, tokens, D, weights, Wqkv, -1, 3 * D, QKV);
  const O = make(L, D);
  attention(seq, Int32Array.from(queries), L, QKV, D, heads, weights, rel, M + L, O);
  const first = new GateMemory(L, D);
  denseForward(O, L, D, weights, Wo, -1, D, first.y);
  activate('relu', first.y, L * D, first.y);
  const segment = stream.slice(held * D);
  const mid = make(L, D);
  const g1 = gateTensors(gate, inputs['gate1'] as Weights, D);
  gateForward(gate, segment, first, L, D, g1.theta, g1.at, mid);
  const n2 = make(L, D);
  layerNorm(mid, L, D, weights, ln2[0], ln2[1], n2, make(L, D), make(L, 1));
  const H = make(L, F);
  denseForward(n2, L, D, weights, W1, b1, F, H);
  activate('relu', H, L * F, H);
  const second = new GateMemory(L, D);
  denseForward(H, L, F, weights, W2, b2, D, second.y);
  activate('relu', second.y, L * D, second.y);
  const out = make(L, D);
  const g2 = gateTensors(gate, inputs['gate2'] as Weights, D);
  gateForward(gate, mid, second, L, D, g2.theta, g2.at, out);
  // the newest M inputs of the layer are the memory of the next segment
  const all = [...list('memoryState'), ...list('x')];
  return { afterAttention: [...mid], output: [...out], nextMemory: all.slice(all.length - M * D) };
}
