import type { SlotConfig } from '../config/slots.ts';
import { below, PURPOSE, random } from '../core/random.ts';
import type { Precision } from '../networks/precision.ts';
import { queueSettingsOf, queuesOf, type Queues } from './queue.ts';

/**
 * Which weights play the episodes of an update. Version v of the weights is θ after v updates.
 *
 *   fixed         all of update u is played by version max(0, u − k)
 *   mixed         each task group draws its age 0 … k: version max(0, u − age)
 *   interrupted   weights are renewed within an episode: step t is played by version max(0, u − k + ⌊t(k + 1)/T⌋)
 *   queue         a simulated clock says which version plays: u − k … u, step t when t/T of the group's time has passed
 *
 * `precision`: what these weights are rounded to before they play; with `unified` the training forward pass sees the
 * same rounding, and its gradients pass straight through it.
 */
export type Behavior = {
  /** k: updates */
  readonly lag: number;
  readonly ages: 'fixed' | 'mixed' | 'interrupted' | 'queue';
  readonly queues: Queues;
  readonly precision: Precision;
  readonly unified: boolean;
};

export function behaviorOf(rollout: SlotConfig): Behavior {
  const lag = rollout['staleness'] as number;
  const ages = rollout['ages'] as Behavior['ages'];
  const precision = rollout['rolloutPrecision'] as Precision;
  return {
    lag,
    ages: lag === 0 && ages !== 'queue' ? 'fixed' : ages,
    queues: queuesOf(queueSettingsOf(rollout)),
    precision,
    unified: precision !== 'f32' && rollout['unifiedPrecision'] === true,
  };
}

/** True if an update always starts with the very policy that sampled its batch. */
export function isFresh({ lag, precision, unified }: Behavior): boolean {
  return lag === 0 && (precision === 'f32' || unified);
}

/** True if the newest weights play, but rounded, and training sees them as they are. */
export function isRounded(behavior: Behavior): boolean {
  return behavior.lag === 0 && !isFresh(behavior);
}

/** True if one batch may be played by several versions. */
export function playsSeveral({ lag, ages }: Behavior): boolean {
  return lag > 0 && ages !== 'fixed';
}

/** Which weights play, and the step limit T of the episodes: what a plan says of them. */
export type PlayedBy = { readonly behavior: Behavior; readonly T: number };

/** Version that plays step t of task group `task` in update u of the replica with this seed; never older than at t − 1. */
export function versionOf({ behavior, T }: PlayedBy, seed: number, update: number, task: number, t: number): number {
  const { lag } = behavior;
  switch (behavior.ages) {
    case 'fixed':
      return Math.max(0, update - lag);
    case 'mixed':
      return Math.max(0, update - below(random(seed, PURPOSE.rolloutAge, update, task, 0), lag + 1));
    case 'interrupted':
      return Math.max(0, update - lag + Math.floor((t * (lag + 1)) / T));
    case 'queue':
      return behavior.queues.of(seed).versionOf(update, task, t / T);
  }
}
