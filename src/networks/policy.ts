import type { Network } from '../contract/network.ts';
import { actionTree, type Tree } from '../contract/units.ts';
import type { AnyValues } from '../core/settings.ts';
import type { DenseLayout, NetworkShape } from './dense/shape.ts';
import type { Kernels } from './kernels.ts';
import { valuesOf } from './layout.ts';
import { networks } from './registry.ts';
import type { NetworkModule, Recording, Shape, Sized, TaskFacts } from './types.ts';

/** The network of a run with its sizes. */
export type Policy = Sized & {
  readonly network: NetworkModule;
  /** the choices of a step where an action is written in words; null where it is chosen as a whole */
  readonly words: Tree | null;
  /** how many earlier steps count for what it does at a step; Infinity: all */
  readonly reads: number;
};

/** The record of a network; what is not in the list is a mistake of the caller, as configs are checked before. */
export function networkOf(id: string): NetworkModule {
  const found = networks.find((network) => network.id === id);
  if (!found) throw new Error(`There is no network “${id}”.`);
  return found;
}

/** The view a network asks the task for; null: whatever the task is set to. */
export const viewOf = (id: string): 'index' | 'tokens' | null => networkOf(id).view ?? null;

/** Values a critic has: the common settings of the policy. */
export function criticsOf(slot: { readonly [name: string]: unknown }): 1 | 2 {
  return slot['critics'] === 'double' ? 2 : 1;
}

/** A network of this shape. */
export function policyOf(network: NetworkModule, shape: Shape): Policy {
  const words = network.words?.(shape) ?? null;
  return { network, shape, layout: network.layout(shape), words, reads: network.reads?.(shape) ?? 0 };
}

/** The network `id` with the values of its form. */
export function policyFrom(id: string, params: AnyValues, task: TaskFacts, critic: boolean, values: 1 | 2 = 1): Policy {
  const network = networkOf(id);
  return policyOf(network, network.shape(params as never, { ...task, critic, values }));
}

/** A policy that is a chain of dense layers; another one is a mistake of the caller. */
export function denseOf({ policy }: { readonly policy: Policy }): Policy & Sized<NetworkShape, DenseLayout> {
  if (!policy.network.isChain) throw new Error('This policy is not a chain of dense layers.');
  return policy as Policy & Sized<NetworkShape, DenseLayout>;
}

/** The choices of a step where an action is written in words; null where it is chosen as a whole. */
export const wordsOf = ({ words }: Policy): Tree | null => words;

/** True if what the policy does at a step depends on all steps before it. */
export const remembers = ({ reads }: Policy): boolean => reads === Infinity;

/** Numbers that come out for a step of a policy with one unit: logits, then values. */
export function outputsOf({ policy }: { readonly policy: Policy }): number {
  return policy.shape.actions + valuesOf(policy.shape);
}

/** The decisions of a step of this policy: one with all actions, or the words of a command. */
export const treeOf = ({ words, shape }: Policy): Tree => words ?? actionTree(shape.actions);

/** Units of a step at most. */
export const unitsOfStep = (policy: Policy): number => treeOf(policy).decisions;

/**
 * Loads what a network computes with on the CPU and is not in memory yet; null: it is there. The page asks as well, whose
 * records lack what only workers compute with.
 */
export function prepareNetwork({ make, reading }: Partial<NetworkModule>): Promise<void> | null {
  const waits = [make?.prepare?.() ?? [], reading?.prepare?.() ?? []].flat();
  return waits.length > 0 ? Promise.all(waits).then(() => undefined) : null;
}

/** The network of a policy on the CPU; `own` floats of its kernels' memory are left for arrays of whoever uses it. */
export const makeNetwork = (policy: Policy, own = 0): Network & { readonly kernels: Kernels } =>
  policy.network.make(policy, own);

/** The recording of a policy's network; configs with a network that has none are kept from a device before. */
export function recordingOf({ network }: Policy): Promise<Recording> {
  if (!network.gpu) throw new Error(`${network.title} has no WebGPU form.`);
  return network.gpu();
}
