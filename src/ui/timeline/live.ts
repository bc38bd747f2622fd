import { livePaths, valueAt } from '../../config/events.ts';
import { getValue, type Field } from '../../config/schema.ts';
import type { SettingValue } from '../../core/settings.ts';
import { useWholeConfig } from '../session.ts';
import { change, useDraft } from '../stores/draft.ts';
import { useRun, type RunInfo } from '../stores/run.ts';
import { useTimeline } from './timelineStore.ts';

/** A field of the form: of the draft; or, of a run under way, the live value in force, whose change is an event. */
export type FieldValue = {
  readonly value: SettingValue;
  readonly isLive: boolean;
  readonly set: (value: unknown) => void;
};

/** True while there is a run under way whose live settings may change. */
export function isUnderWay({ update, updates, state }: RunInfo): boolean {
  return update > 0 && update < updates && (state === 'running' || state === 'paused');
}

export function useFieldValue({ path }: Field): FieldValue {
  const drafted = useDraft((d) => getValue(d.config, path));
  const isFork = useDraft((d) => d.fork !== null);
  const run = useWholeConfig();
  const pending = useTimeline((t) => t.pending[path]);
  const mayChange = livePaths.includes(path) && !isFork && run !== null;
  const inForce = useRun((r) => (mayChange && isUnderWay(r) ? valueAt(run, path, r.update) : null));
  if (inForce === null) return { value: drafted, isLive: false, set: (value) => change(path, value) };
  return {
    value: pending ?? inForce,
    isLive: true,
    set: (value) => void import('./story.ts').then(({ changeSoon }) => changeSoon(path, value as number)),
  };
}
