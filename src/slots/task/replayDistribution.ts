import { exp, log } from '../../core/fmath.ts';
import { SPREAD } from '../../core/stats.ts';

/** Of every level: its score, whether it was played, and how many updates ago it was drawn last. */
export type KnownLevels = {
  readonly score: ArrayLike<number>;
  readonly seen: ArrayLike<number>;
  readonly age: ArrayLike<number>;
};

export type ReplayRule = {
  /** β: below 1 the best ranks get nearly everything */
  readonly temperature: number;
  /** ρ: share that goes by age instead */
  readonly staleness: number;
};

/**
 * Probability of every level to be replayed (arXiv 2010.03934):
 *
 *   P = (1 − ρ)·P_S + ρ·P_C     P_S ∝ (1 / rank)^(1/β), rank 1 = highest score, of equal ones the first
 *                               P_C ∝ updates since the level was drawn
 *
 * over the levels that were seen; 0 everywhere else. Where all scores agree ranks would be arbitrary: P_S is uniform; and
 * so is P_C where all ages are 0. Nothing seen: all 0.
 */
export function replayDistribution({ score, seen, age }: KnownLevels, rule: ReplayRule): Float64Array {
  const { temperature, staleness } = rule;
  const result = new Float64Array(score.length);
  const known: number[] = [];
  for (let k = 0; k < score.length; k++) if (seen[k]! > 0) known.push(k);
  const n = known.length;
  if (n === 0) return result;
  const byScore = allAgree(known, score) ? null : rankWeights(known, score, temperature);
  let ages = 0;
  for (const k of known) ages += age[k]!;
  for (let j = 0; j < n; j++) {
    const k = known[j]!;
    const aged = ages > 0 ? age[k]! / ages : 1 / n;
    result[k] = (1 - staleness) * (byScore ? byScore[j]! : 1 / n) + staleness * aged;
  }
  return result;
}

function allAgree(known: readonly number[], score: ArrayLike<number>): boolean {
  let [low, high, size] = [Infinity, -Infinity, 1];
  for (const k of known) {
    const x = score[k]!;
    low = Math.min(low, x);
    high = Math.max(high, x);
    size = Math.max(size, Math.abs(x));
  }
  return high - low <= SPREAD * size;
}

const powers = new Map<number, number[]>();

/** (1 / rank)^(1/β); ranks are the same in every update, so they are worked out once. */
function weightOf(rank: number, temperature: number): number {
  let weights = powers.get(temperature);
  if (!weights) {
    if (powers.size >= 16) powers.clear();
    powers.set(temperature, (weights = [0]));
  }
  while (weights.length <= rank) weights.push(exp(-log(weights.length) / temperature));
  return weights[rank]!;
}

/** [known] (1 / rank)^(1/β), normalized. */
function rankWeights(known: readonly number[], score: ArrayLike<number>, temperature: number): Float64Array {
  const order = known.map((_, j) => j).sort((a, b) => score[known[b]!]! - score[known[a]!]! || a - b);
  const weights = new Float64Array(known.length);
  let total = 0;
  for (let rank = 1; rank <= order.length; rank++) {
    const weight = weightOf(rank, temperature);
    weights[order[rank - 1]!] = weight;
    total += weight;
  }
  for (let j = 0; j < weights.length; j++) weights[j]! /= total;
  return weights;
}

export type ReplaySchedule = {
  readonly schedule: 'fixed' | 'proportionate';
  /** share of the levels that must have been seen before the first replay, with `fixed` */
  readonly warmFraction: number;
  /** ν: probability of a new level after that, with `fixed`; where levels have no end, at least this with both */
  readonly newProbability: number;
};

/** Probability that a task replays a level, when `seen` of `total` levels were seen. */
export function replayProbability(seen: number, total: number, rule: ReplaySchedule): number {
  if (seen === 0) return 0;
  if (seen >= total) return 1;
  if (rule.schedule === 'proportionate') return seen / total;
  return seen / total >= rule.warmFraction ? 1 - rule.newProbability : 0;
}

/** The same where levels have no end and `kept` of them are remembered: there is always a new one, too. */
export function endlessProbability(seen: number, kept: number, rule: ReplaySchedule): number {
  const most = 1 - rule.newProbability;
  return seen >= kept ? most : Math.min(most, replayProbability(seen, kept, rule));
}

/** The place in a distribution that u in [0, 1) falls on; a place with probability 0 is never taken. */
export function placeOf(distribution: ArrayLike<number>, u: number): number {
  let total = 0;
  let last = -1;
  for (let k = 0; k < distribution.length; k++) {
    if (distribution[k]! <= 0) continue;
    last = k;
    total += distribution[k]!;
    if (u < total) return k;
  }
  return last;
}
