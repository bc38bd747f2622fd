import { configWith, parseConfig } from '../config/schema.ts';
import { openLink } from './address.ts';
import type { Client } from './client.ts';
import { newestSeries } from './frames.ts';
import { setConfig, startFrom, useDraft } from './stores/draft.ts';
import { report, useRun } from './stores/run.ts';

type PageApi = {
  /** loads the draft at once */
  load(): Promise<void>;
  readonly actions: Readonly<Record<string, () => Promise<unknown>>>;
  /** the worker of now */
  worker(): Client['lab'];
  /** the run is about to be replaced */
  leave(): void;
};

/** `window.lab`: the same actions for scripts and tests (spec product U61). */
export async function exposePageApi({ load, actions, worker, leave }: PageApi): Promise<void> {
  const { metrics } = await import('../slots/metrics/metrics.ts');
  const { presetById, presetConfig, presets } = await import('../config/presets.ts');
  Object.assign(window, {
    lab: {
      presets: presets.map((p) => p.id),
      async load(what: unknown) {
        leave();
        const preset = typeof what === 'string' ? presetById(what) : undefined;
        if (preset) startFrom(presetConfig(preset), preset.title);
        else if (typeof what === 'string') {
          if (!(await openLink(what))) return;
        } else {
          const changes = what as Record<string, unknown>;
          const parsed = parseConfig('task' in changes ? changes : configWith(changes, useDraft.getState().config));
          if (!parsed.ok) return report(parsed.problem);
          setConfig(parsed.value);
        }
        await load();
      },
      ...actions,
      digest: () => worker().digest(),
      csv: (hasAliases = false) => worker().csv(hasAliases),
      inject: (fault: Parameters<Client['lab']['inject']>[0]) => worker().inject(fault),
      state() {
        const { state, update, updates, backend } = useRun.getState();
        return { state, update, updates, backend };
      },
      metrics(): Record<string, number[]> {
        const series = newestSeries.get();
        return Object.fromEntries(metrics.map((m, k) => [m.id, series ? lastOf(series, k) : []]));
      },
    },
  });
}

/** Newest measured value of a metric for every seed. */
function lastOf(series: NonNullable<ReturnType<typeof newestSeries.get>>, metric: number): number[] {
  return Array.from({ length: series.S }, (_, s) => {
    const at = (metric * series.S + s) * series.points;
    for (let k = series.points - 1; k >= 0; k--)
      if (!Number.isNaN(series.values[at + k]!)) return series.values[at + k]!;
    return NaN;
  });
}
