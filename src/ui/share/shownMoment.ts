import { create } from 'zustand';
import { expectedOf, type Expected, type Moment } from '../../config/moment.ts';
import type { Expect } from '../../config/expect.ts';
import type { Shared } from '../../config/link.ts';
import type { Config } from '../../config/slots.ts';
import type { KnownCurves } from '../../lab/runs/filed.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { compare, useCompare } from '../credit/compareStore.ts';
import { newestSeries } from '../frames.ts';
import { isBeside } from '../stage/beside.ts';
import { shownNow } from '../stage/shown.ts';
import { useRun } from '../stores/run.ts';
import { look, useView } from '../stores/view.ts';

/** The moment of the run on the screen and its curve of success, for a link; nothing before the first update. */
export function momentOfNow(): { readonly moment?: Moment; readonly expected?: Expected } {
  const { update } = useRun.getState();
  if (update === 0) return {};
  const { replica, tab, overlay, dock, isCreditOpen } = useView.getState();
  const { view, page, methods } = useCompare.getState();
  // a link names episodes of the batch alone
  const shown = shownNow();
  const { trajectory, step } = shown && isBeside(shown) ? { trajectory: 0, step: 0 } : useView.getState();
  const credit = isCreditOpen ? view : null;
  // what is not in sight is not part of the moment
  const compared = credit === 'compare' ? { page, methods } : { page: 'strips' as const, methods: null };
  const series = newestSeries.get();
  const at = (s: number, k: number): number =>
    series!.values[(metricIndex.success * series!.S + s) * series!.points + k]!;
  const success = Array.from({ length: series?.points ?? 0 }, (_, k) => {
    const seeds = Array.from({ length: series!.S }, (__, s) => at(s, k));
    return seeds.reduce((sum, y) => sum + y, 0) / seeds.length;
  });
  const expected = expectedOf(success, update);
  const moment = { update, replica, trajectory, step, tab, overlay, dock, credit, compared };
  return { moment, ...(expected ? { expected } : {}) };
}

/** The parts of the page that its sender had open; a link made with the credit closed closes nothing. */
export function lookAround({ tab, overlay, dock, credit, compared }: Moment): void {
  look({ tab, overlay, dock, ...(credit && { isCreditOpen: true }) });
  if (credit) compare({ view: credit });
  if (credit === 'compare') compare(compared);
}

/** What the link or bundle that is open says of its sender's run, and the experiment that it holds for. */
export const useShared = create<{
  readonly config: Config | null;
  readonly moment: Moment | null;
  readonly expected: Expected | null;
  /** what the run came to; with a bundle also all of its numbers, as files */
  readonly expect: Expect | null;
  readonly curves: KnownCurves | null;
  /** title of the lesson that it is an arm of */
  readonly lesson: string | null;
}>(() => ({ config: null, moment: null, expected: null, expect: null, curves: null, lesson: null }));

/** What was opened is what its words hold for from now on; the page shows the parts that its sender had open. */
export function takeShared({ config, moment, expected, expect }: Shared, curves: KnownCurves | null = null): void {
  const said = { moment: moment ?? null, expected: expected ?? null, expect: expect ?? null };
  useShared.setState({ config, ...said, curves, lesson: null });
  if (moment) lookAround(moment);
}
