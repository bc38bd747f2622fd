import type { Kernel } from './kernel.ts';
import type { Call } from './products.ts';
import { kernels } from './shaders/kernels.ts';

/** The dispatches that count states, in their order. */
export function countCalls(S: number, B: number, T: number, slots: number, exponent: number): Call[] {
  const dims = { B, T, slots, exponent };
  const perStep = [Math.ceil((B * T) / 64), 1, S] as const;
  const perSlot = [Math.ceil(slots / 64), 1, S] as const;
  const call = (kernel: Kernel, groups: Call['groups']): Call => ({ kernel, dims, groups });
  return [
    call(kernels.countKeys, perStep),
    call(kernels.countClear, perSlot),
    call(kernels.countInsert, perStep),
    call(kernels.countSettle, perSlot),
    call(kernels.countLook, perStep),
  ];
}
