import { addNorm } from '../../gpu/norm.ts';
import type { CommandList, Slice } from '../../gpu/recorder.ts';
import { kernels, optimizeWith } from '../../gpu/shaders/kernels.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** A network with its moments, its gradient with the norm, and the rates of its step. */
export type Stepped = Readonly<Record<'gradient' | 'norms' | 'rates' | 'theta' | 'm' | 'v', GPUBuffer | Slice>>;

/** Row k of the rates, with `perReplica` 1 one row for each replica. */
export type RatesAt = { readonly k: number; readonly perReplica: 0 | 1 };

/** What of a step all its dispatches are told. */
export function stepOf({ S, layout: { size }, optimizer, optimizerParams, clipNorm }: Plan, at: RatesAt) {
  const [p0, p1, p2, p3] = optimizer.uniforms(optimizerParams as never);
  return { dims: { size, ...at, clipNorm, p0, p1, p2, p3 }, groups: [Math.ceil(size / 256), 1, S] as const };
}

/**
 * One step of the optimizer with a norm that is there. Where the step has a length of its own its direction is gathered in m
 * first, and the learning rate divided by the length of m.
 */
export async function addStep(list: CommandList, plan: Plan, b: RunBuffers, net: Stepped, at: RatesAt): Promise<void> {
  const { S, layout, optimizer } = plan;
  const { flags, squares, unit } = b;
  const { dims, groups } = stepOf(plan, at);
  if (!optimizer.direction || !unit) return list.add(optimizeWith(optimizer.wgsl), { ...net, flags }, dims, groups);
  await list.add(optimizeWith(optimizer.direction), { ...net, flags }, dims, groups);
  await addNorm(list, S, layout.size, { gradient: net.m, squares, norms: unit.norms, flags });
  const buffers = { rates: net.rates, norms: unit.norms, unit: unit.rates };
  await list.add(kernels.unitRates, buffers, { S, ...at }, [Math.ceil(S / 64)]);
  const own = { ...net, rates: unit.rates, flags };
  await list.add(optimizeWith(optimizer.wgsl), own, { ...dims, k: 0, perReplica: 1 }, groups);
}
