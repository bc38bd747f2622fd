import { canonicalJson } from '../config/canonical.ts';
import { getValue } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { ok, type Result } from '../core/problem.ts';
import { replicasOf, joinReplicas } from '../contract/state.ts';
import type { Coefficients } from './backend.ts';
import { makePlan, type Plan } from './plan.ts';
import type { Checkpoint } from './run.ts';

/**
 * The plan of a run whose replicas are these experiments, all of one kind (`kindOf`). A replica has the bits that its experiment has
 * alone on the same backend. Only backends in one thread take such a plan: shares of a run count their seeds up.
 */
export function planTogether(configs: readonly Config[]): Result<Plan> {
  const [first] = configs;
  const plan = makePlan(
    first!,
    configs.map((config) => getValue(config, 'run.seed') as number),
  );
  if (!plan.ok) return plan;
  const each = configs.map((config): Coefficients => {
    const of = (path: string): number => getValue(config, path) as number;
    const [learningRate, entropyCoef] = [of('optimizer.learningRate'), of('objective.entropyCoef')];
    return { learningRate, entropyCoef, klCoef: of('objective.klCoef') };
  });
  const isPlain = each.every((own) => canonicalJson(own) === canonicalJson(each[0]));
  return isPlain ? plan : ok({ ...plan.value, live: { ...plan.value.live, each } });
}

/** Some of the S replicas of a checkpoint, in this order. */
export function someReplicas({ state, chain }: Checkpoint, S: number, which: readonly number[]): Checkpoint {
  return {
    state: joinReplicas(which.map((s) => replicasOf(state, S, s, 1))),
    chain: which.map((s) => chain[s]!),
  };
}
