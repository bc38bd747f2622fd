import fc from 'fast-check';
import type { Batch } from '../../contract/columns.ts';
import { sampleBatch, type SampleTrajectory } from './sampleBatch.ts';

/**
 * Trajectories over five states with rewards in quarters: groups of unequal size, ragged, loops, cuts, two players, forks
 * that need not fit their parent.
 */
const trajectory: fc.Arbitrary<SampleTrajectory> = fc.integer({ min: 1, max: 6 }).chain((n) => {
  const list = (min: number, max: number): fc.Arbitrary<number[]> =>
    fc.array(fc.integer({ min, max }), { minLength: n, maxLength: n });
  return fc.record({
    task: fc.integer({ min: 0, max: 2 }),
    success: fc.boolean(),
    role: fc.integer({ min: 0, max: 1 }),
    entropy: list(0, 8).map((x) => x.map((h) => h / 8)),
    logp: list(-8, 0).map((x) => x.map((l) => l / 4)),
    logpPhi: list(-8, 0).map((x) => x.map((l) => l / 4)),
    scoreNorm: list(0, 8).map((x) => x.map((e) => e / 4)),
    cells: fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 4, maxLength: 4 }), {
      minLength: n,
      maxLength: n,
    }),
    parent: fc.integer({ min: -1, max: 3 }),
    branchStep: fc.integer({ min: 0, max: 6 }),
    reward: list(-4, 4).map((x) => x.map((r) => r / 4)),
    state: list(1, 5),
    tag: list(0, 4),
    answerProb: list(0, 8).map((x) => x.map((q) => q / 8)),
    invalid: list(0, 1),
    novel: list(0, 1),
    decides: list(0, 4),
    subgoal: list(0, 2),
    held: list(0, 1),
    finalState: fc.integer({ min: 1, max: 5 }),
    action: list(0, 2),
    value: list(-8, 8).map((x) => x.map((r) => r / 8)),
    valueFinal: fc.integer({ min: -8, max: 8 }).map((r) => r / 8),
    terminated: fc.boolean(),
  });
});

export const arbitraryTrajectories = fc.array(trajectory, { minLength: 1, maxLength: 9 }).map((list) =>
  list.map((x, i) => ({
    ...x,
    greedy: x.task! / 4,
    parent: Math.min(x.parent!, i - 1),
    processScore: x.value!.map((v, t) => v - x.entropy![t]!),
  })),
);

/** The same trajectories, last first; forks still point to their parents. */
export const turned = (list: readonly SampleTrajectory[]): SampleTrajectory[] =>
  list.map((x) => ({ ...x, parent: (x.parent ?? -1) < 0 ? -1 : list.length - 1 - x.parent! })).reverse();

export const arbitraryBatch: fc.Arbitrary<Batch> = arbitraryTrajectories.map((list) => sampleBatch(list, 7));
