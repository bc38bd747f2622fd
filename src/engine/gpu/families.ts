import { part } from '../../contract/columns.ts';
import { LOG_WEIGHT_CAP, essClipped, essFromLogWeights, essOfGroups } from '../../core/math/ess.ts';
import { groupsOf } from '../../core/batch.ts';
import { together } from '../../core/together.ts';
import { putInto } from '../../slots/metrics/metrics.ts';
import type { UpdateRecord } from '../backend.ts';
import { samplesOf } from '../independent.ts';
import type { Plan, Tasks } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import type { GivenRows } from './givenRows.ts';

/**
 * Where rows go on from others, effective sample sizes are those of families: the sums of rows come back, and replace what a
 * kernel says of rows. Such runs wait for each update anyway.
 */
export async function measureFamilies(
  { S, B }: Plan,
  b: RunBuffers,
  { rows: { parent, measured }, tasks }: { readonly rows: GivenRows; readonly tasks: Tasks },
  { metrics }: Pick<UpdateRecord, 'metrics'>,
): Promise<void> {
  const read = async (buffer: GPUBuffer): Promise<Float32Array> =>
    new Float32Array(await b.reads.of({ buffer, offset: 0, size: 4 * S * B }));
  const isApart = b.startSum !== b.rowSum;
  const [end, start] = await together([read(b.rowSum), isApart ? read(b.startSum) : null]);
  for (let s = 0; s < S; s++) {
    const put = putInto(metrics, s);
    const taskIndex = part(tasks.taskIndex, S, s);
    const rows = Array.from({ length: B }, (_, i) => i).filter((i) => measured[s * B + i] === 1);
    const groups = groupsOf({ B: rows.length, taskIndex: Uint32Array.from(rows, (i) => taskIndex[i]!) });
    const of = (sums: Float32Array) => {
      const perTrajectory = Float64Array.from(rows, (i) => sums[s * B + i]!);
      return samplesOf({ B, taskIndex, branchParent: part(parent, S, s) }, { rows, perTrajectory, groups });
    };
    const samples = of(end!);
    put('ess', essFromLogWeights(samples.logWeights));
    put('essClipped', essClipped(samples.logWeights, LOG_WEIGHT_CAP));
    put('essGroup', essOfGroups(samples.logWeights, samples.groups));
    if (start) put('essStart', essFromLogWeights(of(start).logWeights));
  }
}
