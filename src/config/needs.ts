import type { Metric, Need } from '../slots/metrics/types.ts';
import type { MetricId } from '../slots/metrics/metrics.ts';
import { versionRules } from '../slots/registry.ts';
import { shownValue } from './diff.ts';
import { fieldAt, getValue, isStacked } from './schema.ts';
import { slots, type Config, type Slot } from './slots.ts';

/** What a metric needs: one of these, each a setting and what it has to be. */
export type AnyNeed = readonly Need[];

/** The choices of a slot with which a metric exists, as its modules say. */
function needsOfSlot(slot: Slot, id: string): AnyNeed {
  const ids = [...slot.modules, ...(slot.stack ?? [])].filter((m) => m.metrics?.includes(id)).map((m) => m.id);
  const chosen = ids.filter((module) => !isStacked(slot, module));
  return [
    ...(chosen.length > 0 ? [{ setting: `${slot.id}.method`, is: chosen }] : []),
    ...ids
      .filter((module) => isStacked(slot, module))
      .map((module) => ({ setting: `${slot.id}.${module}.on`, is: [true] })),
  ];
}

/** All needs of a metric: a module that has it as one of its metrics, its own switch, then the settings that it names. */
export function needsOf({ id, needs = [] }: Pick<Metric, 'id' | 'needs'>): readonly AnyNeed[] {
  const rules = versionRules.filter(({ metrics }) => metrics?.includes(id as MetricId)).map((rule) => rule.id);
  const ofModules = [
    ...slots.filter((slot) => slot.id !== 'analysis').flatMap((slot) => needsOfSlot(slot, id)),
    ...(rules.length > 0 ? [{ setting: 'rollout.ages', is: rules }] : []),
  ];
  // a chosen metric is measured where it is switched on and, if it tells of a module, where that acts
  const switches = slots.filter((slot) => slot.id === 'analysis').flatMap((slot) => needsOfSlot(slot, id));
  return [...[ofModules, switches].filter((any) => any.length > 0), ...needs.map((need) => [need])];
}

const isMet = (config: Config, need: Need): boolean => {
  const value = getValue(config, need.setting);
  return 'above' in need ? Number(value) > need.above : need.is.includes(value as string | boolean);
};

/** What a config lacks for a number to be measured; empty where it has everything, or where no setting is needed. */
export const lacking = (config: Config, metric: Pick<Metric, 'id' | 'needs'>): readonly AnyNeed[] =>
  needsOf(metric).filter((any) => !any.some((need) => isMet(config, need)));

/** A need in the words of the form: name of the field, and what it has to be. */
export type NeedText = { readonly path: string; readonly field: string; readonly value: string };

/** "Staleness (Rollout)", "above 0"; "Objective method", "Decoupled PPO". */
export function needText(need: Need): NeedText {
  const field = fieldAt(need.setting)!;
  const { setting, slot } = field;
  const name = setting === null ? `${slot.title} method` : `${setting.label} (${slot.title})`;
  const value = 'above' in need ? `above ${need.above}` : need.is.map((x) => shownValue(field, x)).join(' or ');
  return { path: need.setting, field: name, value };
}
