import { newestSnapshot, useChartSeries } from '../frames.ts';
import type { Snapshot } from '../../worker/protocol.ts';

/** The newest shown batch, on the clock of the charts: at most twice a second. */
export function useShown(): Snapshot | null {
  const series = useChartSeries();
  return series && newestSnapshot.get();
}
