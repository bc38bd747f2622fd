import type { Changes } from '../ours/runs.ts';

/** An update that the model is asked about. */
export type ModelCase = {
  readonly name: string;
  readonly changes: Changes;
  /** milliseconds on one H200 (docs/benchmarks.md), where it was measured */
  readonly measured?: number;
  /** a line of the table of rates; the others are only held against what was measured */
  readonly isAsked?: boolean;
};

const sized = (P: number, G: number, T: number): Changes => ({
  ...{ 'rollout.tasksPerBatch': P, 'rollout.groupSize': G, 'task.grid.maxSteps': T },
});
const PPO: Changes = {
  ...{ 'advantage.method': 'gae', 'objective.epochs': 4, 'objective.minibatches': 4, 'objective.entropyCoef': 0.01 },
};
const CONV: Changes = { ...PPO, 'policy.method': 'conv' };
const GRU: Changes = { ...PPO, 'policy.method': 'gru' };
const GRPO: Changes = { 'advantage.method': 'grpo' };

/** Updates of key and door. The times are of the state of 2026-11-27, with rollouts of an invocation for each episode. */
export const CASES: readonly ModelCase[] = [
  { name: 'default experiment', changes: {}, measured: 2.14, isAsked: true },
  { name: 'one epoch, 64×8, T 32', changes: { ...GRPO, ...sized(64, 8, 32) }, isAsked: true },
  { name: 'PPO 4×4, 64×8, T 32', changes: { ...PPO, ...sized(64, 8, 32) }, measured: 5.73, isAsked: true },
  { name: 'convolution, PPO 4×4, 64×8, T 32', changes: { ...CONV, ...sized(64, 8, 32) }, isAsked: true },
  { name: 'GRU, PPO 4×4, 64×8, T 32', changes: { ...GRU, ...sized(64, 8, 32) }, isAsked: true },
  { name: 'PPO 4×4, 512×8, T 32', changes: { ...PPO, ...sized(512, 8, 32) }, measured: 19.3 },
  { name: 'GRPO, 16×8, T 30', changes: { ...GRPO, ...sized(16, 8, 30) }, measured: 2.17 },
  { name: 'GRPO, 256×8, T 30', changes: { ...GRPO, ...sized(256, 8, 30) }, measured: 3.77 },
  { name: 'GRPO, 1,024×64, T 30', changes: { ...GRPO, ...sized(1024, 64, 30) }, measured: 44.5 },
  { name: 'GRPO, 16×8, T 30, 16 seeds', changes: { ...GRPO, ...sized(16, 8, 30), 'run.seeds': 16 }, measured: 3.65 },
];
