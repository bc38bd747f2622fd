import { VOCABULARY } from '../envs/vocabulary.ts';
import { activate, denseForward, sparseForward } from '../networks/dense/dense.ts';
import { linear } from '../networks/dense/linear.ts';
import type { Tensor } from '../networks/layout.ts';
import { denseOf, makeNetwork } from '../networks/policy.ts';
import type { Reading } from '../networks/types.ts';
import type { BatchView } from '../engine/backend.ts';
import type { BatchName } from './creditTypes.ts';
import type { Plan } from '../engine/plan.ts';

/** A step of a batch that was shown. */
export type InsideRequest = BatchName & { readonly i: number; readonly t: number };

type Common = {
  readonly update: number;
  readonly i: number;
  readonly t: number;
  /** [actions] π of this step, as it sampled */
  readonly probs: Float32Array;
  /** the parameters that sampled, tensor by tensor; null where they are too many to be sent again and again */
  readonly tensors: readonly (Tensor & { readonly values: Float32Array })[] | null;
  /** the world draws noise over what is seen: here it is without */
  readonly isNoisy: boolean;
};

/** A chain of dense layers, or a table: one layer over the one-hot index of the state. */
export type DenseInside = Common & {
  readonly kind: 'dense';
  readonly isTable: boolean;
  readonly features: number;
  /** which of the features are on */
  readonly on: Uint32Array;
  /** outputs of every layer: hidden ones after their activation, the last one the logits, then the values of a critic */
  readonly layers: readonly Float32Array[];
};

/**
 * A network that reads words, at the place where it writes the first word of its command; or one that looks back at single
 * steps, at the step itself.
 */
export type WordInside = Common & {
  readonly kind: 'words' | 'steps';
  /** words of the sequence that it reads: commands of the past, the observation, and the place of the first word; or its steps */
  readonly words: readonly string[];
  readonly layers: number;
  readonly heads: number;
  /** [layers, heads, words] share of its attention that each word gets */
  readonly attention: Float32Array;
  /**
   * which of its steps had in view what decides later, none where that is further back than it looks; null: no step did, or
   * nobody says so
   */
  readonly cues: readonly number[] | null;
};

/** A network of which only weights and choices are shown. */
export type PlainInside = Common & { readonly kind: 'plain' };

export type Inside = DenseInside | WordInside | PlainInside;

/** More parameters than this are not sent: two megabytes at most. */
const MOST = 500_000;

/** The policy that played step t of episode i, worked out again by the definition; nothing of the run moves. */
export function insideOf(plan: Plan, view: BatchView, request: InsideRequest): Inside {
  const { T, env, obsWords, actions, policy } = plan;
  const i = Math.max(0, Math.min(request.i, view.batch.B - 1));
  const t = Math.max(0, Math.min(request.t, view.batch.length[i]! - 1));
  const obs = new Uint32Array(obsWords);
  env.observe(plan.level(view.levelSeeds[i]!), view.state, (i * (T + 1) + t) * env.words, obs, 0);
  const { theta } = view;
  const { layout } = policy;
  const slice = (x: Tensor): Float32Array => theta.slice(x.offset, x.offset + x.rows * x.cols);
  const common = {
    ...{ update: view.update, i, t },
    probs: view.probs.slice((i * T + t) * actions, (i * T + t + 1) * actions),
    tensors: layout.size > MOST ? null : layout.tensors.map((x) => ({ ...x, values: slice(x) })),
    isNoisy: plan.flickers || plan.wrapping.see.length > 0,
  };
  const { network } = policy;
  if (network.isChain) return { ...common, ...chainOf(plan, theta, obs) };
  if (!network.reading) return { ...common, ...(stepsOf(plan, view, i, t) ?? { kind: 'plain' }) };
  const written = view.written?.command ?? new Uint32Array(i * T + t + 1);
  return { ...common, kind: 'words', ...wordsOf(network.reading(policy, theta, { obs, written, from: i * T, t })) };
}

/** Forward through the chain for one observation. */
function chainOf(plan: Plan, theta: Float32Array, obs: Uint32Array): Omit<DenseInside, keyof Common> {
  const { shape, layout } = denseOf(plan);
  const { widths, tensors } = layout;
  const offset = (layer: number, kind: Tensor['kind']): number =>
    tensors.find((x) => x.layer === layer && x.kind === kind)?.offset ?? -1;
  const layers: Float32Array[] = [];
  const weights = { theta, from: 0 };
  for (let k = 0; k + 1 < widths.length; k++) {
    const out = widths[k + 1]!;
    const layer = linear(widths[k]!, out, offset(k, 'weight'), offset(k, 'bias'));
    const Z = new Float32Array(out);
    if (k === 0) sparseForward(layer, weights, { bits: obs, at: new Int32Array(1), words: obs.length }, 1, Z);
    else denseForward(layer, weights, layers[k - 1]!, 1, Z);
    if (k + 2 < widths.length) activate(shape.activation, Z, out, Z);
    layers.push(Z);
  }
  const on = Array.from({ length: shape.features }, (_, f) => f).filter((f) => (obs[f >>> 5]! >>> (f & 31)) & 1);
  return { kind: 'dense', isTable: !shape.bias, features: shape.features, on: Uint32Array.from(on), layers };
}

/** The same with the words of the language. */
function wordsOf({ tokens, layers, heads, attention }: Reading): Omit<WordInside, keyof Common | 'kind'> {
  const words = Array.from(tokens, (token) => VOCABULARY[token] ?? '?');
  return { words, layers, heads, attention, cues: null };
}

/** Which steps of the episode the policy looks back at; null where it does not look at single ones. */
function stepsOf(plan: Plan, view: BatchView, i: number, t: number): Omit<WordInside, keyof Common> | null {
  const { T, env, obsWords } = plan;
  const network = makeNetwork(plan.policy);
  if (!network.lookedBack) return null;
  const obs = new Uint32Array((t + 1) * obsWords);
  const level = plan.level(view.levelSeeds[i]!);
  for (let u = 0; u <= t; u++) env.observe(level, view.state, (i * (T + 1) + u) * env.words, obs, u * obsWords);
  network.read({ obs, written: new Uint32Array(t + 1), T: t, obsWords }, 0, t);
  network.forward(view.theta, 0);
  const { layers, heads, first, shares } = network.lookedBack();
  const words = Array.from({ length: shares.length / (layers * heads) }, (_, k) => `step ${first + k + 1}`);
  const seen = Array.from({ length: t + 1 }, (_, u) => u).filter(
    (u) => env.scene(level, view.state, (i * (T + 1) + u) * env.words).isCue,
  );
  const cues = seen.length === 0 ? null : seen.filter((u) => u >= first).map((u) => u - first);
  return { kind: 'steps', words, layers, heads, attention: shares, cues };
}
