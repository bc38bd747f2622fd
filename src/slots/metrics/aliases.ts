import type { MetricId } from './metrics.ts';

/**
 * Names under which stacks for language-model agents (verl and its kin) log the same numbers: each is the sum of the
 * metrics behind it. Their effective sample size is taken over tokens with clamped weights, ours over trajectories.
 */
export const aliases: readonly { readonly name: string; readonly sum: readonly MetricId[] }[] = [
  { name: 'actor/entropy', sum: ['entropy'] },
  { name: 'actor/ppo_kl', sum: ['k1'] },
  { name: 'actor/pg_clipfrac', sum: ['clipHigh', 'clipLow'] },
  { name: 'actor/pg_clipfrac_lower', sum: ['clipDual'] },
  { name: 'rollout_corr/rollout_is_eff_sample_size', sum: ['ess'] },
  { name: 'critic/score/mean', sum: ['returnMean'] },
  { name: 'num_turns/mean', sum: ['lengthMean'] },
];
