import type { GpuNetwork, NetworkBatch } from '../gpu/network.ts';
import { DenseOnGpu } from './dense/denseOnGpu.ts';
import { GruOnGpu } from './gru/gruOnGpu.ts';
import type { Policy } from './policy.ts';

/** The recording of a policy's network; null: it passes over a batch in chunks, see transformer/tokenList.ts. */
export function networkOnGpu(policy: Policy, batch: NetworkBatch): GpuNetwork | null {
  if (policy.kind === 'dense') return new DenseOnGpu(policy, batch);
  return policy.kind === 'gru' ? new GruOnGpu(policy, batch) : null;
}
