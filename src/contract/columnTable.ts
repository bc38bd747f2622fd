import type { NumberType } from './numbers.ts';
import { signalColumns } from './signals.ts';
import { updateColumns, type UpdateFact } from './updateColumns.ts';

/**
 * The one table of the columns that a batch and its update are made of. CPU arrays, the finished batch and its copies, sections of buffers
 * on the device, read-back, snapshots, what a module may need and the memory estimate are derived from it (columns.ts,
 * sections.ts).
 */

/**
 * What a column has one entry for. `stepAndEnd`: T + 1, the state after the last step included. `unit`: none where a step is
 * one decision; `decision`: then one a step.
 */
export type ColumnPer = 'replica' | 'task' | 'row' | 'step' | 'stepAndEnd' | 'unit' | 'decision';

/** Sizes of one replica of a run. */
export type ColumnSizes = {
  /** tasks, rows, step limit, decisions of a step with log-probabilities of their own (0: a step is one decision) */
  readonly P: number;
  readonly B: number;
  readonly T: number;
  readonly K: number;
  readonly actions: number;
  /** u32 words of a packed state and of an observation, cells of an observation */
  readonly words: number;
  readonly obsWords: number;
  readonly cells: number;
  /** looks at the batch that have minibatches of their own: epochs, and the whole at the end */
  readonly passes: number;
};

/** Large buffers of a device: a column is a section of one, in the order of this table. `own`: it has one alone. */
export type DeviceBuffer = 'state' | 'obs' | 'choice' | 'result' | 'reals' | 'draws' | 'credit';

export type ColumnSpec = {
  readonly per: ColumnPer;
  readonly type: NumberType;
  /** numbers of one entry; 1 where it is not said */
  readonly width?: (sizes: ColumnSizes) => number;
  /** every run has it; or only where a module needs it; without either: only where a module says that it makes it */
  readonly made?: 'always' | 'need';
  /** of what an update makes: only in a run of which this is true */
  readonly when?: UpdateFact;
  /** only whoever plays and learns reads it: it is not part of a finished batch */
  readonly inner?: true;
  /** of what is made where it is needed: every rollout makes it, also one that only looks */
  readonly played?: true;
  /** the page gets it with a snapshot: as the world paid it, or empty where a run has none */
  readonly shown?: true;
  /** the section on the device; `planes`: each number of an entry has its own section */
  readonly device?: DeviceBuffer | 'own';
  readonly planes?: true;
  readonly deviceOnly?: true;
  /** only the CPU path makes it: a run of which a module needs it trains there */
  readonly cpuOnly?: true;
  /** on the device it is one word of every entry of another column */
  readonly within?: readonly [column: string, word: number];
  /** its numbers are names of something: nothing is computed with them */
  readonly isLabel?: true;
  /** how a sentence names it that says it does not exist; only of columns that not every run has */
  readonly words?: string;
  /** what it holds, with units */
  readonly doc: string;
};

const two = (): number => 2;

/** Parts of the reward that are told apart: the world and three modules; further modules count with the third. */
export const REWARD_PARTS = 4;

/** In the order of the sections on the device. A new column is one entry here, and someone who makes it. */
export const columns = {
  state: {
    ...{ per: 'stepAndEnd', type: 'u32', width: ({ words }) => words, made: 'always', inner: true, device: 'state' },
    doc: 'packed state before each step and after the last',
  },
  obs: {
    ...{
      per: 'stepAndEnd',
      type: 'u32',
      width: ({ obsWords }) => obsWords,
      made: 'always',
      inner: true,
      device: 'obs',
    },
    doc: 'what the policy sees, as bits',
  },
  legal: {
    ...{ per: 'step', type: 'u32', made: 'always', inner: true, device: 'choice' },
    doc: 'bits of the actions that may be chosen',
  },
  action: {
    ...{ per: 'step', type: 'u32', made: 'always', shown: true, device: 'choice', isLabel: true },
    doc: 'chosen action',
  },
  command: {
    ...{ per: 'step', type: 'u32', inner: true, device: 'choice' },
    doc: 'what was written, one token a byte',
  },
  rewardMilli: {
    ...{ per: 'step', type: 'i32', made: 'always', inner: true, device: 'result' },
    doc: 'reward of the environment in whole thousandths',
  },
  stateKey: {
    ...{ per: 'step', type: 'u32', width: two, made: 'always', shown: true, device: 'result' },
    doc: '64-bit key of the state before each step as (high, low)',
  },
  ending: {
    ...{ per: 'row', type: 'u32', width: () => 4, made: 'always', inner: true, device: 'result' },
    deviceOnly: true,
    doc: 'success, terminated, and what else the world counts',
  },
  finalStateKey: {
    ...{ per: 'row', type: 'u32', width: two, made: 'always', shown: true, device: 'result' },
    doc: 'key of the state after the last step',
  },
  taskIndex: {
    ...{ per: 'row', type: 'u32', made: 'always', shown: true, device: 'result', isLabel: true },
    doc: 'group of each row, 0 ≤ g < P: the only truth about groups',
  },
  length: {
    ...{ per: 'row', type: 'u32', made: 'always', shown: true, device: 'result' },
    doc: 'real steps of each row, 1 ≤ length ≤ T',
  },
  turns: {
    ...{ per: 'replica', type: 'u32', width: ({ B }) => 2 * B + 1, made: 'always', inner: true, device: 'result' },
    deviceOnly: true,
    doc: 'first and last step of the phase of each row, then the place of the version that plays it',
  },
  reward: {
    ...{ per: 'step', type: 'f32', made: 'always', shown: true, device: 'reals' },
    doc: 'reward of the environment',
  },
  outcome: {
    ...{ per: 'row', type: 'f32', made: 'always', shown: true, device: 'reals' },
    doc: 'R = Σ of the rewards of a row, undiscounted',
  },
  logp: {
    ...{ per: 'step', type: 'f32', made: 'always', device: 'draws' },
    doc: 'log π_old(a|o) in nats, stored when it was sampled',
  },
  entropy: {
    ...{ per: 'step', type: 'f32', made: 'always', shown: true, device: 'draws' },
    doc: 'entropy of π_old in nats',
  },
  value: {
    ...{ per: 'step', type: 'f32', made: 'always', device: 'draws' },
    doc: 'V of the critic before each step; 0 without one',
  },
  unitLogp: {
    ...{ per: 'unit', type: 'f32', inner: true, device: 'draws' },
    doc: 'log-probability of each decided word, 0 beyond',
  },
  unitEntropy: {
    per: 'unit',
    type: 'f32',
    inner: true,
    device: 'draws',
    doc: 'entropy of each decided word, 0 beyond',
  },
  valueHeads: {
    ...{ per: 'step', type: 'f32', width: two, inner: true, device: 'draws', planes: true },
    doc: 'both values of a double critic',
  },
  probs: {
    ...{ per: 'step', type: 'f32', width: ({ actions }) => actions, made: 'always', inner: true, device: 'draws' },
    doc: 'π_old of every action',
  },
  success: {
    ...{ per: 'row', type: 'u32', made: 'always', shown: true, within: ['ending', 0] },
    doc: '1 = reached the goal',
  },
  terminated: {
    ...{ per: 'row', type: 'u32', made: 'always', shown: true, within: ['ending', 1] },
    doc: '1 = ended by itself, 0 = cut at the step limit',
  },
  valueFinal: { per: 'row', type: 'f32', made: 'always', doc: 'V of the critic after the last step' },
  unitDelta: {
    ...{ per: 'unit', type: 'f32', inner: true },
    doc: 'log π_θ − log π_old of each decided word when it was last evaluated',
  },
  origin: {
    ...{ per: 'row', type: 'u8', shown: true, isLabel: true, words: 'where each row comes from' },
    doc: 'where the row comes from, its place in ORIGINS: see rows.ts',
  },
  measured: {
    ...{ per: 'row', type: 'u8', words: 'which rows are measured' },
    doc: '1 = metrics of the policy and success curves count it',
  },
  trains: { per: 'row', type: 'u8', words: 'which rows train', doc: '1 = the objective learns from it' },
  units: {
    ...{ per: 'step', type: 'u8', made: 'need', words: 'the number of units of each step' },
    doc: 'units of each step: decisions with a log-probability of their own; 0 on padding',
  },
  unitValue: {
    ...{ per: 'decision', type: 'f32', made: 'need', cpuOnly: true, words: 'a value before each word' },
    doc: 'V(o, w) of the critic before each unit of a step, w being what the step decided before; 0 beyond',
  },
  scoreNorm: {
    ...{ per: 'step', type: 'f32', made: 'need', played: true, words: 'the size of the score at each step' },
    doc: '‖∂ log π_old(a|o)/∂ logits‖² = 1 − 2π(a) + Σ_b π(b)²',
  },
  greedyReturn: {
    ...{ per: 'task', type: 'f32', made: 'need', words: 'the return of one greedy episode of each task' },
    doc: 'return of one greedy episode of each task, played with the same step limit',
  },
  rewardParts: {
    ...{ per: 'row', type: 'f32', width: () => REWARD_PARTS, made: 'need', words: 'the parts of the reward' },
    doc: 'sum of what the world paid, 0 where a module replaces it, then of what each reward module paid; 0 beyond',
  },
  logpPhi: {
    ...{ per: 'step', type: 'f32', made: 'need', words: 'the log-probabilities of a process model' },
    doc: 'log π_φ(a|o) of the process model φ, before this batch trains it',
  },
  processScore: {
    ...{ per: 'step', type: 'f32', made: 'need', words: 'a score of each step' },
    doc: 'ψ of each step: its exact advantage, one estimated from restored states, or a signal',
  },
  answerProb: {
    ...{ per: 'stepAndEnd', type: 'f32', made: 'need', shown: true, words: 'how likely the true answer is' },
    doc: 'π(true answer | o) if the policy that played had to answer now, without gradient; after the last step what came of it',
  },
  features: {
    ...{
      per: 'stepAndEnd',
      type: 'u32',
      width: ({ obsWords }) => obsWords,
      made: 'need',
      words: 'what the policy saw',
    },
    doc: 'what the policy sees before each step and after the last, as bits, for models of rewards',
  },
  modelError: {
    ...{ per: 'replica', type: 'f32', words: 'the error of a reward model' },
    doc: 'error of a reward model on the batch before it learns from it',
  },
  decidedBy: {
    ...{ per: 'replica', type: 'f32', width: () => 4, words: 'what decided pairs of episodes' },
    doc: 'pairs that each wish decided, from the first on, and pairs that none did, as shares',
  },
  levelSeed: {
    ...{ per: 'row', type: 'u32', made: 'need', isLabel: true, words: 'the level of each episode' },
    doc: 'seed of the level of each row',
  },
  covered: {
    ...{ per: 'stepAndEnd', type: 'f32', made: 'need', words: 'what was covered' },
    doc: 'weight of all that the states up to this one covered, each thing once',
  },
  cover: {
    ...{ per: 'stepAndEnd', type: 'f32', made: 'need', words: 'what was covered' },
    doc: 'weight of what this state covers by itself',
  },
  budget: {
    ...{ per: 'row', type: 'f32', made: 'need', words: 'a step budget of each episode' },
    doc: 'steps that the policy was told to need at most; the step limit where it was told none',
  },
  taught: {
    ...{ per: 'stepAndEnd', type: 'f32', made: 'need', words: 'the subgoals of a teacher' },
    doc: 'subgoals of the teacher that were reached so far, as a share of those of the level; 0 without one',
  },
  budgetReward: {
    ...{ per: 'row', type: 'f32', made: 'need', words: 'the reward of a success that just keeps its budget' },
    doc: 'what a success earns that takes its whole budget',
  },
  ...signalColumns,
  planMask: {
    ...{ per: 'step', type: 'u8', words: 'a mark on the actions that belong to a plan' },
    doc: '1 = the action belongs to a plan, as the action format says',
  },
  role: {
    ...{ per: 'row', type: 'u32', isLabel: true, words: 'the player of each episode' },
    doc: 'player that the row belongs to',
  },
  branchParent: {
    ...{ per: 'row', type: 'i32', isLabel: true, words: 'episodes that were forked from others' },
    doc: 'row it was forked from, −1 = none; the shared steps are repeated in the child',
  },
  branchStep: {
    ...{ per: 'row', type: 'u32', words: 'episodes that were forked from others' },
    doc: 'first step that it does not share',
  },
  obsCells: {
    ...{ per: 'step', type: 'u32', width: ({ cells }) => cells, made: 'need', played: true, isLabel: true },
    words: 'the observation of each step as cells',
    doc: 'cells of the observation before each step: a word for each cell of a map, each token, or each single feature',
  },
  decides: {
    ...{ per: 'step', type: 'u8', made: 'need', played: true, isLabel: true, words: 'what each step decides' },
    doc: 'what the step decides, its place in STEP_ROLES: an action of the world, keep or switch, a subgoal, a plan, a note',
  },
  subgoal: {
    ...{ per: 'stepAndEnd', type: 'u8', made: 'need', played: true, isLabel: true, words: 'subgoals of the policy' },
    doc: 'number of the subgoal that is followed in a state, from 1; 0 = none',
  },
  subgoalHeld: {
    ...{ per: 'stepAndEnd', type: 'u8', made: 'need', played: true, words: 'subgoals of the policy' },
    cpuOnly: true,
    doc: 'bit 0: the subgoal that is followed holds; after a step that chose it, it held already. Bit 1: the last step reached the one before',
  },
  levelPool: {
    ...{ per: 'row', type: 'u32', made: 'need', cpuOnly: true, isLabel: true, words: 'which levels are the same' },
    doc: 'first task of the batch whose level is that of the row, by what the keys of states take for the same',
  },
  ...updateColumns,
} as const satisfies Readonly<Record<string, ColumnSpec>>;
