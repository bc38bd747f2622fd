import { onAllCores } from '../ours/cores/crew.ts';
import { labRun, oursUpdate, type Changes, type TimedUpdate } from '../ours/runs.ts';
import { jaxUpdate } from '../peers/jaxUpdate.ts';
import type { Candidate } from '../stats.ts';
import { short } from '../table.ts';
import type { Bench, Contender } from '../types.ts';
import { tableWorld, type TableWorld } from '../world.ts';
import { asked, cpuName, measure } from './measure.ts';

/** Key and door with GRPO, one clipped pass over the batch, Adam: what all write in the same way. */
export const UPDATE: Changes = { 'advantage.method': 'grpo', 'objective.method': 'ppoClip', 'rollout.groupSize': 8 };
export const RATES = { learning: 0.01, timed: 1e-7 };
/** Everyone wins most episodes after so many updates of 128 episodes; at the start one in thirty. */
export const CHECK_UPDATES = 15;
const LEARNED = 0.75;
export const isLearned = (share: number): boolean => share >= LEARNED;

/** The size at which everyone learns. */
export const CHECKED = { 'rollout.tasksPerBatch': 16 };

/** Both learn the task at 16 × 8 episodes before they are timed at the size of the row. */
async function candidate(
  name: string,
  learner: () => Promise<Contender>,
  timed: () => Promise<Contender>,
  learned: Record<string, number>,
): Promise<Contender> {
  const small = await learner();
  const share = await small.check();
  await small.dispose();
  learned[name] = share[0]!;
  const contender = await timed();
  return { ...contender, check: async () => share };
}

/** One full update: rollout, credit, objective, optimizer, on the lab's own loop and written with jax-js. */
export async function fullUpdate(bench: Bench): Promise<void> {
  const { options, gpu, peers } = bench;
  const scratch = await labRun(null, { ...UPDATE, ...CHECKED });
  const world: TableWorld = tableWorld(scratch);
  scratch.dispose();
  for (const P of options.quick ? [16] : [16, 64, 256]) {
    const changes = { ...UPDATE, 'rollout.tasksPerBatch': P };
    const text = `key and door, ${P}×8 episodes, T ${world.T}, hidden ${world.start.hidden}`;
    const put = async (kind: 'webgpu' | 'cpu'): Promise<void> => {
      const learned: Record<string, number> = {};
      const device = kind === 'webgpu' ? gpu : null;
      const timed = (c: Changes): TimedUpdate => ({ changes: c, rates: RATES, checkUpdates: CHECK_UPDATES });
      const ours = (c: Changes) => () => oursUpdate('ours', device, timed(c));
      const jaxKind = kind === 'webgpu' ? 'webgpu' : 'wasm';
      const jax = (groups: number) => () => jaxUpdate(jaxKind, world, groups, 8, RATES, CHECK_UPDATES);
      const small = { ...changes, ...CHECKED };
      const candidates: Candidate[] = [
        { name: 'ours', make: () => candidate('ours', ours(small), ours(changes), learned) },
      ];
      const onCores = (c: Changes) => onAllCores({ kind: 'update', update: timed(c) }, ours(c))[0];
      const [learner, all] = [onCores(small), onCores(changes)];
      if (!device && learner && all)
        candidates.push({ name: all.name, make: () => candidate(all.name, learner.make, all.make, learned) });
      const peer = `jax-js ${jaxKind}`;
      if (peers) candidates.push({ name: peer, make: () => candidate(peer, jax(16), jax(P), learned) });
      await measure(bench, {
        ...{
          name: kind === 'cpu' ? cpuName(bench, 'full update') : 'full update webgpu',
          shape: text,
          candidates,
          tolerance: 0,
        },
        error: (share) => (isLearned(share[0]!) ? 0 : 1),
        numbers: (ms) => ({ 'steps/s': (P * 8 * world.T * 1000) / ms }),
        note: () =>
          `success after ${CHECK_UPDATES} updates: ${Object.entries(learned)
            .map(([id, share]) => `${id} ${short(share)}`)
            .join(', ')}`,
      });
    };
    if (asked(bench, 'webgpu')) await put('webgpu');
    if (asked(bench, 'cpu')) await put('cpu');
  }
}
