import { wordsOf } from '../../networks/policy.ts';
import type { Batch } from '../../contract/columns.ts';
import { stepsOf } from '../../core/batch.ts';
import { log } from '../../core/fmath.ts';
import { mean } from '../../core/stats.ts';
import { marginalEntropy, plainEntropy } from '../../core/math/entropy.ts';
import type { PolicySeen } from '../../slots/metrics/types.ts';
import { metricsOf, putInto } from '../../slots/metrics/metrics.ts';
import { legalSlots, unitsIn, type Tree } from '../../contract/units.ts';
import { measuredPart, partOf } from '../measuredPart.ts';
import type { Plan } from '../plan.ts';
import type { Seen } from './policy.ts';

const ofPolicy = metricsOf('policy');

/** What may be written at the steps of a replica and what was, whatever the policy. */
export type Written = {
  /** legal-action bits [B, T] */
  readonly legal: Uint32Array;
  /** [B, T] commands; empty where actions are not written */
  readonly command: Uint32Array;
  /** decisions of the policy's own trajectories; a step written in words has several */
  readonly decisions: number;
};

/**
 * Entropies of a policy over the policy's own steps of a batch (spec metrics §1): of the one that trains, which on fresh
 * data is the one that played.
 */
export function recordEntropy(
  plan: Plan,
  whole: Batch,
  policy: Seen & Written,
  metrics: Float64Array,
  s: number,
): void {
  const put = putInto(metrics, s);
  const { batch, rows } = measuredPart(whole);
  const own = <T extends Float32Array | Uint32Array>(values: T): T => partOf(values, plan.B, rows);
  const steps = stepsOf(
    batch,
    Array.from({ length: batch.B }, (_, i) => i),
  );
  const [probs, entropy, legal] = [own(policy.probs), own(policy.entropy), own(policy.legal)];
  let total = 0;
  for (const k of steps) total += entropy[k]!;
  const words = wordsOf(plan.policy);
  const { share, most } = words
    ? wordEntropy(words, legal, own(policy.command), own(policy.unitEntropy), steps)
    : legalEntropy(plan, entropy, legal, steps);
  const plain = (k: number): number => plainEntropy(probs, plan.actions, k, plan.temperature);
  const seen: PolicySeen = {
    ...{ H: total / steps.length, marginal: marginalEntropy(probs, plan.actions, steps), share, most },
    plain: !words && plan.temperature !== 1 ? mean(Float64Array.from(steps, plain)) : NaN,
    token: words ? total / policy.decisions : NaN,
  };
  for (const { id, of } of ofPolicy) put(id, of(seen));
}

/** log of so many legal actions, 0 for none. */
const LOG_LEGAL = Float64Array.from({ length: 33 }, (_, n) => log(Math.max(1, n)));

/** Means over steps of H / log(#legal), where a step with one legal action counts as 0, and of log(#legal). */
function legalEntropy(
  { actions }: Plan,
  entropy: Float32Array,
  legal: Uint32Array,
  steps: readonly number[],
): { share: number; most: number } {
  let share = 0;
  let most = 0;
  // without a mask of actions all 32 bits are set
  const exists = 0xffffffff >>> (32 - Math.min(actions, 32));
  for (let i = 0; i < steps.length; i++) {
    const k = steps[i]!;
    let n = 0;
    for (let bits = legal[k]! & exists; bits !== 0; bits &= bits - 1) n++;
    if (n > 1) share += entropy[k]! / LOG_LEGAL[n]!;
    most += LOG_LEGAL[n]!;
  }
  return { share: share / steps.length, most: most / steps.length };
}

/** Mean over decided words of H / log(#legal words), 0 for one without a choice; mean over steps of Σ log(#legal words). */
function wordEntropy(
  grammar: Tree,
  legal: Uint32Array,
  command: Uint32Array,
  unitEntropy: Float32Array,
  steps: readonly number[],
): { share: number; most: number } {
  const { decisions } = grammar;
  const prefixes = new Int32Array(decisions);
  const slots = new Int32Array(decisions);
  let share = 0;
  let most = 0;
  let words = 0;
  for (const k of steps) {
    const n = unitsIn(grammar, command[k]!, prefixes, slots);
    words += n;
    for (let d = 0; d < n; d++) {
      const choices = legalSlots(grammar, prefixes[d]!, legal[k]!);
      if (choices < 2) continue;
      share += unitEntropy[k * decisions + d]! / log(choices);
      most += log(choices);
    }
  }
  return { share: share / words, most: most / steps.length };
}
