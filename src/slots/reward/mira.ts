import { settings } from '../../core/settings.ts';
import { given } from '../advantage/given.ts';
import { Seen } from './learned/inputs.ts';
import { forgetStep, netState, RewardNet } from './learned/net.ts';
import { learning } from './learned/settings.ts';
import { defineReward } from './types.ts';

/**
 * y[t], t = 0 … length: how far an episode has come by the milestones that it reached, `steps` the step that first reached
 * each, −1 = never, out of K.
 *
 *   τ₀ = 0, τ_k = steps[k] + 1     y[t] = (k + (t − τ_k)/(τ_{k+1} − τ_k))/K between two of them, k/K after the last
 */
export function milestoneLabels(steps: ArrayLike<number>, K: number, length: number): Float64Array {
  const tau = [0];
  while (tau.length <= K && (steps[tau.length - 1] ?? -1) >= 0) tau.push(steps[tau.length - 1]! + 1);
  return Float64Array.from({ length: length + 1 }, (_, t) => {
    let k = tau.length - 1;
    while (k > 0 && tau[k]! > t) k--;
    const next = tau[k + 1];
    return (k + (next === undefined ? 0 : (t - tau[k]!) / (next - tau[k]!))) / K;
  });
}

/**
 * Milestones as a learned potential (MiRA): a model P of what is seen learns how far episodes come, and shapes.
 *
 *   r[t] ← r[t] + w·(γ·P(s[t+1]) − P(s[t]))     P := 0 where the episode ended by itself
 *   P ← one Adam step on the mean of (P(s[t]) − y[t])² over all states of the batch, after the batch was paid
 *
 * `oracle` puts the share of the milestones reached in the place of P, the control without a model. Where no episode reaches
 * a milestone, all labels are 0 and nothing is shaped. The recipe of the paper (replay, a doubly robust advantage) is not
 * part of it.
 */
export const mira = defineReward({
  id: 'mira',
  title: 'Milestones as a learned potential (MiRA)',
  rev: 1,
  kind: 'additive',
  source: { title: 'A Subgoal-driven Framework for Improving Long-Horizon LLM Agents', level: 'digest' },
  needs: ['milestoneStep', 'progress', 'features', 'length', 'terminated'],
  makes: ['modelError'],
  metrics: ['shapedReturn', 'rewardModelError'],
  formula: 'r ← r + w·(γ·P(s′) − P(s)), P learns (k + share of the way to milestone k + 1)/K',
  look: 'The potential spreads from milestones back to what comes before them.',
  also: 'subgoals, process reward model, PRM, dense reward',
  params: settings({
    potential: {
      kind: 'choice',
      label: 'Potential',
      default: 'learned',
      options: ['learned', 'oracle'],
      optionLabels: ['learned from milestones', 'milestones reached (control)'],
      doc: 'A model of how far episodes come, or the milestones themselves.',
      formula: 'P',
    },
    w: {
      ...{ kind: 'number', label: 'Weight', default: 1, min: 0, max: 10 },
      doc: 'Size of the shaping relative to the reward of the world.',
      formula: 'w',
    },
    gamma: {
      ...{ kind: 'number', label: 'Discount', default: 0.95, min: 0, max: 1 },
      doc: 'The discount of the credit; any other makes the shaping an extra reward.',
      formula: 'γ',
    },
    ...learning({ setting: 'potential', is: ['learned'] }),
  }),
  state: netState,
  run(batch, { potential, w, gamma, rate, looks }, out, memory) {
    const { B, T, length, terminated } = batch;
    const [progress, milestoneStep] = [given(batch, 'progress'), given(batch, 'milestoneStep')];
    const width = milestoneStep.length / B;
    const isLearned = potential === 'learned';
    const net = isLearned ? new RewardNet(memory) : null;
    const seen = new Seen(batch);
    const labels: Float64Array[] = [];
    let [error, states] = [0, 0];
    for (let i = 0; i < B; i++) {
      const at = i * (T + 1);
      const phi = Float64Array.from({ length: length[i]! + 1 }, (_, t) =>
        net ? net.of(seen.at(i, t)) : progress[at + t]!,
      );
      for (let t = 0; t < length[i]!; t++) {
        const isOver = t + 1 === length[i] && terminated[i] === 1;
        out[i * T + t] = w * (gamma * (isOver ? 0 : phi[t + 1]!) - phi[t]!);
      }
      const steps = milestoneStep.subarray(i * width, (i + 1) * width);
      labels[i] = milestoneLabels(steps, milestonesOf(steps, progress[at + length[i]!]!), length[i]!);
      phi.forEach((p, t) => (error += (p - labels[i]![t]!) ** 2));
      states += phi.length;
    }
    if (batch.modelError) batch.modelError[0] = Math.sqrt(error / states);
    for (let look = 0; net && look < looks; look++) {
      for (let i = 0; i < B; i++)
        for (let t = 0; t <= length[i]!; t++) {
          const input = seen.at(i, t);
          net.addGradient(input, (2 * (net.of(input) - labels[i]![t]!)) / states);
        }
      net.step(rate);
    }
  },
  scratch: ({ potential }) => (potential === 'learned' ? 37 : 4),
  begin: (memory, { potential }) => void (potential === 'learned' && new RewardNet(memory)),
  gpu(ops, { potential, w, gamma, rate, looks: most }) {
    const looks = potential === 'learned' ? most : 0;
    return ops.byModel({ learns: 'states', labels: ['milestoneStep', 'progress'], rate, looks }, ({ before, after }) =>
      ops.combine(w * gamma, after(), -w, before()),
    );
  },
  forget: (_batch, memory) => forgetStep(memory),
});

/** Milestones of the level, from those that an episode reached and their share; 1 where it reached none, as labels are 0. */
function milestonesOf(steps: Float32Array, share: number): number {
  const reached = steps.findIndex((step) => step < 0);
  const n = reached < 0 ? steps.length : reached;
  return n === 0 || share <= 0 ? 1 : Math.max(n, Math.round(n / share));
}
