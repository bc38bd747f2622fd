import { updateNumber } from '../core/counting.ts';
import type { Frame } from '../worker/protocol.ts';
import { takeBatch } from './batches.ts';
import { clearFrames, takeSeries } from './frames.ts';
import { clearHealth, takeAlarms } from './monitor/healthStore.ts';
import { say } from './notices/say.ts';
import { takeFrame, useRun } from './stores/run.ts';
import { pathChangesOf } from './timeline/pathChanges.ts';
import { clearTimeline, useTimeline } from './timeline/timelineStore.ts';
import { look } from './stores/view.ts';

/** What a frame of the worker says is on the page. */
export function takeIn(frame: Frame): void {
  if (frame.run < useRun.getState().run) return;
  const isStill = frame.state !== 'running';
  const before = useRun.getState();
  takeFrame(frame);
  const change = pathChangesOf(frame.stretches).at(-1);
  if (
    change &&
    before.run === frame.run &&
    before.stretches.length > 0 &&
    before.stretches.length < frame.stretches.length
  )
    say(`From update ${updateNumber(change.update)} on: ${change.words}.`);
  if (frame.alarms) takeAlarms(frame.alarms);
  if (frame.series) takeSeries(frame.series, isStill);
  if (frame.snapshot) takeBatch(frame.snapshot, frame.run, isStill);
  if (frame.timeline) useTimeline.setState({ marks: frame.timeline });
  document.title =
    frame.update > 0 ? `${Math.round((100 * frame.update) / frame.updates)} % · Horizon Lab` : 'Horizon Lab';
}

/** Nothing of a run is on the page. */
export function clearRun(): void {
  clearFrames();
  clearTimeline();
  clearHealth();
  // a strip that goes away under the pointer is not left by it
  look({ hovered: null });
}
