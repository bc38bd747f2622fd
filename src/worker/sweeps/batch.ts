import { cellOf } from '../../lab/runs/ofSweep.ts';
import type { RunRecord } from '../../lab/runs/record.ts';
import { trainTogether, type Standing } from '../../lab/sweep/together.ts';
import { packBatch, readBatch } from '../../store/batchCheckpoints.ts';
import { TELL_MS, TURN_MS, type Surroundings, type Tell } from './cellTrainer.ts';
import { Telling } from '../telling.ts';
import { begunRun, kept, keepDone, keepFailed, type CellEnd } from './ends.ts';
import { Midway } from './midway.ts';

/**
 * Trains runs of one kind as replicas of one run on WebGPU, and keeps each as a run of its own. Their checkpoint is one
 * file under the id of the first that trains on. Where the device goes away, those that have not ended wait again.
 */
export async function trainBatch(
  runs: readonly RunRecord[],
  tell: Tell,
  { keep, places, open, pause }: Surroundings,
): Promise<readonly CellEnd[]> {
  const ends: (CellEnd | null)[] = runs.map(() => null);
  const putOff = (kind: 'lost' | 'failed', problem: string): CellEnd[] => ends.map((end) => end ?? { kind, problem });
  const device = await open();
  if (typeof device === 'string') return putOff('lost', device);
  const running = runs.map(begunRun);
  for (const [k, run] of running.entries()) ends[k] = await kept(keep, run, [], null);
  const wanted = running.filter((_, k) => ends[k] === null);
  if (wanted.length === 0) return putOff('lost', '');
  const placeOf = (k: number): number => running.indexOf(wanted[k]!);
  const midway = new Midway(places);
  const begun = await midway.read(
    wanted.map(({ id }) => id),
    (packed) => readBatch(packed, wanted),
  );
  const telling = new Telling(tell, TELL_MS);
  let turned = performance.now();
  const between = async (own: readonly number[], seconds: number, stand: () => Promise<Standing>): Promise<void> => {
    const now = performance.now();
    if (telling.isDue(now)) {
      const shares = runs.map((_, k) => own[wanted.indexOf(running[k]!)] ?? 0);
      telling.say(now, shares, seconds, ends);
    }
    if (now - turned < TURN_MS) return;
    const first = wanted.find((_, k) => ends[placeOf(k)] === null);
    if (first) await midway.offer(first.id, async () => packBatch(wanted, await stand()));
    await pause();
    turned = performance.now();
  };
  try {
    await trainTogether(
      wanted.map((run) => cellOf(run, '', 0)),
      {
        ...{ makeBackend: device.make, between, begun },
        async ended(k, end) {
          const run = wanted[k]!;
          ends[placeOf(k)] =
            'problem' in end ? await keepFailed(keep, run, end.problem) : await keepDone(keep, run, end);
        },
      },
    );
  } catch (error) {
    const gone = await device.gone();
    if (gone !== null) return putOff('lost', gone);
    const problem = error instanceof Error ? error.message : String(error);
    for (const [k, run] of running.entries()) ends[k] ??= await keepFailed(keep, run, problem);
  }
  if (!ends.some((end) => end?.kind === 'unkept')) await midway.drop();
  return putOff('failed', 'It did not end.');
}
