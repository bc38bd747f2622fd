/** What one invocation does in a step of an episode, one thing after the other. */
export type StepWork = { readonly reads: number; readonly operations: number };

export const NOTHING: StepWork = { reads: 0, operations: 0 };
export const timesOf = (n: number, { reads, operations }: StepWork): StepWork => ({
  ...{ reads: n * reads, operations: n * operations },
});
export const plus = (a: StepWork, b: StepWork): StepWork => ({
  ...{ reads: a.reads + b.reads, operations: a.operations + b.operations },
});

/**
 * World and decision of a step of key and door, as the kernels count it themselves (tally.ts; stepWork.gpu.test.ts counts anew):
 * of an invocation that plays alone on average, and of the slowest of the eight players of a workgroup, for whom the others wait.
 */
export const WORLD = {
  alone: { reads: 84, operations: 1168 },
  shared: { reads: 91, operations: 1280 },
} as const satisfies Readonly<Record<string, StepWork>>;

/** The same where a step is a dispatch of its own: all that is seen is put together anew, and draws begin anew. */
export const ANEW: StepWork = { reads: 163, operations: 2224 };

/** Of the network what does not depend on its hidden layer, for each turn of an invocation at its first layer, and what comes with each unit. */
export type Chain = { readonly first: StepWork; readonly unit: StepWork };
export const ALONE: Chain = { first: { reads: 35, operations: 228 }, unit: { reads: 9, operations: 42 } };
export const SHARED: Chain = { first: { reads: 28, operations: 259 }, unit: { reads: 2, operations: 11.7 } };

export const chainOf = ({ first, unit }: Chain, hidden: number, turns: number): StepWork =>
  plus(timesOf(turns, first), timesOf(hidden, unit));

/**
 * Whole steps of key and door, network included, in the kernels of the day on which an H200 was measured (8d1211e8), counted in the
 * same way, and what 30 of them took there for 128 episodes. A read is taken to have cost 20 ns then, as much as one of workgroup memory
 * does (about 30 cycles of 1.7 GHz), because a level, a state and the weights lie in the cache after the first look: if a read cost more,
 * an operation cost less, and kernels that read less would be faster than the model says. What is left of the first row makes 4.8 ns for an
 * operation. The other two are not used, so they check this. With two hidden layers it says a fourth of what was measured.
 */
export const MEASURED: readonly (StepWork & { readonly name: string; readonly ms: number })[] = [
  { name: 'alone, 8 hidden units', reads: 345, operations: 2584, ms: 0.58 },
  { name: 'alone, 64 hidden units', reads: 846, operations: 4830, ms: 1.18 },
  { name: 'shared, 64 hidden units', reads: 473, operations: 3615, ms: 0.75 },
];
