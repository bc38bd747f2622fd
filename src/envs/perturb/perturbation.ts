/** What stands between an agent and its world; all zero is an undisturbed task. Spec environments §6. */
export type Perturbation = {
  /** steps between the choice of an action and its effect */
  readonly actionDelay: number;
  /** steps between a reward and its payment */
  readonly rewardDelay: number;
  /** chance in 256ths that a part of the observation is blanked */
  readonly obsNoise: number;
  /** largest noise of a reward, in thousandths */
  readonly rewardNoise: number;
};

/** Reads the settings that all tasks share. The noise of rewards is given in rewards and kept in whole thousandths. */
export function perturbationOf(task: Readonly<Record<string, unknown>>): Perturbation {
  const number = (name: string): number => (task[name] as number | undefined) ?? 0;
  return {
    actionDelay: number('actionDelay'),
    rewardDelay: number('rewardDelay'),
    obsNoise: number('obsNoise'),
    rewardNoise: Math.floor(1000 * number('rewardNoise')),
  };
}

/**
 * Why A^π cannot be computed from states alone, as one sentence; null if it can. A delayed action is part of the state, and
 * noise with mean 0 leaves the mean of a reward as it is. `flickers`: the world looks different by chance.
 */
export function whyInexact({ rewardDelay, obsNoise }: Perturbation, flickers: boolean): string | null {
  if (rewardDelay > 0) return 'Rewards are paid late, and what is still due is no part of the state.';
  if (obsNoise > 0 || flickers) return 'What the policy sees depends on chance, not on the state alone.';
  return null;
}
