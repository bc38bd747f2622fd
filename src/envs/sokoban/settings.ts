import { settings } from '../../core/settings.ts';
import { milli, slipWeights, stepLimit } from '../common.ts';
import { BOXOBAN, boxobanCount } from './boxoban.ts';

/** Levels that are always the same, each with something to learn from. */
export const LESSONS: Readonly<Record<string, { readonly text: string; readonly maxSteps: number }>> = {
  // 121 states; three pushes and one walk around the box
  firstPush: { text: '######\n#    #\n# $@ #\n#   .#\n######', maxSteps: 30 },
  // 81 states; one push too many and the box stays in the corner for ever
  corner: { text: '######\n#  @ #\n#  $ #\n# .###\n######', maxSteps: 20 },
  // the way to the other side of the box is longer than the pushes
  goRound: { text: '######\n#   .#\n#  $ #\n#  ###\n#@####\n######', maxSteps: 40 },
  // two boxes, one corridor: the first box must go to the far target
  order: { text: '######\n#. ###\n#. ###\n#$$@##\n#   ##\n######', maxSteps: 40 },
  // two boxes side by side, each with its target
  twoBoxes: { text: '#######\n#     #\n# @$$.#\n#    .#\n#######', maxSteps: 40 },
};

const LEVELS = [...Object.keys(LESSONS), 'reverse', 'boxoban', 'custom'];
const LABELS: Readonly<Record<string, string>> = {
  firstPush: 'First push',
  corner: 'The corner',
  goRound: 'The long way round',
  order: 'The right order',
  twoBoxes: 'Two boxes',
  reverse: 'Generated backward',
  boxoban: 'Boxoban sample',
  custom: 'My own levels',
};

const size = (label: string, fallback: number, min: number, max: number, doc: string) =>
  ({
    kind: 'integer',
    label,
    default: fallback,
    min,
    max,
    doc,
    when: { setting: 'level', is: ['reverse'] },
  }) as const;

export const taskSettings = settings({
  level: {
    kind: 'choice',
    label: 'Level',
    default: 'firstPush',
    options: LEVELS,
    optionLabels: LEVELS.map((id) => LABELS[id] ?? id),
    doc: 'The board. Some are fixed, some are drawn anew for each level seed, some you can write.',
  },
  text: {
    kind: 'text',
    label: 'Level text',
    default: '#######\n#  .  #\n# $#$ #\n#  @ .#\n#######',
    maxLength: 2000,
    doc: '# wall, . target, $ box, @ player, * and + on a target; several levels may follow.',
    when: { setting: 'level', is: ['custom'] },
  },
  set: {
    kind: 'choice',
    label: 'Level set',
    default: 'unfiltered',
    options: BOXOBAN,
    optionLabels: BOXOBAN.map((set) => `${set}, ${boxobanCount(set)} levels`),
    doc: 'From google-deepmind/boxoban-levels, 10 × 10, four boxes; the level seed picks one.',
    when: { setting: 'level', is: ['boxoban'] },
  },
  w: size('Width', 6, 5, 16, 'Cells from left to right, border included.'),
  h: size('Height', 6, 5, 16, 'Cells from top to bottom, border included.'),
  boxes: size('Boxes', 1, 1, 6, 'Boxes to bring home; each one multiplies the number of states.'),
  pulls: size('Pushes', 8, 1, 40, 'Most pushes that the shortest solution needs; at least half as many.'),
  growEvery: {
    kind: 'integer',
    label: 'Grow every',
    default: 0,
    min: 0,
    max: 10_000,
    unit: 'updates',
    doc: 'Start with short solutions and lengthen them four times; 0 = the whole task at once.',
    when: { setting: 'level', is: ['reverse'] },
  },
  slip: slipWeights(
    'Slippery floor',
    'Weights of going to the left of the meant direction, as meant, to the right of it.',
  ),
  deadEnd: {
    kind: 'switch',
    label: 'End when lost',
    default: false,
    doc: 'A push onto a square from which the box can never reach a target ends the episode.',
  },
  view: {
    kind: 'choice',
    label: 'View',
    default: 'planes',
    options: ['planes', 'index'],
    optionLabels: ['whole map', 'number of the state'],
    doc: 'What the policy sees.',
  },
  maskActions: {
    kind: 'switch',
    label: 'Forbid impossible moves',
    default: false,
    doc: 'Bumping into walls and boxes that do not move cannot be chosen.',
  },
  maxSteps: stepLimit('the usual limit of this level'),
});

const reward = (label: string, fallback: number, doc: string) => milli(label, fallback, doc, 20_000);

/** The rewards of gym-sokoban; finished boxes count from the level on, so that the first step never pays by accident. */
export const rewardSettings = settings({
  goal: reward('Solved', 10_000, 'Paid when every box stands on a target.'),
  step: reward('Each step', -100, 'Paid for every step; negative = a cost of time.'),
  boxOn: reward('Box onto target', 1000, 'Paid when a push puts a box on a target.'),
  boxOff: reward('Box off target', -1000, 'Paid when a push takes a box off its target.'),
  invalid: reward('Impossible move', 0, 'Paid for bumping into something.'),
  dead: reward('Box lost', 0, 'Paid when a push onto a dead square ends the episode.'),
});
