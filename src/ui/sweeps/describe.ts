import { fields, getValue, isActive, sameValue, type Field } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { IntegersSetting, SettingValue } from '../../core/settings.ts';
import type { Changes, Description } from '../../lab/sweep/description.ts';
import { SWEEP_DECIDES } from '../../lab/sweep/description.ts';
import type { Compare } from './compareStore.ts';
import { equalIn, FIELDS } from './equal.ts';

const SIZE = 'revise.matchSize.on';

/** The description of what the dialog holds, over the experiment on the page. */
export function describe(compare: Compare, base: Config): Description {
  const { kind, varied, seeds, isSizeMatched } = compare;
  const { match, amount } = equalIn(compare, base);
  const isAlone = isSizeMatched && match === 'updates';
  return {
    base,
    ...(isSizeMatched && !isAlone ? { set: { [SIZE]: true } } : {}),
    ...(kind === 'grid'
      ? { vary: Object.fromEntries(varied.map(({ path, values }) => [path, values])) }
      : { cells: singles(compare, base) }),
    seeds,
    match: isAlone ? 'updateSize' : match,
    [FIELDS[match]]: amount,
  };
}

/** The experiment as it is, then one cell for every other value. */
function singles({ varied }: Compare, base: Config): { readonly name?: string; readonly set: Changes }[] {
  const others = varied.flatMap(({ path, values }) =>
    values.filter((value) => !sameValue(value, getValue(base, path))).map((value) => ({ set: { [path]: value } })),
  );
  return [{ name: 'as it is', set: {} }, ...others];
}

/** Settings that can differ between runs of a comparison: those in use, but for texts and for what a sweep decides. */
export const varyable = (config: Config): readonly Field[] =>
  fields.filter(
    (field) =>
      isActive(config, field) &&
      field.slot.id !== 'run' &&
      !(field.path in SWEEP_DECIDES) &&
      field.setting?.kind !== 'text' &&
      optionsOf(field)?.length !== 1,
  );

/** What can be chosen for a field, in the order of the form; null: a number, or a list of them. */
export function optionsOf({ setting, slot }: Field): readonly SettingValue[] | null {
  if (setting === null) return slot.modules.filter((m) => m.withheld === undefined).map(({ id }) => id);
  if (setting.kind === 'switch') return [false, true];
  return setting.kind === 'choice' ? setting.options : null;
}

/** One more value to begin with: the first option that is not there yet, or a neighbor of the last number. */
export function nextValue(field: Field, values: readonly SettingValue[]): SettingValue | null {
  const options = optionsOf(field);
  if (options) return options.find((option) => !values.includes(option)) ?? null;
  const { setting } = field;
  const last = values.at(-1)!;
  if (setting?.kind === 'integers') return nextList(last as readonly number[], setting, values);
  if (setting?.kind !== 'number' && setting?.kind !== 'integer') return null;
  const { min, max, scale, kind } = setting;
  const isRelative = last !== 0 && (scale === 'log' || kind === 'integer');
  const step = isRelative ? (last as number) : kind === 'integer' ? 1 : (max - min) / 10;
  const tries = [2, 3, 4, 5, 0.5, 0.25].map((k) => {
    const found = (last as number) + step * (k - 1);
    return kind === 'integer' ? Math.round(found) : Number(found.toPrecision(3));
  });
  return tries.find((x) => x >= min && x <= max && !values.includes(x)) ?? null;
}

/** A list whose last number is another: doubled, or halved. */
function nextList(
  last: readonly number[],
  { min, max }: IntegersSetting,
  values: readonly SettingValue[],
): readonly number[] | null {
  const end = last.at(-1) ?? min;
  const tries = [end * 2, end * 4, Math.floor(end / 2), end + 1].map((x) => [...last.slice(0, -1), x]);
  return (
    tries.find((list) => list.at(-1)! >= min && list.at(-1)! <= max && !values.some((one) => sameValue(one, list))) ??
    null
  );
}

/** The values with which a field begins in the dialog: its own and one other. */
export function firstValues(field: Field, config: Config): readonly SettingValue[] {
  const own = getValue(config, field.path);
  if (field.setting?.kind === 'switch') return [false, true];
  const other = nextValue(field, [own]);
  return other === null ? [own] : [own, other];
}

/** More options than these are not all compared at once. */
const MOST_OPTIONS = 5;

/**
 * Values that a person would try around the one that is set: both states of a switch, all of a few options, else numbers
 * on both sides of it, a factor of 3 apart on a logarithmic scale and of 2 on another; near its upper end a number moves
 * by its distance from there.
 */
export function valuesAround(field: Field, config: Config): readonly SettingValue[] {
  const own = getValue(config, field.path);
  const options = optionsOf(field);
  if (options) return options.length <= MOST_OPTIONS ? options : firstValues(field, config);
  const { setting } = field;
  if ((setting?.kind !== 'number' && setting?.kind !== 'integer') || own === 0) return firstValues(field, config);
  const { min, max, scale, kind } = setting;
  const [x, rest] = [own as number, max - (own as number)];
  const factor = scale === 'log' ? 3 : 2;
  const isNearTop = kind === 'number' && scale !== 'log' && rest < (max - min) / 10;
  const down = rest > 0 ? [rest * factor, rest / factor] : [(max - min) / 20, (max - min) / 100];
  const tried = isNearTop ? down.map((by) => max - by) : [x / factor, x * factor];
  const round = (y: number): number => (kind === 'integer' ? Math.round(y) : Number(y.toPrecision(isNearTop ? 3 : 2)));
  const others = tried.map(round).filter((y) => y >= min && y <= max && y !== x);
  const values = [...new Set([x, ...others])].sort((a, b) => a - b);
  return values.length > 1 ? values : firstValues(field, config);
}
