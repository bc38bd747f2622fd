import { Hired } from '../../../src/ui/hired.ts';
import { cores } from '../../peers/files.ts';
import type { Candidate } from '../../stats.ts';
import type { Contender } from '../../types.ts';
import type { Answer, Said, Work } from './core.worker.ts';
import { makePlace } from './jobs.ts';
import { stepFloats } from './works.ts';

const start = (): Worker => new Worker(new URL('./core.worker.ts', import.meta.url), { type: 'module' });

/** Says something to the first core and waits for what it answers. */
const ask = (first: Worker, said: Said, moved: Transferable[] = []): Promise<Float32Array | null> =>
  new Promise((resolve, reject) => {
    first.onmessage = ({ data }: MessageEvent<Answer>) =>
      'error' in data ? reject(new Error(data.error)) : resolve(data.result);
    first.onerror = (event) => reject(new Error(event.message));
    first.postMessage(said, moved);
  });

function floatsOf(work: Work): number {
  if (work.kind === 'update') return 0;
  return work.kind === 'step' ? stepFloats(work.problem) : work.product[0] * work.product[2];
}

async function crew(name: string, work: Work, count: number): Promise<Contender> {
  const place = makePlace(floatsOf(work));
  const others = work.kind === 'update' ? 0 : count - 1;
  const [first, ...rest] = Array.from({ length: 1 + others }, start) as [Worker, ...Worker[]];
  for (const worker of rest) worker.postMessage({ say: 'help', work, cores: count, place } satisfies Said);
  // a run of the lab asks for others by itself
  const hire = new MessageChannel();
  const hired = new Hired(hire.port1);
  await ask(first, { say: 'open', work, cores: count, place, hire: hire.port2 }, [hire.port2]);
  return {
    name,
    run: async (times) => void (await ask(first, { say: 'run', times })),
    check: async () => (await ask(first, { say: 'check' }))!,
    dispose() {
      for (const worker of [first, ...rest]) worker.terminate();
      hired.end();
    },
  };
}

/** Equal in every bit: NaN is itself, and 0 is not −0. */
const isSame = (a: Float32Array, b: Float32Array): boolean =>
  a.length === b.length && a.every((x, k) => Object.is(x, b[k]));

/**
 * The work on all cores that a page may use, in workers with shared memory; nothing where that is one. Whatever it finds must
 * have the bits of `one`, the same work on one core, before the clock starts.
 */
export function onAllCores(work: Work, one: () => Promise<Contender>): Candidate[] {
  const count = cores();
  if (count < 2) return [];
  const name = `ours ${count} cores`;
  const make = async (): Promise<Contender> => {
    const contender = await crew(name, work, count);
    const check = async (): Promise<Float32Array> => {
      const alone = await one();
      const [found, wanted] = [await contender.check(), await alone.check()];
      await alone.dispose();
      if (!isSame(found, wanted)) throw new Error('its bits are not those of one core');
      return found;
    };
    return { ...contender, check };
  };
  return [{ name, make }];
}
