import { advantageKeys, batchOfCase, type AdvantageInputs } from './conformance/advantage.ts';
import { checkKeys, type CheckEntry, type Golden, type Tolerance } from './conformance/check.ts';
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

/** Checks every expected key of an advantage case against the definitions; keys without a method are not built. */
export function checkAdvantageCase(golden: AdvantageCase, tolerance = GOLDEN_TOLERANCE): CheckEntry[] {
  const batch = batchOfCase(golden.inputs);
  return checkKeys(golden.expected, tolerance, (key) => {
    const method = own(advantageKeys, key);
    return method && (() => method(batch, golden.params));
  });
}

/** Checks every expected key of an objective, metrics or optimizer case against the definitions. */
export function checkObjectiveCase(golden: ObjectiveCase, tolerance = GOLDEN_TOLERANCE): CheckEntry[] {
  switch (golden.kind) {
    case 'objective': {
      const units = unitsOf(golden.inputs);
      return checkKeys(golden.expected, tolerance, (key) => {
        const method = own(objectiveKeys, key);
        return method && (() => method(units, golden.params));
      });
    }
    case 'metrics':
      return checkKeys(golden.expected, tolerance, (key) => {
        const metric = own(metricKeys, key);
        return metric && (() => metric(golden.inputs));
      });
    case 'optimizer':
      return checkKeys(golden.expected, tolerance, (key) => {
        const method = own(sequenceKeys, key);
        return method && (() => method(golden.inputs, golden.params));
      });
  }
}

function own<T>(record: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
