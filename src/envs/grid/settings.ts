import { settings } from '../../core/settings.ts';
import { milli, slipWeights, stepLimit } from '../common.ts';
import { GENERATORS } from './generate.ts';

/** Levels that are always the same. */
export const FIXED: Readonly<Record<string, { text: string; maxSteps: number }>> = {
  keyDoor: { text: 'S...a\n.#.#.\n.#.#.\n.#.#.\n....E', maxSteps: 30 },
  bonusRoom: { text: 'S....\n.$...\n.....\n.....\n....G', maxSteps: 50 },
  frozenLake4: { text: 'slip: 1 1 1\nice: all\nmap:\nS...\n.O.O\n...O\nO..G', maxSteps: 100 },
};

const LEVELS = [...Object.keys(FIXED), ...GENERATORS, 'ladder', 'custom'];
const LABELS: Readonly<Record<string, string>> = {
  keyDoor: 'Key and door',
  bonusRoom: 'Bonus room',
  frozenLake4: 'Frozen lake 4×4, slippery',
  empty: 'Empty room',
  corridor: 'Corridor',
  fourRooms: 'Four rooms',
  doorKey: 'Door and key behind a wall',
  multiRoom: 'Rooms in a row',
  keyChain: 'Chain of locked rooms',
  keyCorridor: 'Key corridor',
  lavaGap: 'Gap in the lava',
  cliff: 'Cliff walk',
  frozenLake: 'Frozen lake, generated',
  dynamicObstacles: 'Moving obstacles',
  orderedGoals: 'Goals in order',
  fourArms: 'Four arms, one of them pays',
  tMaze: 'T-maze, the start tells the side',
  ladder: 'Five families of rising difficulty',
  custom: 'My own level',
};

const size = (
  label: string,
  fallback: number,
  min: number,
  max: number,
  is: readonly string[],
  doc: string,
): {
  readonly kind: 'integer';
  readonly label: string;
  readonly default: number;
  readonly min: number;
  readonly max: number;
  readonly doc: string;
  readonly when: { readonly setting: string; readonly is: readonly string[] };
} => ({ kind: 'integer', label, default: fallback, min, max, doc, when: { setting: 'level', is } });

export const taskSettings = settings({
  level: {
    kind: 'choice',
    label: 'Level',
    default: 'keyDoor',
    options: LEVELS,
    optionLabels: LEVELS.map((id) => LABELS[id] ?? id),
    doc: 'The map. Some are fixed, some are generated from the level seed, and one you can write yourself.',
  },
  text: {
    kind: 'text',
    label: 'Level text',
    default: 'S..#...\n...#.a.\n...A...\n...#..G',
    maxLength: 2000,
    doc: '# wall, . floor, S start, G goal, a–d keys, A–D doors, L lava, ~ ice.',
    when: { setting: 'level', is: ['custom'] },
  },
  n: size(
    'Size',
    8,
    4,
    63,
    ['empty', 'corridor', 'fourRooms', 'doorKey', 'lavaGap', 'frozenLake', 'dynamicObstacles', 'orderedGoals', 'tMaze'],
    'Cells along a side; for the corridor, steps to the goal; for the T-maze, to the junction.',
  ),
  startDistance: size(
    'First distance',
    8,
    1,
    63,
    ['corridor'],
    'Where the task grows: steps from the start to the goal at first, and by how much they grow.',
  ),
  growEvery: {
    kind: 'integer',
    label: 'Grow every',
    default: 0,
    min: 0,
    max: 10_000,
    unit: 'updates',
    doc: 'Start close to the goal and move away in up to eight stages, with three steps allowed per cell; 0 = the whole corridor at once.',
    when: { setting: 'level', is: ['corridor'] },
  },
  random: {
    kind: 'switch',
    label: 'Random ends',
    default: false,
    doc: 'Start and goal are placed at random.',
    when: { setting: 'level', is: ['empty'] },
  },
  w: size('Width', 12, 3, 32, ['cliff'], 'Cells from left to right.'),
  h: size('Height', 4, 2, 32, ['cliff'], 'Cells from top to bottom.'),
  rooms: size('Rooms', 3, 2, 5, ['multiRoom', 'keyChain'], 'Rooms from left to right.'),
  rows: size('Rows', 3, 1, 6, ['keyCorridor'], 'Pairs of rooms along the corridor.'),
  size: size('Room size', 3, 2, 6, ['multiRoom', 'keyChain', 'keyCorridor'], 'Cells along a side of a room.'),
  spread: {
    kind: 'switch',
    label: 'Spread keys',
    default: false,
    doc: 'A key can be in any earlier room.',
    when: { setting: 'level', is: ['keyChain'] },
  },
  frozen: {
    ...size('Frozen', 800, 300, 1000, ['frozenLake'], 'Chance that a cell is ice and not a hole.'),
    per: 1000,
  },
  count: size(
    'How many',
    2,
    1,
    8,
    ['dynamicObstacles', 'orderedGoals'],
    'Moving obstacles, or goals to visit in order.',
  ),
  distractors: {
    kind: 'integer',
    group: 'Perturbations',
    label: 'Distractors',
    default: 0,
    min: 0,
    max: 16,
    doc: 'Visible tiles without any meaning.',
  },
  noisyTiles: {
    kind: 'switch',
    group: 'Perturbations',
    label: 'Changing tiles',
    default: false,
    doc: 'Distractors of kind z change their appearance at random at every step.',
    when: { setting: 'view', is: ['planes', 'ego'] },
  },
  slip: slipWeights(
    'Slippery floor',
    'Weights of going left of the intended direction, as intended, right; 0 1 0: as in the level.',
  ),
  actions: {
    kind: 'choice',
    label: 'Actions',
    default: 'move4',
    options: ['move4', 'turn'],
    optionLabels: ['walk in four directions', 'turn, walk, pick up, open'],
    doc: 'Walk in four directions, or turn and act on the cell ahead.',
  },
  view: {
    kind: 'choice',
    label: 'View',
    default: 'planes',
    options: ['planes', 'ego', 'index'],
    optionLabels: ['whole map', 'window around the agent', 'number of the state'],
    doc: 'What the policy sees.',
  },
  window: {
    kind: 'integer',
    label: 'Window',
    default: 5,
    min: 3,
    max: 15,
    doc: 'Cells along a side of the window; odd.',
    when: { setting: 'view', is: ['ego'] },
  },
  maskActions: {
    kind: 'switch',
    label: 'Forbid impossible moves',
    default: false,
    doc: 'Moves into walls cannot be chosen.',
  },
  maxSteps: stepLimit('the usual limit of this level'),
});

export const rewardSettings = settings({
  goal: milli('Goal', 1000, 'Paid for success.'),
  step: milli('Each step', 0, 'Paid for every step; negative = a cost of time.'),
  dead: milli('Lava or hole', 0, 'Paid when the agent dies.'),
  collision: milli('Collision', -1000, 'Paid when an obstacle and the agent meet.'),
  bonus: milli('Bonus tile', 100, 'Paid each time a bonus tile is entered.'),
  subgoal: milli('Milestone', 0, 'Paid for each key taken, door opened and subgoal reached.'),
  invalid: milli('Impossible action', 0, 'Paid for bumping into something.'),
  timed: {
    kind: 'switch',
    label: 'Faster is better',
    default: false,
    doc: 'The later the goal is reached, the less it pays: up to 90 % less.',
  },
});
