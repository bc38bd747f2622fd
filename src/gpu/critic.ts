import { exp, log } from '../core/fmath.ts';

/** The form of a critic's loss as kernels read it: weight, clip, mode (0 free, 1 the larger, 2 the mean), δ of Huber. */
export type ValueForm = {
  readonly valueCoef: number;
  readonly valueClip: number;
  readonly valueMode: number;
  readonly valueHuber: number;
};

/** Nothing is learned about values. */
export const NO_VALUE: ValueForm = { valueCoef: 0, valueClip: 0, valueMode: 0, valueHuber: 0 };

/** The definition of softMin.wgsl. */
export function softMin(a: number, b: number): number {
  const alpha = 0.3;
  return Math.min(a, b) - alpha * log(0.5 * (1 + exp(-Math.abs(a - b) / alpha)));
}

/** The definition of the loss of valueTerm.wgsl; its slope is tested by differences. */
export function valueLoss(V: number, old: number, target: number, form: ValueForm): number {
  const { valueClip: clip, valueMode: mode, valueHuber: delta } = form;
  const f = (e: number): number =>
    delta > 0 && Math.abs(e) > delta ? delta * (Math.abs(e) - 0.5 * delta) : 0.5 * e * e;
  const free = f(V - target);
  if (clip === 0 || mode === 0) return free;
  const held = f(old + Math.max(-clip, Math.min(clip, V - old)) - target);
  return mode === 1 ? Math.max(free, held) : 0.5 * (free + held);
}
