import { kernels } from '../../gpu/shaders/kernels.ts';
import { outputsOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addCoefficients } from './denseLook.ts';
import type { GpuPast } from './past.ts';
import type { Passes } from './passes.ts';
import { REPORT } from './report.ts';
import type { DenseScoreNorms } from './scoreNorms.ts';

/** Passes of a network that answers all steps of a batch at once. */
export function densePasses(plan: Plan, b: RunBuffers, past: GpuPast, scores: DenseScoreNorms | null): Passes {
  const { network, out, dOut } = b;
  return {
    units: b.columns.length,
    most: 1,
    begin: async (list) => {
      if (b.refOut && !b.paid) await network.addForward(list, b.reference, b.refOut, 'all');
    },
    see: async ({ list }, seen) => {
      const { S, B, T, actions, temperature } = plan;
      const { length, probs: played } = b.columns;
      await network.addForward(list, past.seen, out, 'all');
      await list.add(
        kernels.playedKl,
        { out, choice: b.choice, length, played, seen: seen.buffer, most: b.report(REPORT.mismatchMax, 1) },
        {
          ...{ B, T, actions, n: outputsOf(plan), inverse: 1 / temperature },
          ...{ section: b.section, floatSection: b.section, probsAt: b.probsAt },
        },
        [Math.ceil((B * T) / 64), 1, S],
      );
      await addCoefficients(list, plan, b, b.look);
      return list;
    },
    look: async ({ list }, { learns, again }) => {
      if (!again) await network.addForward(list, past.seen, out, 'all');
      await addCoefficients(list, plan, b, learns ? b.live : b.look);
      if (learns) await network.addBackward(list, past.seen, dOut);
      return list;
    },
    score: async ({ list }) => {
      await network.addForward(list, past.seen, out, 'all');
      await scores!.add(list, past.seen);
      return list;
    },
  };
}
