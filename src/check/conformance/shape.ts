/** A record out of a golden file, as JSON gave it. */
export type Raw = { readonly [name: string]: unknown };
/** What is wrong with one value of a record, or null. `of` is the record, for sizes that depend on other fields. */
export type Field = (value: unknown, of: Raw) => string | null;
export type Fields = { readonly [name: string]: Field };

export const isRecord = (x: unknown): x is Raw => typeof x === 'object' && x !== null && !Array.isArray(x);
const isNumber = (x: unknown): x is number => typeof x === 'number' && Number.isFinite(x);

export const number: Field = (x) => (isNumber(x) ? null : 'must be a number');
export const positive: Field = (x) => (isNumber(x) && x > 0 ? null : 'must be a number above 0');
export const size: Field = (x) =>
  Number.isInteger(x) && (x as number) > 0 ? null : 'must be a whole number of at least 1';

/** Number of a field that is a size, length of one that is a list. */
const sizeOf = (field: string | number, of: Raw): number => {
  const value = typeof field === 'number' ? field : of[field];
  return Array.isArray(value) ? value.length : (value as number);
};

/** A list of numbers: as long as the product of the named sizes and lists, or not empty where none is named. */
export const list =
  (...sizes: readonly (string | number)[]): Field =>
  (x, of) => {
    if (!Array.isArray(x)) return 'must be a list of numbers';
    const wrong = x.findIndex((value) => !isNumber(value));
    if (wrong >= 0) return `must hold numbers; entry ${wrong} is ${JSON.stringify(x[wrong])}`;
    if (sizes.length === 0) return x.length > 0 ? null : 'must not be empty';
    const length = sizes.reduce((product: number, field) => product * sizeOf(field, of), 1);
    return x.length === length ? null : `must hold ${length} numbers; it holds ${x.length}`;
  };

/** A list of 64-bit keys as decimal text, as long as the product of the named sizes. */
export const keys =
  (...sizes: readonly string[]): Field =>
  (x, of) => {
    if (!Array.isArray(x)) return 'must be a list of keys';
    const length = sizes.reduce((product, field) => product * sizeOf(field, of), 1);
    if (x.length !== length) return `must hold ${length} keys; it holds ${x.length}`;
    const wrong = x.findIndex((key) => typeof key !== 'string' || !/^\d{1,20}$/.test(key));
    return wrong < 0 ? null : `must hold whole numbers as text; entry ${wrong} is ${JSON.stringify(x[wrong])}`;
  };

/** A list whose entries are such values; not empty. */
export const listOf =
  (entry: Field, ...sizes: readonly (string | number)[]): Field =>
  (x, of) => {
    if (!Array.isArray(x)) return 'must be a list of lists';
    if (x.length === 0) return 'must not be empty';
    const length = sizes.reduce((product: number, field) => product * sizeOf(field, of), 1);
    if (sizes.length > 0 && x.length !== length) return `must hold ${length} entries; it holds ${x.length}`;
    for (const [k, value] of x.entries()) {
      const issue = entry(value, of);
      if (issue !== null) return `has a wrong entry ${k}: it ${issue}`;
    }
    return null;
  };

/** The same, possibly empty. */
export const maybeEmpty =
  (field: Field): Field =>
  (x, of) =>
    Array.isArray(x) && x.length === 0 ? null : field(x, of);

/** A record of numbers with these names. */
export const numbers =
  (...names: readonly string[]): Field =>
  (x) => {
    if (!isRecord(x)) return 'must be a record of numbers';
    const name = names.find((n) => !isNumber(x[n]));
    return name === undefined ? null : `must hold a number called ${name}`;
  };

/** The sentence on the first field of a record that is not as it should be, or null. */
export function shapeIssue(record: unknown, fields: Fields, path: string): string | null {
  if (!isRecord(record)) return `${path} must be a record of values.`;
  for (const [name, field] of Object.entries(fields)) {
    if (!Object.hasOwn(record, name)) return `${path}.${name} is missing.`;
    const issue = field(record[name], record);
    if (issue !== null) return `${path}.${name} ${issue}.`;
  }
  return null;
}
