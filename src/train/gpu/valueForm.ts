import type { ValueForm } from '../../gpu/critic.ts';
import type { Plan } from '../plan.ts';

const MODES = { plain: 0, max: 1, mean: 2 } as const;

/** The critic's loss of a plan as kernels read it. */
export function valueForm({ valueCoef, valueLoss: { clip, mode, delta } }: Plan): ValueForm {
  return { valueCoef, valueClip: clip, valueMode: MODES[mode], valueHuber: delta };
}
