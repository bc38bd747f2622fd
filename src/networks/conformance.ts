import { GtrxlNetwork } from './gtrxl/gtrxlNetwork.ts';
import { gtrxlLayout, type GtrxlShape } from './gtrxl/shape.ts';
import { memoGolden } from './memo/golden.ts';
import { offsetsOf, transformerLayout, type Gate, type TransformerShape } from './transformer/shape.ts';
import { GateLayer } from './transformer/gates.ts';
import type { Grammar } from './transformer/grammar.ts';
import { Transformer } from './transformer/transformer.ts';

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

/** Compares the gates and the block that trains with a golden file; what training does not have is not built, by name. */
export function checkPolicyCase(c: PolicyCase, tolerance: { readonly abs: number; readonly rel: number }): Check[] {
  const unbuilt = (key: string): Check => ({ key, built: false, passed: false, maxError: 0 });
  if (c.kind === 'gtrxlBlock') {
    const without = missing(c);
    if (without !== null) return [unbuilt(`gtrxlBlock with ${without}`)];
  }
  const by: Readonly<Record<string, (c: PolicyCase) => Record<string, readonly number[]>>> = {
    ...{ gtrxlGate: gates, gtrxlBlock: block, memoLayout: memoGolden },
  };
  const got = Object.hasOwn(by, c.kind) ? by[c.kind]!(c) : null;
  if (!got) return [unbuilt(c.kind)];
  return Object.entries(c.expected).map(([key, want]) => {
    const have = got[key];
    if (!have) return unbuilt(`${c.kind}.${key}`);
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

/** Square matrices of the golden file side by side, [in, out] each. */
function beside(parts: readonly (readonly number[])[], D: number): number[] {
  const all = parts.map((part) => turned(part, D, D));
  return Array.from({ length: D }, (_, i) => all.flatMap((p) => p.slice(i * D, (i + 1) * D))).flat();
}

/** The tensors of one gate by the names they have in the layout of the transformer. */
function gateTensors(gate: Gate, w: Weights, D: number): Record<string, readonly number[]> {
  const of = (...names: string[]): number[] =>
    beside(
      names.map((name) => w[name]!),
      D,
    );
  if (gate === 'none') return {};
  if (gate === 'input') return { Wx: of('Wg') };
  if (gate === 'gru') return { Wy: of('Wr', 'Wz', 'Wg'), Ux: of('Ur', 'Uz'), Ug: of('Ug'), b: w['b']! };
  if (gate === 'sigtanh') return { Wy: of('Wg'), Uy: of('Ug'), b: w['b']! };
  return { Wx: of('Wg'), b: w['b']! };
}

/** What the golden file calls a gate is called so in the settings. */
const GATE_NAMES: Readonly<Record<string, Gate>> = {
  ...{ input: 'input', output: 'output', highway: 'highway', sigtanh: 'sigtanh', gru: 'gru', residual: 'none' },
};

function gates({ params, inputs }: PolicyCase): Record<string, readonly number[]> {
  const D = params['width'] as number;
  const x = Float32Array.from(inputs['x'] as number[]);
  const out: Record<string, readonly number[]> = {};
  for (const [name, gate] of Object.entries(GATE_NAMES)) {
    const at: Record<string, number> = {};
    const values: number[] = [];
    for (const [tensor, list] of Object.entries(gateTensors(gate, inputs['weights'] as Weights, D))) {
      at[tensor] = values.length;
      values.push(...list);
    }
    const result = new Float32Array(D);
    const layer = new GateLayer(gate, D, at, 1);
    layer.memory.y.set(inputs['y'] as number[]);
    layer.forward({ theta: Float32Array.from(values), from: 0 }, x, 1, result);
    out[name] = [...result];
    if (gate === 'gru') out['updateGate'] = [...layer.memory.z];
  }
  return out;
}

/** Prefixes are bits of one word. */
const MOST_PREFIXES = 32;

/** What a block of a case needs that training does not have, or null. */
function missing({ params, inputs }: PolicyCase): string | null {
  const gate = String(params['gate']);
  // without a gate a sub-layer joins the stream as it is, not behind a ReLU
  if (gate === 'residual' || !Object.hasOwn(GATE_NAMES, gate)) return `the gate ${gate}`;
  const valid = inputs['memoryValid'] as readonly number[];
  if (valid.some((v, k) => k > 0 && v === 0 && valid[k - 1] !== 0)) return 'a hole in the memory';
  return (params['segment'] as number) > MOST_PREFIXES ? `a segment of more than ${MOST_PREFIXES}` : null;
}

/** Lays the weights of the block of a case into the first layer of a network. */
function putBlock(
  { params, inputs }: Pick<PolicyCase, 'params' | 'inputs'>,
  at: Readonly<Record<string, number>>,
  theta: Float32Array,
): void {
  const [D, F] = [params['width'] as number, params['hidden'] as number];
  const gate = GATE_NAMES[params['gate'] as string]!;
  const list = (name: string): readonly number[] => inputs[name] as readonly number[];
  const put = (name: string, values: readonly number[]): void => theta.set(values, at[name]!);
  put('ln1gain.0', list('ln1Gain'));
  put('ln1bias.0', list('ln1Bias'));
  put('Wqkv.0', beside([list('Wq'), list('Wk'), list('Wv')], D));
  put('rel.0', list('relativeBias'));
  put('Wo.0', turned(list('Wo'), D, D));
  put('ln2gain.0', list('ln2Gain'));
  put('ln2bias.0', list('ln2Bias'));
  put('W1.0', turned(list('W1'), D, F));
  put('b1.0', list('b1'));
  put('W2.0', turned(list('W2'), F, D));
  put('b2.0', list('b2'));
  for (const which of [1, 2])
    for (const [name, values] of Object.entries(gateTensors(gate, inputs[`gate${which}`] as Weights, D)))
      put(`g${which}${name}.0`, values);
}

/**
 * The block of a case as a network over the steps of an episode: each step is seen as a bit of its own, whose vector is what the
 * file has in its memory or in its segment. Returns the stream after the layer at the steps of the segment; null where the
 * memory is not filled with whole segments, as that of an episode is.
 */
export function blockOfSteps({ params, inputs }: PolicyCase): number[] | null {
  const [D, heads, M, L, F] = ['width', 'heads', 'memory', 'segment', 'hidden'].map(
    (name) => params[name] as number,
  ) as [number, number, number, number, number];
  const valid = inputs['memoryValid'] as readonly number[];
  const before = valid.filter((v) => v !== 0).length;
  if (before % L !== 0) return null;
  const shape: GtrxlShape = {
    ...{ features: before + L, width: D, heads, layers: 1, hidden: F, memory: M, segment: L },
    ...{ gate: GATE_NAMES[params['gate'] as string]!, gateBias: 0, actions: 1, critic: false },
  };
  const layout = gtrxlLayout(shape);
  const at = offsetsOf(layout);
  const theta = new Float32Array(layout.size);
  const memory = inputs['memoryState'] as readonly number[];
  theta.set([...memory.slice((M - before) * D), ...(inputs['x'] as readonly number[])], at['in']!);
  putBlock({ params, inputs }, at, theta);
  const network = new GtrxlNetwork(shape, layout, 0);
  const [T, obsWords] = [before + L - 1, Math.ceil((before + L) / 32)];
  const obs = new Uint32Array((T + 1) * obsWords);
  for (let t = 0; t <= T; t++) obs[t * obsWords + (t >> 5)] = 1 << (t & 31);
  for (let t = before; t <= T; t++) network.read({ obs, written: new Uint32Array(T + 1), T, obsWords }, 0, t);
  network.forward(theta, 0);
  return [...network.hidden.out.subarray(0, L * D)];
}

/**
 * One layer of the transformer that trains. Memory and segment lie where observation and prefixes lie, and both see alike: what
 * stands before is read and does not ask, what follows asks and sees what stands before it. Vectors of words are 0 and
 * vectors of places are the stream. Training keeps no memory between segments, so there is no next one.
 */
function block({ params, inputs }: PolicyCase): Record<string, readonly number[]> {
  const [D, heads, M, L, F] = ['width', 'heads', 'memory', 'segment', 'hidden'].map(
    (name) => params[name] as number,
  ) as [number, number, number, number, number];
  const gate = GATE_NAMES[params['gate'] as string]!;
  const list = (name: string): readonly number[] => inputs[name] as readonly number[];
  const valid = list('memoryValid');
  // every prefix is the beginning of the next one
  const prefixes = Array.from({ length: L }, (_, depth) => ({
    ...{ token: 1, depth, first: 0, count: 0 },
    ancestors: 2 ** (depth + 1) - 1,
  }));
  const grammar: Grammar = { masked: true, prefixes, slots: [], commands: new Uint32Array(), length: L, decisions: 1 };
  const shape: TransformerShape = {
    ...{ vocabulary: 5, observation: M, history: 0, width: D, heads, layers: 1, hidden: F },
    ...{ gate, gateBias: 0, tied: false, grammar, actions: 1, critic: false },
  };
  const layout = transformerLayout(shape);
  const at = offsetsOf(layout);
  const theta = new Float32Array(layout.size);
  theta.set([...list('memoryState'), ...list('x')], at['P']!);
  putBlock({ params, inputs }, at, theta);
  const net = new Transformer(shape, layout, 1);
  // a word where the memory holds something, <pad> where it does not
  const obs = new Uint32Array(Math.ceil(M / 4));
  valid.forEach((v, k) => (obs[k >> 2]! |= (v === 0 ? 0 : 4) << (8 * (k & 3))));
  net.seq.add(obs, 0, new Uint32Array(1), 0, 0);
  net.forward(theta, 0);
  const { afterAttention, output } = net.streamOf(0);
  return { afterAttention: [...afterAttention], output: [...output] };
}
