import type { Gpu } from '../../gpu/device.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addCoefficients, addLookForward } from './denseLook.ts';
import { addBatchMetrics, addRatioMetrics, addUpdateStats, addWeightMetrics } from './metricLists.ts';
import { pacedList } from './pace.ts';
import type { GpuPast } from './past.ts';
import { REPORT } from './report.ts';
import type { DenseScoreNorms } from './scoreNorms.ts';
import { addOwnWeights } from './givenRows.ts';
import { addPreview } from './cutStep.ts';
import type { Sequence } from './tokenSequence.ts';
import { addStartLook } from './updateStart.ts';
import { addRevisions, addOptimizerStep } from './worldList.ts';

/** What one minibatch submits: a forward pass, then with the marks of its units the step. */
export type Minibatch = { readonly look: Sequence; readonly step: Sequence };

/** An update that is surveyed. Each part has a pace of its own: they take very different times. */
export type SurveyLists = {
  readonly begin: Sequence;
  readonly minibatches: readonly Minibatch[];
  /** of the whole batch, after the last step */
  readonly all: Minibatch;
};

/** The lists where the policy is a chain of dense layers. */
export async function denseSurvey(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  past: GpuPast,
  scores: DenseScoreNorms | null,
): Promise<SurveyLists> {
  const { epochs, minibatches } = plan;
  const paced = (work: string, fill: (list: CommandList) => Promise<void>): Promise<Sequence> =>
    pacedList(gpu, plan, b.all, work, fill);
  const look = (epoch: number, minibatch: number, live: GPUBuffer): Promise<Sequence> =>
    paced('look', async (list) => {
      await addLookForward(list, plan, b, past, { epoch, minibatch });
      if (scores) await scores.add(list, past.seen);
      else await addCoefficients(list, plan, b, live);
    });
  const begin = await paced('begin', async (list) => {
    await addRevisions(list, plan, b);
    if (b.refOut && !b.paid) await b.network.addForward(list, b.reference, b.refOut, 'all');
    await addStartLook(list, plan, b, past);
    await addBatchMetrics(list, plan, b);
  });
  const made: Minibatch[] = [];
  for (let k = 0; k < epochs * minibatches; k++) {
    const step = await paced('optimize', async (list) => {
      await addCoefficients(list, plan, b);
      await addOwnWeights(list, plan, b);
      if (!b.seen && k === 0 && minibatches === 1) await addRatioMetrics(list, plan, b, REPORT.start);
      await b.network.addBackward(list, past.seen, b.dOut);
      await addOptimizerStep(list, plan, b, k);
      if (plan.behaviour.unified) await past.addRounding(list);
      await addPreview(list, plan, b, past, k);
    });
    made.push({ look: await look(Math.floor(k / minibatches), k % minibatches, b.live), step });
  }
  const end = await paced('statistics', async (list) => {
    await addCoefficients(list, plan, b, b.look);
    await addOwnWeights(list, plan, b);
    await addUpdateStats(list, plan, b);
    await addRatioMetrics(list, plan, b, REPORT.ratios);
    await addWeightMetrics(list, plan, b);
  });
  return { begin, minibatches: made, all: { look: await look(epochs, 0, b.look), step: end } };
}
