import fc from 'fast-check';
import type { Batch } from '../../core/batch.ts';
import { sampleBatch, type SampleTrajectory } from './sampleBatch.ts';

/** Trajectories over five states with rewards in quarters: groups of unequal size, ragged, loops, cuts. */
const trajectory: fc.Arbitrary<SampleTrajectory> = fc.integer({ min: 1, max: 6 }).chain((n) => {
  const list = (min: number, max: number): fc.Arbitrary<number[]> =>
    fc.array(fc.integer({ min, max }), { minLength: n, maxLength: n });
  return fc.record({
    task: fc.integer({ min: 0, max: 2 }),
    reward: list(-4, 4).map((x) => x.map((r) => r / 4)),
    state: list(1, 5),
    finalState: fc.integer({ min: 1, max: 5 }),
    action: list(0, 2),
    value: list(-8, 8).map((x) => x.map((r) => r / 8)),
    valueFinal: fc.integer({ min: -8, max: 8 }).map((r) => r / 8),
    terminated: fc.boolean(),
  });
});

export const arbitraryTrajectories = fc.array(trajectory, { minLength: 1, maxLength: 9 });
export const arbitraryBatch: fc.Arbitrary<Batch> = arbitraryTrajectories.map((list) => sampleBatch(list, 7));
