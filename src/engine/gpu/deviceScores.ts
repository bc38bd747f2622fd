import type { Gpu } from '../../gpu/device.ts';
import type { Estimator } from '../../slots/types.ts';
import type { Plan, Tasks } from '../plan.ts';
import { restrictionOf } from '../restriction.ts';
import { scoreOf } from '../stepScores.ts';
import type { RunBuffers } from './buffers.ts';

/** Makes scores of steps on the device, between the rollout and the credit that reads them. */
export type DeviceScores = {
  record(): Promise<void>;
  /** Of the batch that was played last. Waits only where something has to be recorded anew. */
  fill(tasks: Tasks): void | Promise<void>;
};

/** How a run on a device scores its steps. `make`: only where the device does; it sees the weights that training sees. */
export type Scoring = {
  readonly estimator: Estimator;
  make?(gpu: Gpu, plan: Plan, b: RunBuffers, theta: GPUBuffer): DeviceScores;
};

/** Does a device find what was played among listed states, and know what the policy does in each from that state alone? */
const listsStates = (plan: Plan): boolean =>
  !plan.env.canonical && !plan.policy.words && plan.policy.reads === 0 && !restrictionOf(plan);

/** Loads what makes the scores. An estimator whose scores no device makes is without its form for devices. */
export async function scoringOf(plan: Plan): Promise<Scoring> {
  const { gpu: form, ...onCpu } = plan.estimator;
  const score = scoreOf(plan);
  if (form && score?.of === 'answers') {
    const { GpuAnswers } = await import('./answers.ts');
    return { estimator: plan.estimator, make: (gpu, plan, b) => new GpuAnswers(gpu, plan, b) };
  }
  if (!form || score?.of !== 'exact' || !listsStates(plan)) return { estimator: onCpu };
  const { GpuExactScores } = await import('./exactScores.ts');
  return {
    estimator: plan.estimator,
    make: (gpu, plan, b, theta) => new GpuExactScores(gpu, plan, b, { theta, gamma: score.gamma }),
  };
}
