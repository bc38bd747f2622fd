import type { Need } from '../methods/analysis/metric.ts';
import { shownValue } from './diff.ts';
import { fieldAt, getValue } from './schema.ts';
import type { Config } from './slots.ts';

const isMet = (config: Config, need: Need): boolean => {
  const value = getValue(config, need.setting);
  return 'above' in need ? Number(value) > need.above : need.is.includes(value as string | boolean);
};

/** What a config lacks for a number to be measured; empty where it has everything, or where no setting is needed. */
export const lacking = (config: Config, needs: readonly Need[] = []): readonly Need[] =>
  needs.filter((need) => !isMet(config, need));

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
