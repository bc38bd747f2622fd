import { clippingOf } from '../cpu/units.ts';
import type { Plan } from '../plan.ts';

/** The clip of an objective, or the usual one, as the kernels that count clipped units have it: see clipping.wgsl. */
export type ClipForm = Readonly<Record<'clips' | 'low' | 'high' | 'ofDelta' | 'ofMark', number>>;

export function clipForm(plan: Pick<Plan, 'objective' | 'objectiveParams'>): ClipForm {
  const { isOwn, low, high, of } = clippingOf(plan);
  return { clips: isOwn ? 1 : 0, low, high, ofDelta: of[0], ofMark: of[1] };
}

/** For looks of which nobody counts clipped units. */
export const NO_CLIP: ClipForm = { clips: 1, low: 0, high: 0, ofDelta: 0, ofMark: 0 };
