import { canonicalJson } from '../config/canonical.ts';
import { SMALL } from '../config/caps.ts';
import { memoryOf } from '../config/memory.ts';
import { configWith, getValue } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { ok, type Result } from '../core/problem.ts';
import { LIVE_REPLICAS } from '../gpu/live.ts';
import { estimatorIn } from '../slots/estimatorOf.ts';
import { replicasOf, joinReplicas } from '../contract/state.ts';
import type { Coefficients } from './backend.ts';
import { makePlan, type Plan } from './plan.ts';
import type { Checkpoint } from './run.ts';

/** Settings that every replica may have for itself: kernels read them in a row of its own. */
const OWN = ['run.seed', 'optimizer.learningRate', 'objective.entropyCoef', 'objective.klCoef'] as const;

/**
 * Experiments of one seed that may be replicas of one run have equal kinds: they differ in the seed, the learning rate
 * and the coefficients of entropy and KL. One without a KL term never shares with one that has it, as arrays and kernels
 * depend on that; a process model learns at the rate of the run, so there the learning rate is the same for all.
 */
export function kindOf(config: Config): string {
  const rate = 'optimizer.learningRate';
  const estimator = estimatorIn(config.advantage);
  const own = {
    ...{ 'run.seed': 0, 'run.seeds': 1, 'objective.entropyCoef': 0 },
    [rate]: estimator?.needs.includes('logpPhi') ? getValue(config, rate) : 1,
    'objective.klCoef': Number((getValue(config, 'objective.klCoef') as number) > 0),
  };
  return canonicalJson(configWith(own, config));
}

/** How many experiments of this kind one run holds: as many as take little memory, and one in any case. */
export function mostTogether(config: Config): number {
  const fits = (seeds: number): boolean => {
    const memory = memoryOf(configWith({ 'run.seeds': seeds }, config));
    return memory !== null && Math.max(memory.gpu, memory.besideGpu) <= SMALL.bytes;
  };
  let [least, most] = [1, LIVE_REPLICAS];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}

/**
 * The plan of a run whose replicas are these experiments, all of one kind. A replica has the bits that its experiment has
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
    const [learningRate, entropyCoef, klCoef] = OWN.slice(1).map((path) => getValue(config, path) as number);
    return { learningRate: learningRate!, entropyCoef: entropyCoef!, klCoef: klCoef! };
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
