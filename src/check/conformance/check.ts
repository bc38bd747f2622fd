/** A value of a golden file: numbers, nested lists and objects of numbers, null for undefined. */
export type Golden = number | null | string | readonly Golden[] | { readonly [part: string]: Golden };
export type Tolerance = { readonly abs: number; readonly rel: number };

/** Result for one expected key. `maxError` is the largest |got − expected| over the key; 0 when not built. */
export type CheckEntry = {
  readonly key: string;
  readonly built: boolean;
  readonly maxError: number;
  readonly passed: boolean;
  /** why there was nothing to compare: one sentence */
  readonly reason?: string;
};

/** A failure before anything was computed. */
export const failure = (key: string, reason: string): CheckEntry => ({
  ...{ key, built: true, maxError: Infinity, passed: false, reason },
});

/** What a method computed: typed arrays count as lists. */
export type Got = number | null | ArrayLike<Got> | { readonly [part: string]: Got };

/**
 * Compares every entry of `expected` with `got`: |got − expected| ≤ abs + rel·|expected|, both finite.
 * A missing part, a wrong length, null against a number, a non-finite number or a record without parts is an infinite
 * error.
 */
export function compare(
  got: Got | undefined,
  expected: Golden,
  tolerance: Tolerance,
): { maxError: number; passed: boolean } {
  if (expected === null) return verdict(got === null, got === null ? 0 : Infinity);
  if (typeof expected === 'number') {
    if (typeof got !== 'number' || !Number.isFinite(got) || !Number.isFinite(expected)) return verdict(false, Infinity);
    const error = Math.abs(got - expected);
    return verdict(error <= tolerance.abs + tolerance.rel * Math.abs(expected), error);
  }
  if (typeof expected === 'string') return verdict(false, Infinity);
  if (got === null || got === undefined || typeof got === 'number') return verdict(false, Infinity);
  let maxError = 0;
  let passed = true;
  const add = (part: { maxError: number; passed: boolean }): void => {
    maxError = Math.max(maxError, part.maxError);
    passed = passed && part.passed;
  };
  if (isList(expected)) {
    if (!isListLike(got) || got.length !== expected.length) return verdict(false, Infinity);
    for (let k = 0; k < expected.length; k++) add(compare(got[k], expected[k]!, tolerance));
  } else {
    const parts = Object.keys(expected);
    if (isListLike(got) || parts.length === 0) return verdict(false, Infinity);
    for (const part of parts) {
      add(compare(Object.hasOwn(got, part) ? got[part] : undefined, expected[part]!, tolerance));
    }
  }
  return { maxError, passed };
}

const verdict = (passed: boolean, maxError: number): { maxError: number; passed: boolean } => ({ maxError, passed });

const isList = (x: Golden): x is readonly Golden[] => Array.isArray(x);
const isListLike = (x: ArrayLike<Got> | { readonly [part: string]: Got }): x is ArrayLike<Got> =>
  Array.isArray(x) || ArrayBuffer.isView(x);

/** The sentence on a part of an expected value that is neither a number nor null, nor a list or record of such, or null. */
function valueIssue(value: unknown, path: string): string | null {
  if (value === null || (typeof value === 'number' && Number.isFinite(value))) return null;
  if (typeof value !== 'object') return `${path} must be a number; it is ${JSON.stringify(value)}.`;
  const parts = Object.entries(value);
  if (parts.length === 0 && !Array.isArray(value)) return `${path} holds no value.`;
  for (const [part, x] of parts) {
    const issue = valueIssue(x, Array.isArray(value) ? `${path}[${part}]` : `${path}.${part}`);
    if (issue !== null) return issue;
  }
  return null;
}

/**
 * One entry per expected key; a key without a computation is listed as not built, never as passed. `issueOf`: the
 * sentence on what a key reads and does not find, or null.
 */
export function checkKeys(
  expected: { readonly [key: string]: Golden },
  tolerance: Tolerance,
  compute: (key: string) => (() => Got) | undefined,
  issueOf: (key: string) => string | null,
): CheckEntry[] {
  return Object.keys(expected).map((key) => {
    const method = compute(key);
    if (!method) return { key, built: false, maxError: 0, passed: false };
    const issue = valueIssue(expected[key], `expected.${key}`) ?? issueOf(key);
    if (issue !== null) return failure(key, issue);
    return { key, built: true, ...compare(method(), expected[key]!, tolerance) };
  });
}
