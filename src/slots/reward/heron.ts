import type { Batch } from '../../contract/columns.ts';
import { exp, log } from '../../core/fmath.ts';
import { groupsOf } from '../../core/batch.ts';
import { settings } from '../../core/settings.ts';
import { std } from '../../core/stats.ts';
import { given } from '../advantage/given.ts';
import { Seen } from './learned/inputs.ts';
import { forgetStep, netState, RewardNet } from './learned/net.ts';
import { learning } from './learned/settings.ts';
import { defineReward } from './types.ts';

/** Rows i < j of one task, the one that wins and the wish that decided it, by its place in the order; −1: none did. */
export type Ranked = { readonly i: number; readonly j: number; readonly winner: number; readonly level: number };

/**
 * All pairs of episodes of a task, ranked by wishes in the order of their importance: the first k with
 * |z[i,k] − z[j,k]| > σ·std_k decides. std over the task group.
 */
export function rankedPairs(batch: Batch, sigma: number, order: readonly number[]): Ranked[] {
  const z = given(batch, 'factor');
  const F = z.length / batch.B;
  const pairs: Ranked[] = [];
  for (const group of groupsOf(batch)) {
    const margin = order.map((k) => (group.length < 2 ? 0 : sigma * std(group.map((i) => z[i * F + k]!))));
    group.forEach((i, at) => {
      for (const j of group.slice(at + 1)) {
        const level = order.findIndex((k, m) => Math.abs(z[i * F + k]! - z[j * F + k]!) > margin[m]!);
        const k = order[level];
        const winner = k === undefined ? -1 : z[i * F + k]! > z[j * F + k]! ? i : j;
        pairs.push({ i, j, winner, level });
      }
    });
  }
  return pairs;
}

/** (wins − losses)/(size of the group − 1) of each row; 0 for one alone. */
export function netWins(batch: Batch, pairs: readonly Ranked[]): Float64Array {
  const result = new Float64Array(batch.B);
  const size = new Map<number, number>();
  for (const g of batch.taskIndex) size.set(g, (size.get(g) ?? 0) + 1);
  const share = (i: number): number => 1 / Math.max(1, size.get(batch.taskIndex[i]!)! - 1);
  for (const { i, j, winner } of pairs) {
    if (winner < 0) continue;
    result[winner]! += share(i);
    result[winner === i ? j : i]! -= share(i);
  }
  return result;
}

/** Mean over decided pairs of −log σ(score of the winner − score of the loser), its gradient [B], and the share ranked right. */
export function rankingLoss(
  score: ArrayLike<number>,
  pairs: readonly Ranked[],
): { decided: number; loss: number; accuracy: number; gradScore: Float64Array } {
  const decided = pairs.filter(({ winner }) => winner >= 0);
  const gradScore = new Float64Array(score.length);
  let [loss, right] = [0, 0];
  for (const { i, j, winner } of decided) {
    const loser = winner === i ? j : i;
    const gap = score[winner]! - score[loser]!;
    // log(1 + e^−x) without overflow
    loss += Math.max(0, -gap) + log(1 + exp(-Math.abs(gap)));
    if (gap > 0) right++;
    const wrong = gap > 0 ? exp(-gap) / (1 + exp(-gap)) : 1 / (1 + exp(gap));
    gradScore[winner]! -= wrong / decided.length;
    gradScore[loser]! += wrong / decided.length;
  }
  const n = Math.max(1, decided.length);
  return { decided: decided.length, loss: loss / n, accuracy: right / n, gradScore };
}

const ORDERS = {
  sme: [0, 1, 2],
  sem: [0, 2, 1],
  mse: [1, 0, 2],
  mes: [1, 2, 0],
  esm: [2, 0, 1],
  ems: [2, 1, 0],
} as const;

/**
 * Ranked wishes (HERON): success, milestones and little effort in the order of their importance, without weights.
 *
 *   i beats j of its task:   the first wish k with |z[i,k] − z[j,k]| > σ·std_k says which
 *   net wins:                r[last] = (wins − losses)/(G − 1), 0 elsewhere        what an ideal model would rank (this lab's)
 *   model:                   r[last] = M(mean of what was seen),  M ← one Adam step on mean −log σ(M_winner − M_loser)
 *
 * A pair that no wish decides is dropped. With σ = 0 it is “success first, then speed”, and no weight trades them off.
 */
export const heron = defineReward({
  id: 'heron',
  title: 'Ranked wishes (HERON)',
  rev: 1,
  kind: 'replacing',
  source: {
    title: 'Deep Reinforcement Learning with Hierarchical Reward Modeling',
    arxiv: '2309.02632',
    level: 'code',
  },
  needs: ['factor', 'features', 'taskIndex', 'length'],
  makes: ['modelError', 'decidedBy'],
  metrics: ['shapedReturn', 'rewardModelError', 'decidedByFirst', 'decidedByLast'],
  finePrint: [
    {
      on: 'What is ranked',
      paper: 'Episodes.',
      code: 'Single steps drawn from the batch, with the second margin for all later wishes; in another experiment the first wish has no margin.',
      lab: 'Whole episodes of a task, with a margin for each wish.',
    },
  ],
  formula: 'r[last] ← (wins − losses)/(G − 1), the first wish that differs by more than σ·std decides a pair',
  look: 'At first success decides the pairs; once all succeed, speed does.',
  also: 'preferences, pairwise, RLHF, reward model',
  params: settings({
    by: {
      kind: 'choice',
      label: 'Reward',
      default: 'wins',
      options: ['wins', 'model'],
      optionLabels: ['net wins in the group', 'a model that learns the ranking'],
      doc: 'The ranking itself, or a model of what was seen that learns to predict it.',
    },
    order: {
      kind: 'choice',
      label: 'Order of wishes',
      default: 'sme',
      options: ['sme', 'sem', 'mse', 'mes', 'esm', 'ems'],
      optionLabels: [
        'success, milestones, effort',
        'success, effort, milestones',
        'milestones, success, effort',
        'milestones, effort, success',
        'effort, success, milestones',
        'effort, milestones, success',
      ],
      doc: 'The first wish that differs clearly decides a pair; with little effort first, giving up wins.',
    },
    sigma: {
      ...{ kind: 'number', label: 'Margin', default: 0.3, min: 0, max: 5 },
      doc: 'A wish decides where episodes differ by more than this share of its spread.',
      formula: 'σ',
    },
    ...learning({ setting: 'by', is: ['model'] }),
  }),
  state: netState,
  run(batch, { by, order, sigma, rate, looks }, out, memory) {
    const { B, T, length } = batch;
    const pairs = rankedPairs(batch, sigma, ORDERS[order as keyof typeof ORDERS]);
    countDecided(batch, pairs);
    const wins = netWins(batch, pairs);
    const pay = (i: number, r: number): void => void (out[i * T + length[i]! - 1] = r);
    if (by === 'wins') {
      if (batch.modelError) batch.modelError[0] = NaN;
      for (let i = 0; i < B; i++) pay(i, wins[i]!);
      return;
    }
    const net = new RewardNet(memory);
    const seen = new Seen(batch);
    const inputs = Array.from({ length: B }, (_, i) => seen.meanOf(i));
    const scores = (): number[] => inputs.map((input) => net.of(input));
    scores().forEach((score, i) => pay(i, score));
    for (let look = 0; look < looks; look++) {
      const { decided, accuracy, gradScore } = rankingLoss(scores(), pairs);
      if (look === 0 && batch.modelError) batch.modelError[0] = decided === 0 ? NaN : 1 - accuracy;
      if (decided === 0) return;
      inputs.forEach((input, i) => {
        net.of(input);
        net.addGradient(input, gradScore[i]!);
      });
      net.step(rate);
    }
  },
  scratch: ({ by }) => (by === 'wins' ? 1 : 34),
  begin: (memory, { by }) => void (by === 'model' && new RewardNet(memory)),
  gpu(ops, { by, order, sigma, rate, looks }) {
    const ranking = { order: ORDERS[order as keyof typeof ORDERS], sigma };
    const wins = ops.netWins('factor', ranking);
    if (by === 'wins') return ops.atEnd(wins);
    return ops.byModel({ learns: 'rows', labels: ['factor'], ranking, rate, looks }, ({ row }) => ops.atEnd(row()));
  },
  forget: (_batch, memory) => forgetStep(memory),
});

/** Shares of the pairs that the wishes decided, in their order, and that none did. */
function countDecided({ decidedBy }: Batch, pairs: readonly Ranked[]): void {
  for (const { level } of decidedBy ? pairs : []) decidedBy![level < 0 ? 3 : level]! += 1 / pairs.length;
}
