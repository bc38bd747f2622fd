import { expect, test } from 'vitest';
import { Board } from '../../../src/engine/cpu/rows/board.ts';
import { CHECK_STEPS, gaussians, stepProblem, withoutPadding } from '../../problem.ts';
import { oursProductCpu } from '../productCpu.ts';
import { oursStepsCpu } from '../stepCpu.ts';
import { helpOnce, lead, makePlace, type Jobs, type Place } from './jobs.ts';
import { productJobs, stepFloats, stepJobs } from './works.ts';

const CORES = 3;

/** Does the work so often on cores of this thread: each time the first core turns to an item, the others have had theirs. */
function together(make: (place: Place) => Jobs, floats: number, start: Float32Array, times: number): Float32Array {
  const place = makePlace(floats);
  place.floats.set(start);
  const others = Array.from({ length: CORES - 1 }, () => ({ board: new Board(place.board), jobs: make(place) }));
  const first = make(place);
  let taken = 0;
  const leader: Jobs = {
    ...first,
    do(job, item, time) {
      first.do(job, item, time);
      for (const { board, jobs } of others) {
        const one: Jobs = { ...jobs, do: (...args) => (taken++, jobs.do(...args)) };
        helpOnce(board, one, place);
      }
    },
  };
  const board = new Board(place.board);
  for (let k = 0; k < times; k++) lead(board, leader, place);
  expect(taken).toBeGreaterThan(0);
  return place.floats;
}

test.each([[97, 33, 18] as const, [17, 300, 9] as const])(
  'rows of a product on several cores have the bits of one, %s×%s×%s',
  async (m, k, n) => {
    const [A, B] = [gaussians(1, m * k), gaussians(2, k * n)];
    const one = await (await oursProductCpu(m, k, n, A, B)[0]!.make()).check();
    const found = together(
      (place) => productJobs([m, k, n, A, B], CORES, place),
      m * n,
      new Float32Array(m * n).fill(7),
      1,
    );
    expect(found).toEqual(one);
  },
);

test.each([300, 640])('a training step of %s rows on several cores has the bits of one', async (rows) => {
  const problem = stepProblem(rows, 20, 12, 4);
  const one = await (await oursStepsCpu(problem)[0]!.make()).check();
  const found = together((place) => stepJobs(problem, CORES, place), stepFloats(problem), problem.theta, CHECK_STEPS);
  expect(withoutPadding(problem, found)).toEqual(one);
});
