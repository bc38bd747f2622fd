import { settings } from '../../core/settings.ts';
import { given } from '../advantage/given.ts';
import { Seen } from './learned/inputs.ts';
import { forgetStep, netState, RewardNet, type Input } from './learned/net.ts';
import { learning } from './learned/settings.ts';
import type { Column } from '../types.ts';
import { defineReward } from './types.ts';

/** r′[t] = α·ĉ[t] + β·grounded[t], the contributions ĉ first moved to add up to R where they are redistributed. */
export function attributed(
  c: ArrayLike<number>,
  R: number,
  grounded: ArrayLike<number>,
  { alpha, beta, redistribute }: { readonly alpha: number; readonly beta: number; readonly redistribute: boolean },
): Float64Array {
  let sum = 0;
  for (let t = 0; t < c.length; t++) sum += c[t]!;
  const shift = redistribute ? (sum - R) / c.length : 0;
  return Float64Array.from({ length: c.length }, (_, t) => alpha * (c[t]! - shift) + beta * grounded[t]!);
}

/** Loss mean over episodes of (Σ_t ĉ − R)², and its gradient 2(Σĉ − R)/B at every step of each, [B]. */
export function attributionLoss(
  sums: ArrayLike<number>,
  R: ArrayLike<number>,
): { loss: number; gradPerStep: Float64Array } {
  const B = R.length;
  let loss = 0;
  const gradPerStep = Float64Array.from({ length: B }, (_, i) => {
    const gap = sums[i]! - R[i]!;
    loss += (gap * gap) / B;
    return (2 * gap) / B;
  });
  return { loss, gradPerStep };
}

/**
 * Stepwise progress attribution (SPA): a model E learns contributions of steps that add up to the outcome score o.
 *
 *   ĉ[t] = E(s[t], a[t])     r[t] ← α·ĉ[t] + β·grounded[t]
 *   E ← one Adam step on the mean over episodes of (Σ_t ĉ[t] − o)², after the batch was paid
 *
 * The reward is replaced, not added to. Any split with the right sum is a minimum of the loss; only steps that episodes share
 * pin it. The code pays β = 0.5 per possible action, which is worth more than the goal in long episodes and is farmed; spread
 * over the step limit it is not (a lab decision). Before the first success there is only the graded score to attribute; the
 * paper begins with imitated episodes.
 */
export const spa = defineReward({
  id: 'spa',
  title: 'Progress attribution (SPA)',
  rev: 1,
  kind: 'replacing',
  source: {
    title: 'SPA-RL: Reinforcing LLM Agents via Stepwise Progress Attribution',
    arxiv: '2505.20732',
    level: 'code',
  },
  needs: ['outcomeScore', 'grounded', 'features', 'action', 'length'],
  makes: ['modelError'],
  metrics: ['shapedReturn', 'rewardModelError'],
  finePrint: [
    {
      on: 'Contributions',
      paper: 'A model learns them.',
      code: 'The data script for WebShop writes the leave-one-out outcome on every step instead; the trainer multiplies by the steps that are left.',
      lab: 'As the paper.',
    },
    {
      on: 'Possible action',
      paper: 'One that can be carried out.',
      code: 'Any step that is not answered by a refusal, and always the last; 0.5 for each.',
      lab: 'Not refused; 0.5 spread over the step limit.',
    },
  ],
  formula: 'r ← α·ĉ + β·grounded, ĉ = E(s, a) learns Σĉ = o',
  look: 'Picking up the key earns a visible share; paid 0.5 a step, walking in circles earns more.',
  also: 'process reward model, PRM, stepwise, dense reward, credit assignment, reward hacking',
  params: settings({
    alpha: {
      ...{ kind: 'number', label: 'Weight of contributions', default: 1, min: 0, max: 10 },
      doc: 'Size of what the model says of a step.',
      formula: 'α',
    },
    beta: {
      ...{ kind: 'number', label: 'Possible action', default: 0.5, min: 0, max: 10 },
      doc: 'Reward for actions that were not refused.',
      formula: 'β',
    },
    spread: {
      kind: 'choice',
      label: 'Paid',
      default: 'episode',
      options: ['episode', 'step'],
      optionLabels: ['spread over the step limit (β/T)', 'at every step (released code)'],
      doc: 'At every step, a long walk is worth more than the goal.',
    },
    redistribute: {
      kind: 'switch',
      label: 'Add up to the outcome',
      default: false,
      doc: 'Shift contributions so that they add up to the outcome, whatever the error of the model.',
    },
    ...learning(),
  }),
  mostPerStep: ({ beta, spread }) => (spread === 'step' ? beta : 0),
  state: netState,
  run(batch, { alpha, beta, spread, redistribute, rate, looks }, out, memory) {
    const { B, T, length, action } = batch;
    const [o, grounded] = [given(batch, 'outcomeScore'), given(batch, 'grounded')];
    const net = new RewardNet(memory);
    const seen = new Seen(batch);
    /** [B · T] hidden units of the steps, from which their gradients are told once the sums are known */
    const hidden: Float64Array[] = [];
    const told = (at: number, input: Input): number => {
      const c = net.of(input, action[at]!);
      hidden[at] = net.hiddenUnits();
      return c;
    };
    const contributions = (): Float64Array[] =>
      Array.from({ length: B }, (_, i) =>
        Float64Array.from({ length: length[i]! }, (__, t) => told(i * T + t, seen.at(i, t))),
      );
    const weights = { alpha, beta: spread === 'step' ? beta : beta / T, redistribute };
    let c = contributions();
    c.forEach((own, i) =>
      attributed(own, o[i]!, grounded.subarray(i * T, (i + 1) * T), weights).forEach((r, t) => (out[i * T + t] = r)),
    );
    for (let look = 0; look < looks; look++) {
      if (look > 0) c = contributions();
      const sums = c.map((own) => own.reduce((a, b) => a + b, 0));
      const { loss, gradPerStep } = attributionLoss(sums, o);
      if (look === 0 && batch.modelError) batch.modelError[0] = Math.sqrt(loss);
      for (let i = 0; i < B; i++)
        for (let t = 0; t < length[i]!; t++)
          net.addGradient(seen.at(i, t), gradPerStep[i]!, action[i * T + t]!, hidden[i * T + t]!);
      net.step(rate);
    }
  },
  scratch: ({ redistribute }) => (redistribute ? 39 : 36),
  begin: (memory) => void new RewardNet(memory),
  gpu: (ops, { alpha, beta, spread, redistribute, rate, looks }) =>
    ops.byModel({ learns: 'steps', labels: ['outcomeScore'], rate, looks }, ({ before }) => {
      const c = before();
      const moved = (): Column => {
        const without = ops.combine(1, c, -1, ops.meanOfRow(c));
        return ops.combine(1, without, 1, ops.meanOfRow(ops.atEnd(ops.signal('outcomeScore'))));
      };
      const b = spread === 'step' ? beta : beta / ops.limit;
      return ops.combine(alpha, redistribute ? moved() : c, b, ops.signal('grounded'));
    }),
  forget: (_batch, memory) => forgetStep(memory),
});
