import { NO_VALUE } from '../../src/gpu/critic.ts';
import type { Gpu } from '../../src/gpu/device.ts';
import { LIVE_WORDS } from '../../src/gpu/live.ts';
import type { CommandList } from '../../src/gpu/recorder.ts';
import { coefficientsWith } from '../../src/gpu/shaders/kernels.ts';
import { reinforce } from '../../src/slots/objective/reinforce.ts';
import { storage } from './dense.ts';

/**
 * The gradient of the mean cross-entropy as the lab records a loss: the policy gradient of `reinforce` with all credit 1, where
 * labels are the actions that were taken.
 */
export function lossOf(
  gpu: Gpu,
  owned: GPUBuffer[],
  classes: number,
  labels: Uint32Array,
): (list: CommandList, out: GPUBuffer, dOut: GPUBuffer) => Promise<void> {
  const rows = labels.length;
  const make = (data: Float32Array | Uint32Array | number): GPUBuffer => storage(gpu, owned, data);
  const legal = new Uint32Array(rows).fill((1 << classes) - 1);
  const choice = make(Uint32Array.from([...legal, ...labels]));
  const [sampled, credit, stats] = [make(3 * rows), make(new Float32Array(2 * rows).fill(1)), make(rows * 6)];
  const plan = make(Float32Array.from({ length: 2 * rows }, (_, k) => (k % 2 === 0 ? 1 / rows : 1)));
  const live = gpu.buffer('bench', LIVE_WORDS, 0x40 | 0x08);
  owned.push(live);
  const dims = {
    ...{ S: 1, B: rows, T: 1, actions: classes, n: classes, section: rows, floatSection: rows },
    ...{ inverse: 1, marksAt: 0, creditAt: 0, mostRows: rows, ...NO_VALUE, p0: 0, p1: 0, p2: 0, p3: 0 },
  };
  return async (list, out, dOut) => {
    const buffers = { out, ref_: out, choice, sampled, credit, plan, dOut, stats, live };
    await list.add(coefficientsWith(reinforce.wgsl), buffers, dims, [Math.ceil(rows / 64), 1, 1]);
  };
}
