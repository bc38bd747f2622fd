import { bySteps } from '../../config/bySteps.ts';
import { useWholeConfig } from '../session.ts';
import { useView, type XAxis } from '../stores/view.ts';

/** What curves stand against: what was chosen, else steps where updates differ in what they cost. */
export function useXAxis(): XAxis {
  const chosen = useView((v) => v.xAxis);
  const config = useWholeConfig();
  return chosen ?? (config && bySteps(config) ? 'envSteps' : 'update');
}
