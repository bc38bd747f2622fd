import { SOFT_MIN_ALPHA, softMin as softMinOf, valueGradient, type ValueMode } from '../core/value.ts';

/** The form of a critic's loss as kernels read it: weight, clip, mode (its place in VALUE_MODES), δ of Huber. */
export type ValueForm = {
  readonly valueCoef: number;
  readonly valueClip: number;
  readonly valueMode: number;
  readonly valueHuber: number;
};
export const VALUE_MODES: readonly ValueMode[] = ['plain', 'max', 'mean'];

/** Nothing is learned about values. */
export const NO_VALUE: ValueForm = { valueCoef: 0, valueClip: 0, valueMode: 0, valueHuber: 0 };

/** The definition of softMin.wgsl. */
export const softMin = (a: number, b: number): number => softMinOf(a, b, SOFT_MIN_ALPHA).V;

/** The definition of the loss of valueTerm.wgsl; its slope is tested by differences. */
export function valueLoss(V: number, old: number, target: number, form: ValueForm): number {
  const { valueClip: clip, valueMode, valueHuber: delta } = form;
  return valueGradient(V, old, target, { clip, mode: VALUE_MODES[valueMode]!, delta }).loss;
}
