import { replayDistribution, replayProbability } from './replayDistribution.ts';

/** A case of kind `levelReplay` of a golden file with schema rollout-policy/1. */
type ReplayCase = {
  readonly params: Readonly<Record<string, number | string>>;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly expected: Readonly<Record<string, number | readonly number[]>>;
};
type Check = { readonly key: string; readonly built: boolean; readonly passed: boolean; readonly maxError: number };

/** Compares the distribution of level replay, and how likely a replay is, with a golden case. */
export function checkReplayCase(
  { params, inputs, expected }: ReplayCase,
  tolerance: { readonly abs: number; readonly rel: number },
): Check[] {
  const of = (name: string): number => Number(params[name]);
  const list = (name: string): readonly number[] => inputs[name] as readonly number[];
  const seen = list('seen');
  const levels = { score: list('score'), seen, age: list('age') };
  const schedule = params['schedule'] === 'proportionate' ? 'proportionate' : 'fixed';
  const rule = { schedule, warmFraction: of('warmFraction'), newProbability: of('newProbability') } as const;
  const got: Record<string, ArrayLike<number>> = {
    replayDistribution: replayDistribution(levels, { temperature: of('temperature'), staleness: of('staleness') }),
    replayProbability: [replayProbability(seen.filter((x) => x > 0).length, seen.length, rule)],
  };
  return Object.entries(expected).map(([key, value]) => {
    const want = typeof value === 'number' ? [value] : value;
    const have = got[key];
    const errors = want.map((w, k) => Math.abs((have?.[k] ?? NaN) - w));
    const isNear = want.every((w, k) => errors[k]! <= tolerance.abs + tolerance.rel * Math.abs(w));
    const passed = have?.length === want.length && isNear;
    return { key: `levelReplay.${key}`, built: have !== undefined, passed, maxError: Math.max(...errors) };
  });
}
