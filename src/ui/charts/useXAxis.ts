import { bySteps, byTime } from '../../config/bySteps.ts';
import { useWholeConfig } from '../session.ts';
import { countedAxis, useView, type CountedAxis, type XAxis } from '../stores/view.ts';

/** What curves stand against: what was chosen, else time where a clock is simulated, else steps where updates differ in cost. */
export function useXAxis(): XAxis {
  const chosen = useView((v) => v.xAxis);
  const config = useWholeConfig();
  if (!chosen && config && byTime(config)) return 'simTime';
  return chosen ?? (config && bySteps(config) ? 'envSteps' : 'update');
}

/** The same for figures that know no clock: where curves stand against simulated time, they stand against updates. */
export const useCountedAxis = (): CountedAxis => countedAxis(useXAxis());
