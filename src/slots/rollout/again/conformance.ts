import { intrinsicWeight, imitationWeight, recalibrate } from '../spear/rules.ts';
import { stepWeights, trajectoryWeights } from './trajectoryWeights.ts';

/** A case of a golden file with schema rollout-policy/1. */
type Case = {
  readonly kind: string;
  readonly params: Readonly<Record<string, number | string>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, number | readonly number[]>>;
};
type Check = { readonly key: string; readonly built: boolean; readonly passed: boolean; readonly maxError: number };

/** What the definitions say about a case of kind `spearSchedule`, `spearReplay` or `trajectoryWeights`, by key. */
const kinds: Readonly<Record<string, (c: Case) => Readonly<Record<string, ArrayLike<number>>>>> = {
  spearSchedule({ params, inputs }) {
    const [rise, decay, coef] = ['riseUpdates', 'decayUpdates', 'coef'].map((name) => Number(params[name]));
    const update = inputs['update'] as readonly number[];
    return {
      imitationWeight: update.map((u) => imitationWeight(u, rise!, coef!)),
      intrinsicWeight: update.map((u) => intrinsicWeight(u, decay!)),
    };
  },
  spearReplay({ params, inputs }) {
    const list = (name: string): readonly number[] => inputs[name] as readonly number[];
    const past = { update: list('update'), outcome: list('outcome'), storedAdvantage: list('storedAdvantage') };
    const at = { now: Number(inputs['now']), maxAge: Number(params['maxAge']) };
    const { baseline, keep, advantage } = recalibrate(past, list('historyGroupMean'), at);
    return { baseline: [baseline], keep, advantage };
  },
  trajectoryWeights({ params, inputs }) {
    const [outcome, length] = [inputs['outcome'] as readonly number[], inputs['length'] as readonly number[]];
    const temperature = Number(params['temperature']);
    return {
      trajectory: trajectoryWeights(outcome, temperature),
      stepOfTrajectory: stepWeights(outcome, length, temperature),
    };
  },
};

/** True of the kinds of cases that are checked here. */
export const comesBack = (kind: string): boolean => Object.hasOwn(kinds, kind);

/** Compares what is played again, and how much it counts, with a golden case. */
export function checkReturningCase(c: Case, tolerance: { readonly abs: number; readonly rel: number }): Check[] {
  const got = kinds[c.kind]!(c);
  return Object.entries(c.expected).map(([key, value]) => {
    const want = typeof value === 'number' ? [value] : value;
    const have = got[key];
    const errors = want.map((w, k) => Math.abs((have?.[k] ?? NaN) - w));
    const isNear = want.every((w, k) => errors[k]! <= tolerance.abs + tolerance.rel * Math.abs(w));
    const passed = have?.length === want.length && isNear;
    return { key: `${c.kind}.${key}`, built: have !== undefined, passed, maxError: Math.max(0, ...errors) };
  });
}
