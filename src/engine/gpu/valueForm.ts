import { VALUE_MODES, type ValueForm } from '../../gpu/critic.ts';
import type { Plan } from '../plan.ts';

/** The critic's loss of a plan as kernels read it. */
export function valueForm({ valueCoef, valueLoss: { clip, mode, delta } }: Plan): ValueForm {
  return { valueCoef, valueClip: clip, valueMode: VALUE_MODES.indexOf(mode), valueHuber: delta };
}
