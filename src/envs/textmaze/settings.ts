import { settings } from '../../core/settings.ts';
import type { TaskPreset } from '../types.ts';
import { milli, slipWeights, stepLimit } from '../common.ts';

/** Levels that are always the same. */
export const FIXED: Readonly<Record<string, string>> = {
  twoRooms:
    'rooms: hall cellar\nstart: hall\ndoor: hall south cellar red\nkey: red hall\nitem: lamp cellar\ngoal: take lamp',
  threeRooms:
    'rooms: hall garden cellar\nstart: hall\nedge: hall east garden\ndoor: hall south cellar blue\n' +
    'key: blue garden\nitem: cup cellar\ngoal: take cup',
};

/**
 * Settings and rewards in the manner of the maze of LMRL-Gym (arXiv 2311.18232): no doors, every step costs, words
 * that are no command cost more, and the goal itself pays nothing.
 */
export const LMRL: TaskPreset = {
  id: 'lmrl',
  title: 'LMRL-Gym',
  settings: { level: 'tree', rooms: 9, chain: 0, loops: 3, goal: 'reach', distract: false, metaActions: false },
  rewards: { goal: 0, step: -1000, syntax: -4000 },
  source: '2311.18232',
};

const LEVELS = [...Object.keys(FIXED), 'tree', 'ladder', 'custom'];
const LABELS: Readonly<Record<string, string>> = {
  twoRooms: 'Two rooms, one key',
  threeRooms: 'Three rooms, fetch the key',
  tree: 'Rooms with a chain of keys, generated',
  ladder: 'Four families of rising difficulty',
  custom: 'My own level',
};
const drawn = { setting: 'level', is: ['tree'] } as const;
/** Names of how far apart things lie, nearest first; `drawn` does not look. */
export const SPREADS = ['drawn', 'near', 'middle', 'far'] as const;

export const taskSettings = settings({
  level: {
    kind: 'choice',
    label: 'Level',
    default: 'twoRooms',
    options: LEVELS,
    optionLabels: LEVELS.map((id) => LABELS[id] ?? id),
    doc: 'The rooms. Some are fixed, some are generated from the level seed, and one you can write yourself.',
  },
  text: {
    kind: 'text',
    label: 'Level text',
    default:
      'rooms: hall attic vault\nstart: hall\nedge: hall north attic\ndoor: hall east vault green\n' +
      'key: green attic\nitem: coin vault\ngoal: bring coin hall',
    maxLength: 2000,
    doc: 'Lines for rooms, start, edge, door, key, item and goal; directions are compass points.',
    when: { setting: 'level', is: ['custom'] },
  },
  rooms: {
    kind: 'integer',
    label: 'Rooms',
    default: 3,
    min: 2,
    max: 16,
    doc: 'How many rooms; more rooms mean longer episodes.',
    when: drawn,
  },
  chain: {
    kind: 'integer',
    label: 'Locked doors',
    default: 1,
    min: 0,
    max: 4,
    doc: 'Locked doors in a row, each key behind the door before; at most one less than rooms.',
    when: drawn,
  },
  loops: {
    kind: 'integer',
    label: 'Loops',
    default: 0,
    min: 0,
    max: 8,
    doc: 'Extra open passages between neighboring rooms, where there are any.',
    when: drawn,
  },
  dispersion: {
    kind: 'choice',
    label: 'What matters lies',
    default: 'drawn',
    options: SPREADS,
    optionLabels: ['as drawn', 'close together', 'in between', 'far apart'],
    doc: 'How far apart start, keys, item and goal are: of 16 drawings the nearest … the farthest.',
    when: drawn,
  },
  truthful: {
    ...{ kind: 'number', label: 'Truthful rooms', default: 1, min: 0, max: 1, formula: 'q' },
    doc: 'Share of rooms that tell their exits truly; the others tell them a quarter turn off.',
    when: { setting: 'level', is: ['tree', 'ladder'] },
  },
  goal: {
    kind: 'choice',
    label: 'Goal',
    default: 'take',
    options: ['reach', 'take', 'bring'],
    optionLabels: ['reach a room', 'take an item', 'bring an item to a room'],
    doc: 'What the task sentence asks for.',
    when: drawn,
  },
  growEvery: {
    kind: 'integer',
    label: 'Grow every',
    default: 0,
    min: 0,
    max: 10_000,
    unit: 'updates',
    doc: 'Updates before the task grows by a locked door, or as set below; 0 = the whole task at once.',
    when: drawn,
  },
  growBy: {
    kind: 'choice',
    label: 'Grows by',
    default: 'locks',
    options: ['locks', 'trust'],
    optionLabels: ['locked doors', 'rooms to be trusted'],
    doc: 'What comes first: fewer locks, or goals among neighbors that tell their exits truly.',
    when: drawn,
  },
  distract: {
    kind: 'switch',
    label: 'Useless items',
    default: false,
    doc: 'There are also items that the task does not ask for.',
    when: drawn,
  },
  goalShown: {
    kind: 'choice',
    label: 'Goal is stated',
    default: 'always',
    options: ['always', 'first'],
    optionLabels: ['in every text', 'at the start and after plan'],
    doc: 'Whether the task sentence must be remembered.',
  },
  metaActions: {
    kind: 'switch',
    label: 'Plan and recall',
    default: true,
    doc: 'Two commands that only talk: repeat the task, list the rooms seen so far.',
  },
  view: {
    kind: 'choice',
    label: 'View',
    default: 'bag',
    options: ['bag', 'index'],
    optionLabels: ['set of words', 'number of the state'],
    doc: 'What the policy sees of the text.',
  },
  maskActions: {
    kind: 'switch',
    label: 'Forbid impossible commands',
    default: false,
    doc: 'Commands that would be refused cannot be chosen.',
  },
  slip: slipWeights('Slip', 'Weights of going left of, exactly in, and right of the direction said.'),
  maxSteps: stepLimit('ten steps per room'),
});

export const rewardSettings = settings({
  goal: milli('Goal', 1000, 'Paid for success.'),
  step: milli('Each step', 0, 'Paid for every step; negative = a cost of time.'),
  subgoal: milli('Milestone', 0, 'Paid for each key taken, each unlocking, and for taking the item of the goal.'),
  invalid: milli('Impossible command', 0, 'Paid for a command that is refused.'),
  syntax: milli('No command', 0, 'Paid for words that are not a command, instead of the one above.'),
  meta: milli('Plan and recall', 0, 'Paid for each plan and each recall.'),
});
