import { Board } from '../../../src/engine/cpu/rows/board.ts';
import { hireFrom } from '../../../src/worker/hiring.ts';
import { RowCores } from '../../../src/worker/rowCores.ts';
import { CHECK_STEPS, withoutPadding, type Step } from '../../problem.ts';
import type { Contender } from '../../types.ts';
import { oursUpdate, type TimedUpdate } from '../runs.ts';
import { help, lead, type Jobs, type Place } from './jobs.ts';
import { productJobs, stepJobs, type Product } from './works.ts';

/** What cores do together: the lab's own run brings its other cores along. */
export type Work =
  | { readonly kind: 'product'; readonly product: Product }
  | { readonly kind: 'step'; readonly problem: Step }
  | { readonly kind: 'update'; readonly update: TimedUpdate };

type Shared = { readonly work: Work; readonly cores: number; readonly place: Place };

/** What the page says: the first core opens a work and then does it, another one helps until its end. */
export type Said =
  | ({ readonly say: 'open'; readonly hire: MessagePort } & Shared)
  | ({ readonly say: 'help' } & Shared)
  | { readonly say: 'run'; readonly times: number }
  | { readonly say: 'check' };

export type Answer = { readonly result: Float32Array | null } | { readonly error: string };

function jobsOf(work: Work, cores: number, place: Place): Jobs {
  if (work.kind === 'product') return productJobs(work.product, cores, place);
  if (work.kind === 'step') return stepJobs(work.problem, cores, place);
  throw new Error('A run of the lab has cores of its own.');
}

async function open(work: Work, cores: number, place: Place): Promise<Omit<Contender, 'name' | 'dispose'>> {
  if (work.kind === 'update') return oursUpdate('', new RowCores(cores, true, null).make, work.update);
  const [board, jobs] = [new Board(place.board), jobsOf(work, cores, place)];
  if (work.kind === 'step') place.floats.set(work.problem.theta);
  const run = (times: number): void => {
    for (let k = 0; k < times; k++) lead(board, jobs, place);
  };
  return {
    run: async (times) => run(times),
    async check() {
      run(work.kind === 'step' ? CHECK_STEPS : 1);
      return work.kind === 'step' ? withoutPadding(work.problem, place.floats) : place.floats.slice();
    },
  };
}

let opened: Omit<Contender, 'name' | 'dispose'> | null = null;

async function answer(said: Said): Promise<Answer> {
  if (said.say === 'help') help(new Board(said.place.board), jobsOf(said.work, said.cores, said.place), said.place);
  if (said.say === 'open') {
    hireFrom(said.hire);
    opened = await open(said.work, said.cores, said.place);
  }
  if (said.say === 'run') await opened!.run(said.times);
  return { result: said.say === 'check' ? await opened!.check() : null };
}

self.onmessage = ({ data }: MessageEvent<Said>) => {
  void answer(data)
    .catch((error: unknown): Answer => ({ error: error instanceof Error ? error.message : String(error) }))
    .then((found) => postMessage(found));
};
