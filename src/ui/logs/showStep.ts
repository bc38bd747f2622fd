import type { PlaceInTask } from '../../logs/desk.ts';
import { goTo } from './logStore.ts';

/** Where a step is told in every detail. */
export const STEP_HEADING = 'log-step';

/** Goes to a step and to where it is told: what was pressed may be far from it. */
export function showStep(place: PlaceInTask): void {
  goTo(place);
  const heading = document.getElementById(STEP_HEADING);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}
