import { NO_VALUE, type ValueForm } from '../../gpu/critic.ts';
import type { Head } from '../../gpu/head.ts';
import type { Buffer, RowList } from '../../gpu/network.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { coefficientsWith, logpWgsl } from '../../gpu/shaders/kernels.ts';
import { outputsOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { valueForm } from './valueForm.ts';

/**
 * Loss, statistics and the gradient by the outputs, from the last forward pass over all steps or those of a list, or
 * from what its `head` reads; `live` is `b.look` where no step follows.
 */
export async function addCoefficients(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  { live, rows, head = null }: Pick<Loss, 'rows' | 'head'> & { readonly live: GPUBuffer },
): Promise<void> {
  const [p0, p1, p2, p3] = plan.objective.uniforms(plan.objectiveParams as never);
  const { out, refOut } = b;
  const outputs = head ? head.buffers : { out, ref_: refOut ?? out };
  const uniforms = { ...valueForm(plan), p0, p1, p2, p3 };
  await add(list, plan, b, { ...outputs, live, plan: b.plan }, { wgsl: plan.objective.wgsl, uniforms, rows, head });
}

/** Δ of every step with a weight, and the gradient of Σ weight·log π by the outputs; `live` is all zeros. */
export function addLogpCoefficients(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  { out, live }: { readonly out: GPUBuffer; readonly live: GPUBuffer },
  weights: GPUBuffer,
): Promise<void> {
  const uniforms = { ...NO_VALUE, p0: 0, p1: 0, p2: 0, p3: 0 };
  return add(list, plan, b, { out, ref_: out, live, plan: weights }, { wgsl: logpWgsl, uniforms, rows: 'all' });
}

/** What turns outputs into loss and gradient: WGSL and its numbers. */
type Loss = {
  readonly wgsl: string;
  readonly uniforms: ValueForm & Readonly<Record<'p0' | 'p1' | 'p2' | 'p3', number>>;
  readonly rows: RowList | 'all';
  readonly head?: Head | null;
};

async function add(
  list: CommandList,
  plan: Plan,
  b: RunBuffers,
  buffers: Readonly<Record<string, Buffer>>,
  { wgsl, uniforms, rows, head = null }: Loss,
): Promise<void> {
  const { S, B, T } = plan;
  const { choice, sampled, credit, dOut, stats, section } = b;
  const most = rows === 'all' ? B * T : rows.most;
  await list.add(
    coefficientsWith(wgsl, rows === 'all' ? undefined : b.network.lists!.coefficients, head),
    { ...buffers, ...(rows === 'all' ? {} : { rows: rows.rows }), choice, sampled, credit, dOut, stats },
    {
      ...{ S, B, T, actions: plan.actions, n: outputsOf(plan), section, floatSection: section },
      ...{ marksAt: b.marksAt, creditAt: b.creditAt },
      ...{ inverse: 1 / plan.temperature, ...uniforms, mostRows: most, ...head?.dims },
    },
    [Math.ceil(most / (head?.seats ?? 64)), 1, S],
  );
}
