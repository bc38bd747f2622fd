import type { RowList } from '../../gpu/network.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { outputsOf } from '../../networks/policy.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { addCoefficients } from './denseLook.ts';
import type { GpuPast } from './past.ts';
import { goesOverAll, type Look, type Passes } from './passes.ts';
import { REPORT } from './report.ts';
import type { DenseScoreNorms } from './scoreNorms.ts';

/**
 * Passes of a network that answers all steps of a batch at once. Where it answers lists of steps, a look is one at the live
 * steps that have a weight: what an episode has left empty and the other minibatches are not computed.
 */
export function densePasses(plan: Plan, b: RunBuffers, past: GpuPast, scores: DenseScoreNorms | null): Passes {
  const { network, out, dOut, liveRows } = b;
  const lists = network.lists!;
  // nothing but coefficients reads the outputs of a look, nor those of a reference
  const { objective } = plan;
  const staysInside = !b.refOut && !b.seen && !objective.survey && !objective.marks?.(plan.objectiveParams as never);
  const addList = async (list: CommandList, trajectories: number, all: boolean): Promise<RowList> => {
    await lists.add(list, plan, { plan: b.plan, list: liveRows! }, all);
    return lists.of(plan, liveRows!, trajectories);
  };
  /** The rows of a look, listed where they change; and whether the outputs that are there are theirs. */
  const rowsOf = async (list: CommandList, look: Look): Promise<[RowList | 'all', boolean]> => {
    const { again, trajectories, listed } = look;
    if (!liveRows) return ['all', again !== undefined];
    if (again === 'survey') return [lists.of(plan, liveRows, trajectories), true];
    const isAll = goesOverAll(plan, look);
    const isListed = listed !== undefined;
    return [
      isListed ? lists.of(plan, liveRows, trajectories, listed) : await addList(list, trajectories, isAll),
      isAll,
    ];
  };
  return {
    units: b.columns.length,
    most: 1,
    ...(liveRows ? { lists: { rows: liveRows, by: lists } } : {}),
    begin: async (list) => {
      if (b.refOut && !b.paid) await network.addForward(list, b.reference, b.refOut, 'all');
    },
    see: async ({ list }, seen, listed) => {
      const { S, B, T, actions, temperature } = plan;
      const [rows] = await rowsOf(list, {
        learns: false,
        trajectories: B,
        again: 'start',
        ...(listed === undefined ? {} : { listed }),
      });
      await network.addForward(list, past.seen, out, rows);
      // only where another policy plays than trains
      const { playedKlWith } = await import('../../gpu/shaders/playedKlKernels.ts');
      const places = rows === 'all' ? { plan: b.plan } : { rows: rows.rows };
      const most = b.report(REPORT.mismatchMax, 1);
      await list.add(
        playedKlWith(rows === 'all' ? undefined : lists.places),
        { ...places, out, choice: b.choice, played: b.columns.probs, seen: seen.buffer, most },
        {
          ...{ B, T, actions, n: outputsOf(plan), inverse: 1 / temperature },
          ...{ section: b.section, floatSection: b.section, probsAt: b.probsAt },
        },
        [Math.ceil((B * T) / 64), 1, S],
      );
      await addCoefficients(list, plan, b, { live: b.look, rows });
      return list;
    },
    look: async ({ list }, how) => {
      const [rows, isThere] = await rowsOf(list, how);
      const isOwn = staysInside && !isThere && rows !== 'all';
      const head = (isOwn && (await network.head?.(past.seen, rows, how.learns))) || null;
      const isWhole = head?.id === 'coefficients.whole';
      if (!isThere && !isWhole) await network.addForward(list, past.seen, head ? null : out, rows);
      await addCoefficients(list, plan, b, { live: how.learns ? b.live : b.look, rows, head });
      if (how.learns)
        await network.addBackward(list, past.seen, dOut, rows === 'all' ? undefined : rows, head !== null);
      return list;
    },
    score: async ({ list }) => {
      await network.addForward(list, past.seen, out, 'all');
      await scores!.add(list, past.seen);
      return list;
    },
  };
}
