import type { UpdateRecord } from '../train/backend.ts';
import { Monitor, monitorFacts } from '../train/monitor.ts';
import type { Alarm } from '../train/monitorTypes.ts';
import type { Run } from '../train/run.ts';

/** The health monitor of the one run of a worker, and what the page has been told of it. */
export class Health {
  private monitor: Monitor | null = null;
  private hasNews = true;

  /** A new run, or one that goes on from a checkpoint with the curves until there. */
  begin(run: Run): void {
    this.monitor = new Monitor(monitorFacts(run.plan), run.series);
    this.goBack(run.update);
  }

  /** What was said about later updates no longer counts. */
  goBack(update: number): void {
    this.monitor?.restart(update);
    this.hasNews = true;
  }

  /** Looks at a finished update; the titles of the alarms that it raised. */
  accept({ update, bad }: UpdateRecord): string[] {
    const changed = this.monitor?.feed(update, bad) ?? [];
    if (changed.length > 0) this.hasNews = true;
    return changed.filter((alarm) => alarm.until === null).map((alarm) => alarm.title);
  }

  /** All alarms of the run for the page, or null if it knows them. */
  news(): readonly Alarm[] | null {
    if (!this.hasNews && !this.monitor?.hasOpen) return null;
    this.hasNews = false;
    return this.monitor?.alarms() ?? [];
  }
}
