import { shownValue } from '../../config/diff.ts';
import { getValue, type Field } from '../../config/schema.ts';
import type { SettingValue } from '../../core/settings.ts';
import { mean } from '../../core/stats.ts';
import { differingFields } from '../../lab/sweep/names.ts';
import { naturalOrder } from './naturalOrder.ts';
import type { Chosen } from './members.ts';

/** An SVG of more marks is slow. */
export const MOST_MARKS = 500;

/** A setting in which the selected groups differ, with its values in order. */
export type Varied = {
  readonly field: Field;
  readonly label: string;
  readonly values: readonly SettingValue[];
  readonly words: readonly string[];
};

const keyOf = (value: SettingValue): string => JSON.stringify(value);

/** "Group size", "advantage"; with its path where two have the same. */
function labelOf(field: Field, all: readonly Field[]): string {
  const plain = ({ setting, slot }: Field): string => setting?.label ?? slot.title;
  const isPlain = all.every((other) => other === field || plain(other) !== plain(field));
  return isPlain ? plain(field) : `${plain(field)} (${field.path})`;
}

/** Every setting that differs between the groups. */
export function variedIn(chosen: readonly Chosen[]): Varied[] {
  const configs = chosen.map(({ group }) => group.config);
  const all = differingFields(configs);
  return all.map((field) => {
    const found = new Map(configs.map((config) => getValue(config, field.path)).map((value) => [keyOf(value), value]));
    const values = [...found.values()].sort(naturalOrder);
    return { field, label: labelOf(field, all), values, words: values.map((value) => shownValue(field, value)) };
  });
}

/** Place of a group on an axis. */
export const levelOf = ({ group }: Chosen, { field, values }: Varied): number => {
  const own = keyOf(getValue(group.config, field.path));
  return values.findIndex((value) => keyOf(value) === own);
};

/** A cell of a heat map: mean of the scores of its groups, and how many there are. */
export type HeatCell = { readonly score: number | null; readonly groups: number };

/** cells[row][column]: rows are the values of y, columns those of x; groups that differ in other settings are averaged. */
export function heatOf(chosen: readonly Chosen[], x: Varied, y: Varied): HeatCell[][] {
  return y.values.map((_, row) =>
    x.values.map((__, column) => {
      const here = chosen.filter((c) => levelOf(c, x) === column && levelOf(c, y) === row);
      const scores = here.flatMap(({ group }) => (group.score === null ? [] : [group.score]));
      return { score: scores.length === 0 ? null : mean(scores), groups: here.length };
    }),
  );
}
