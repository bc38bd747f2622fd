import { advantageKeys, batchOfCase, type AdvantageInputs } from './conformance/advantage.ts';
import { checkKeys, failure, type CheckEntry, type Golden, type Tolerance } from './conformance/check.ts';
import {
  advantageInputsIssue,
  metricIssue,
  objectiveInputsIssue,
  objectiveKeyIssue,
  paramsIssue,
  sequenceIssue,
} from './conformance/inputShapes.ts';
import { isRecord } from './conformance/shape.ts';
import { metricKeys, type MetricInputs } from './conformance/metrics.ts';
import { objectiveKeys } from './conformance/objective.ts';
import { unitsOf, type ObjectiveInputs } from './conformance/units.ts';
import { sequenceKeys, type SequenceInputs, type SequenceParams } from './conformance/sequences.ts';

/** Tolerance of the golden files, for float32 code. */
export const GOLDEN_TOLERANCE: Tolerance = { abs: 2e-5, rel: 2e-4 };

type Numbers = { readonly [name: string]: number };
type Expected = { readonly [key: string]: Golden };

/** One case of schema `advantage-core/1`. */
export type AdvantageCase = {
  readonly name: string;
  readonly params: Numbers;
  readonly inputs: AdvantageInputs;
  readonly expected: Expected;
};

/** One case of schema `objective-metrics/1`. */
export type ObjectiveCase = { readonly name: string; readonly expected: Expected } & (
  | { readonly kind: 'objective'; readonly params: Numbers; readonly inputs: ObjectiveInputs }
  | { readonly kind: 'metrics'; readonly inputs: MetricInputs }
  | { readonly kind: 'optimizer'; readonly params: SequenceParams; readonly inputs: SequenceInputs }
);

const expectedIssue = (golden: unknown): string | null =>
  !isRecord(golden)
    ? 'The case must be a record of inputs and expected values.'
    : isRecord(golden['expected']) && Object.keys(golden['expected']).length > 0
      ? null
      : 'expected holds no value.';

/** Why an advantage case cannot be checked at all, one sentence, or null. */
export const advantageCaseIssue = (golden: AdvantageCase): string | null =>
  expectedIssue(golden) ?? advantageInputsIssue(golden.inputs) ?? paramsIssue(golden.params);

/** Why a case of schema `objective-metrics/1` cannot be checked at all, one sentence, or null. */
export function objectiveCaseIssue(golden: ObjectiveCase): string | null {
  const issue = expectedIssue(golden);
  if (issue !== null) return issue;
  const { kind, inputs } = golden;
  if (kind === 'objective') return objectiveInputsIssue(inputs);
  if (kind === 'metrics' || kind === 'optimizer') return isRecord(inputs) ? null : 'inputs must be a record of values.';
  return 'kind must be objective, metrics or optimizer.';
}

/** Checks every expected key of an advantage case against the definitions; keys without a method are not built. */
export function checkAdvantageCase(golden: AdvantageCase, tolerance = GOLDEN_TOLERANCE): CheckEntry[] {
  const issue = advantageCaseIssue(golden);
  if (issue !== null) return [failure('case', issue)];
  const { expected, params } = golden;
  const batch = batchOfCase(golden.inputs);
  const computeOf = (key: string) => {
    const method = own(advantageKeys, key);
    return method && (() => method(batch, params));
  };
  return checkKeys(expected, tolerance, computeOf, () => null);
}

/** Checks every expected key of an objective, metrics or optimizer case against the definitions. */
export function checkObjectiveCase(golden: ObjectiveCase, tolerance = GOLDEN_TOLERANCE): CheckEntry[] {
  const issue = objectiveCaseIssue(golden);
  if (issue !== null) return [failure('case', issue)];
  const { expected, inputs } = golden;
  switch (golden.kind) {
    case 'objective': {
      const units = unitsOf(golden.inputs);
      const computeOf = (key: string) => {
        const method = own(objectiveKeys, key);
        return method && (() => method(units, golden.params));
      };
      return checkKeys(expected, tolerance, computeOf, (key) => objectiveKeyIssue(key, golden.params, inputs));
    }
    case 'metrics': {
      const computeOf = (key: string) => {
        const metric = own(metricKeys, key);
        return metric && (() => metric(golden.inputs));
      };
      return checkKeys(expected, tolerance, computeOf, (key) => metricIssue(key, inputs));
    }
    case 'optimizer': {
      const computeOf = (key: string) => {
        const method = own(sequenceKeys, key);
        return method && (() => method(golden.inputs, golden.params));
      };
      return checkKeys(expected, tolerance, computeOf, (key) => sequenceIssue(key, inputs, golden.params));
    }
  }
}

function own<T>(record: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
