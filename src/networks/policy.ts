import type { Tree } from '../contract/units.ts';
import type { AnyValues } from '../core/settings.ts';
import { gruLayout, type GruShape } from './gru/shape.ts';
import {
  halfLayers,
  isCopied,
  layoutOf,
  valuesOf,
  type Activation,
  type DenseLayout,
  type Layout,
  type NetworkShape,
} from './dense/shape.ts';
import { floatsOfChunk } from './transformer/chunk.ts';
import { grammarOf } from './transformer/grammar.ts';
import { transformerLayout, type Gate, type TransformerShape } from './transformer/shape.ts';

/** The policy as data: a chain of dense layers or a recurrent unit over bits, or a transformer over words. */
export type Policy =
  | { readonly kind: 'dense'; readonly shape: NetworkShape; readonly layout: DenseLayout }
  | { readonly kind: 'gru'; readonly shape: GruShape; readonly layout: Layout }
  | { readonly kind: 'transformer'; readonly shape: TransformerShape; readonly layout: Layout };

/** What a policy must know about the task: sizes of observation and action, and the language. */
export type TaskFacts = {
  /** observation bits in the view of the policy */
  readonly features: number;
  readonly actions: number;
  /** words of the language, longest observation in words, words of each action's command */
  readonly vocabulary: number;
  readonly observation: number;
  readonly commands: readonly (readonly number[])[];
};

/** The view a policy asks the task for; null: whatever the task is set to. A table reads the index of the state. */
export function viewOf(method: string): 'index' | 'tokens' | null {
  return method === 'tabular' ? 'index' : method === 'transformer' ? 'tokens' : null;
}

/** Values a critic has: the common settings of the policy. */
export function criticsOf(slot: { readonly [name: string]: unknown }): 1 | 2 {
  return slot['critics'] === 'double' ? 2 : 1;
}

/** Shape and layout of the policy `method` with the values of its form. */
export function policyFrom(method: string, p: AnyValues, task: TaskFacts, critic: boolean, values: 1 | 2 = 1): Policy {
  const { features, actions, vocabulary, observation, commands } = task;
  if (method === 'transformer') {
    const shape: TransformerShape = {
      kind: 'transformer',
      vocabulary,
      observation,
      history: p['history'] as number,
      width: p['width'] as number,
      heads: Number(p['heads']),
      layers: p['layers'] as number,
      hidden: p['hidden'] as number,
      gate: p['gate'] as Gate,
      gateBias: p['gateBias'] as number,
      tied: p['tied'] === true,
      grammar: grammarOf(commands, vocabulary, p['grammar'] === true),
      actions,
      critic,
      values,
    };
    return { kind: 'transformer', shape, layout: transformerLayout(shape) };
  }
  if (method === 'gru') {
    const shape: GruShape = {
      ...{ kind: 'gru', features, hidden: p['hidden'] as number, unroll: p['unroll'] as number },
      ...{ actions, critic, values },
    };
    return { kind: 'gru', shape, layout: gruLayout(shape) };
  }
  const tabular = method === 'tabular';
  const shape: NetworkShape = {
    kind: 'dense',
    features,
    hidden: tabular ? [] : (p['hidden'] as readonly number[]),
    activation: tabular ? 'tanh' : (p['activation'] as Activation),
    bias: !tabular,
    actions,
    critic,
    values,
    ...(p['storage'] === 'f16' ? { storage: 'f16' as const } : {}),
  };
  return { kind: 'dense', shape, layout: layoutOf(shape) };
}

/** Floats per replica through which a batch passes in chunks on WebGPU; dense layers keep the whole batch instead. */
export function floatsInPassing(policy: Policy): number {
  return policy.kind === 'transformer' ? floatsOfChunk(policy.shape, policy.layout) : 0;
}

/** Floats that copies in half floats take on WebGPU: for every step, and of the weights; 0 where nothing reads them. */
export function floatsOfHalves(policy: Policy): { readonly perStep: number; readonly weights: number } {
  if (policy.kind !== 'dense' || halfLayers(policy.shape).length === 0) return { perStep: 0, weights: 0 };
  const { shape, layout } = policy;
  const copied = shape.hidden.filter((_, k) => isCopied(shape, k));
  return { perStep: copied.reduce((sum, h) => sum + h, 0) / 2, weights: layout.size / 2 };
}

/** A policy that is a chain of dense layers; another one is a mistake of the caller. */
export function denseOf({ policy }: { readonly policy: Policy }): Extract<Policy, { kind: 'dense' }> {
  if (policy.kind !== 'dense') throw new Error('This policy is not a chain of dense layers.');
  return policy;
}

/** The choices of a step where an action is written in words; null where it is chosen as a whole. */
export const wordsOf = (policy: Policy): Tree | null => (policy.kind === 'transformer' ? policy.shape.grammar : null);

/** True if what the policy does at a step depends on all steps before it. */
export const remembers = ({ kind }: Policy): boolean => kind === 'gru';

/** Numbers that come out for a step of a policy with one unit: logits, then values. */
export function outputsOf({ policy }: { readonly policy: Policy }): number {
  return policy.shape.actions + valuesOf(policy.shape);
}

/** A policy that is a transformer. */
export function transformerOf({ policy }: { readonly policy: Policy }): Extract<Policy, { kind: 'transformer' }> {
  if (policy.kind !== 'transformer') throw new Error('This policy is not a transformer.');
  return policy;
}
