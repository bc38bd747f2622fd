import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { kernels } from '../../gpu/shaders/kernels.ts';
import { addSums } from '../../gpu/sums.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { paceOf, sizesOf } from './pace.ts';
import { REPORT, REPORT_WORDS } from './report.ts';
import { addRunningReward } from './runningReward.ts';
import { Sequence } from './tokenSequence.ts';

/**
 * What the estimator sees of the rewards where it is not what the task paid: returns in units of the run, and where the KL
 * term is in the reward, a pass of the reference over the batch, then the payment.
 */
export async function paySequence(gpu: Gpu, plan: Plan, b: RunBuffers): Promise<Sequence | null> {
  const { paid } = b;
  if (!paid && !b.running) return null;
  const { S, B, T } = plan;
  const sequence = new Sequence(paceOf(gpu, `pay ${sizesOf(plan)}`));
  const start = sequence.add(new CommandList(gpu, 'pay', b.all));
  await addRunningReward(start, plan, b);
  if (!paid) return sequence;
  const { addPass, scoreWeights } = await import('./processLists.ts');
  // after the epochs, all trajectories are in one minibatch
  await scoreWeights(start, plan, b, { member: b.member, epoch: plan.epochs, weights: b.plan });
  // values of the last states, which the estimator may read, are still in b.out
  const pass = { theta: b.reference, live: b.live, out: b.refOut!, weights: b.plan, learns: false };
  const end = await addPass(sequence, start, plan, b, pass);
  const { stats, own, look: live, parts } = b;
  const { length } = b.columns;
  const { reward, outcome } = b.unpaid;
  const record = b.report(REPORT.control, REPORT_WORDS);
  await addSums(end, kernels.meanDelta, S, { stats, own, record, parts }, { B, T });
  await end.add(
    kernels.payReference,
    { stats, length, reward, outcome, paid: paid.reward, total: paid.outcome, live },
    { B, T },
    [Math.ceil(B / 64), 1, S],
  );
  return sequence;
}
