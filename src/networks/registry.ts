import type { Network } from '../contract/network.ts';
import { actionTree, type Tree } from '../contract/units.ts';
import type { Kernels } from './kernels.ts';
import type { Policy } from './policy.ts';
import { initialWeights } from './dense/shape.ts';
import { gruWeights } from './gru/shape.ts';
import { transformerWeights } from './transformer/shape.ts';
import { DenseNetwork } from './dense/denseNetwork.ts';
import { GruNetwork } from './gru/gruNetwork.ts';
import { TransformerNetwork } from './transformer/transformerNetwork.ts';

/** The decisions of a step of this policy: one with all actions, or the words of a command. */
export function treeOf(policy: Policy): Tree {
  return policy.kind === 'transformer' ? policy.shape.grammar : actionTree(policy.shape.actions);
}

/** The network of a policy on the CPU; `own` floats of its kernels' memory are left for arrays of whoever uses it. */
export function makeNetwork(policy: Policy, own = 0): Network & { readonly kernels: Kernels } {
  switch (policy.kind) {
    case 'dense':
      return new DenseNetwork(policy.shape, policy.layout, own);
    case 'gru':
      return new GruNetwork(policy.shape, policy.layout, own);
    case 'transformer':
      return new TransformerNetwork(policy.shape, policy.layout, own);
  }
}

/** Initial weights of a replica at theta[at …]; `activeInputs`: usual number of ones in an observation. */
export function startWeights(
  policy: Policy,
  { seed, activeInputs }: { readonly seed: number; readonly activeInputs: number },
  theta: Float32Array,
  at: number,
): void {
  switch (policy.kind) {
    case 'dense':
      return initialWeights(policy.shape, seed, activeInputs, theta, at);
    case 'gru':
      return gruWeights(policy.shape, seed, activeInputs, theta, at);
    case 'transformer':
      return transformerWeights(policy.shape, seed, theta, at);
  }
}
