import { bySteps, byTime } from '../../config/bySteps.ts';
import { useGhosts } from '../ghosts/ghosts.ts';
import { useWholeConfig } from '../session.ts';
import { countedAxis, useView, type CountedAxis, type XAxis } from '../stores/view.ts';

/**
 * What curves stand against: what was chosen, else time where a clock is simulated, else steps where updates differ in cost,
 * in this run or in one that is kept beside it.
 */
export function useXAxis(): XAxis {
  const chosen = useView((v) => v.xAxis);
  const config = useWholeConfig();
  const areGhostsBySteps = useGhosts((g) => g.ghosts.some((ghost) => bySteps(ghost.config)));
  if (chosen || !config) return chosen ?? 'update';
  if (byTime(config)) return 'simTime';
  return areGhostsBySteps || bySteps(config) ? 'envSteps' : 'update';
}

/** The same for figures that know no clock: where curves stand against simulated time, they stand against updates. */
export const useCountedAxis = (): CountedAxis => countedAxis(useXAxis());
