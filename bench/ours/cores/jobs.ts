import { Board } from '../../../src/engine/cpu/rows/board.ts';

/** Where all cores of a work read and write. */
export type Place = {
  readonly board: SharedArrayBuffer;
  /** the job at hand, and how often the work was done before */
  readonly turn: Int32Array;
  readonly floats: Float32Array;
};

/** A place with so many floats. */
export function makePlace(floats: number): Place {
  const turn = new Int32Array(new SharedArrayBuffer(8));
  return { board: Board.memory(), turn, floats: new Float32Array(new SharedArrayBuffer(4 * floats)) };
}

/**
 * A work in jobs, one after the other, each of items that any core may do: whole rows, or parts of the parameters, as the rows of
 * a run are spread (src/engine/cpu/rows). Every item writes to places of its own, so the bits do not depend on who does it.
 */
export type Jobs = {
  /** items of each job */
  readonly items: readonly number[];
  /** This core turns to a job. */
  begin(job: number): void;
  /** `time`: how often the work was done before */
  do(job: number, item: number, time: number): void;
};

/** Looks before a core without work sleeps: the next job mostly comes at once. */
const LOOKS = 20_000;

function items(board: Board, jobs: Jobs, { turn }: Place): void {
  const [job, time] = [turn[0]!, turn[1]!];
  jobs.begin(job);
  for (let item = board.take(); item >= 0; item = board.take()) {
    jobs.do(job, item, time);
    board.finish();
  }
}

/** Does the work once, together with whoever helps. */
export function lead(board: Board, jobs: Jobs, place: Place): void {
  jobs.items.forEach((count, job) => {
    board.prepare();
    place.turn[0] = job;
    board.open(count);
    items(board, jobs, place);
    board.await(count, () => undefined);
  });
  place.turn[1]!++;
}

/** One look for a job, which this core then takes part in; false: there was none. */
export function helpOnce(board: Board, jobs: Jobs, place: Place): boolean {
  if (!board.turn()) return false;
  items(board, jobs, place);
  return true;
}

/** The life of another core. */
export function help(board: Board, jobs: Jobs, place: Place): never {
  try {
    for (;;) {
      const { calls } = board;
      for (let k = 0; k < LOOKS && !helpOnce(board, jobs, place); k++);
      if (board.calls === calls) board.sleep(calls);
    }
  } catch (error) {
    board.fail();
    throw error;
  }
}
