import { canonicalJson } from '../../config/canonical.ts';
import { SMALL } from '../../config/caps.ts';
import { memoryOf } from '../../config/memory.ts';
import { configWith, getValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { LIVE_REPLICAS } from '../../gpu/live.ts';
import { estimatorIn } from '../../slots/estimatorOf.ts';
import type { Cell } from './expand.ts';

/**
 * Experiments of one seed that may be replicas of one run have equal kinds: they differ in the seed, the learning rate
 * and the coefficients of entropy and KL. One without a KL term never shares with one that has it, as arrays and kernels
 * depend on that; a process model learns at the rate of the run, so there the learning rate is the same for all.
 */
export function kindOf(config: Config): string {
  let kind = kinds.get(config);
  if (kind === undefined) kinds.set(config, (kind = findKind(config)));
  return kind;
}

const kinds = new WeakMap<Config, string>();

function findKind(config: Config): string {
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
    return memory !== null && Math.max(memory.gpu, memory.most.besideGpu) <= SMALL.bytes;
  };
  let [least, most] = [1, LIVE_REPLICAS];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}

/** The first of the items, and those after it that can train in one run with it. */
export function nextBatch<T>(items: readonly T[], cellOf: (item: T) => Pick<Cell, 'config' | 'limit'>): readonly T[] {
  const [first] = items;
  if (first === undefined) return [];
  const { config, limit } = cellOf(first);
  const kind = kindOf(config);
  const isAlike = (item: T): boolean => {
    const own = cellOf(item);
    return own.limit?.of === limit?.of && own.limit?.amount === limit?.amount && kindOf(own.config) === kind;
  };
  return items.filter(isAlike).slice(0, mostTogether(config));
}
