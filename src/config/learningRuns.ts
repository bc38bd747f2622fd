/** An experiment whose learning is measured: one row of docs/learning.md, and a test where it has a bound. */
export type LearningRun = {
  readonly preset: string;
  readonly seeds: number;
  readonly updates: number;
  readonly note: string;
  /** what is different from the preset; then the row is called by `name` */
  readonly changes?: { readonly name: string; readonly set: Readonly<Record<string, unknown>> };
  readonly bound?: Bound;
};

/**
 * What a test of the row sees to, for every seed from `from` on: success over the last ten updates is at least or at most this;
 * `before`: over the first ten it was lower than this.
 */
export type Bound = {
  readonly from: number;
  readonly seeds: number;
  readonly least?: number;
  readonly most?: number;
  readonly before?: number;
};

const learned = (seeds: number, before = Infinity): Bound => ({ from: 1, seeds, least: 0.8, before });
const uncloned = { 'policy.cloneEpisodes': 0 };

/** In the order of the table. Bounds are on as few seeds as keep the tests short. */
export const learningRuns: readonly LearningRun[] = [
  { preset: 'sokoban-first-push', seeds: 5, updates: 200, note: 'One fixed level, gym-sokoban rewards.' },
  {
    preset: 'sokoban-one-box',
    seeds: 5,
    updates: 150,
    note: 'A different board for every seed.',
    bound: learned(3, 0.5),
  },
  { preset: 'sokoban-two-boxes', seeds: 5, updates: 400, note: 'From scratch.' },
  {
    preset: 'sokoban-two-boxes-counts',
    seeds: 5,
    updates: 40,
    note: 'The same boards with a critic, and a count bonus of 0.1.',
    bound: learned(3, 0.5),
  },
  {
    preset: 'sokoban-two-boxes-counts',
    seeds: 5,
    updates: 40,
    note: 'The same without the bonus.',
    changes: { name: 'without the bonus', set: { 'reward.countBonus.on': false } },
    bound: { from: 1, seeds: 2, most: 0 },
  },
  {
    preset: 'sokoban-two-boxes-cloned',
    seeds: 5,
    updates: 200,
    note: 'The same boards after 40 imitation steps on one solution each.',
  },
  { preset: 'maze-two-rooms', seeds: 5, updates: 100, note: 'MLP over the set of words.', bound: learned(5, 0.3) },
  { preset: 'maze-three-rooms', seeds: 5, updates: 150, note: 'MLP over the set of words.' },
  {
    preset: 'maze-written',
    seeds: 3,
    updates: 80,
    note: 'Transformer, commands word by word under the grammar mask.',
    bound: learned(2, 0.3),
  },
  {
    preset: 'maze-words-poad',
    seeds: 3,
    updates: 80,
    note: 'Credit of words after five imitation steps on two solutions.',
  },
  {
    preset: 'maze-free-words',
    seeds: 2,
    updates: 60,
    note: 'Transformer without the mask, after 60 imitation steps on one solution.',
  },
  { preset: 'maze-chain-two-grown', seeds: 5, updates: 300, note: 'Two locks, the second added after a while.' },
  { preset: 'maze-chain-three-grown', seeds: 5, updates: 400, note: 'Three locks, added one at a time.' },
  {
    preset: 'maze-chain-three-counts',
    seeds: 5,
    updates: 115,
    note: 'All three locks at once, with a count bonus of 0.05.',
    bound: learned(2, 0.2),
  },
  {
    preset: 'maze-chain-three-cloned',
    seeds: 5,
    updates: 100,
    note: 'The same size after 30 imitation steps on one solution each.',
    bound: learned(3),
  },
  {
    preset: 'maze-chain-three-cloned',
    seeds: 3,
    updates: 40,
    note: 'The same without the imitation steps.',
    changes: { name: 'from scratch', set: uncloned },
    bound: { from: 1, seeds: 3, most: 0 },
  },
  { preset: 'maze-far-apart', seeds: 5, updates: 150, note: 'A new maze every time; what matters lies far apart.' },
  {
    preset: 'maze-far-apart',
    seeds: 5,
    updates: 150,
    note: 'As many rooms and doors, with what matters close together.',
    changes: { name: 'close together', set: { 'task.textmaze.dispersion': 'near' } },
  },
  {
    preset: 'side-roads',
    seeds: 12,
    updates: 60,
    note: 'A window of three cells; a GRU remembers which road it took.',
    bound: learned(3, 0.3),
  },
  {
    preset: 'side-roads',
    seeds: 12,
    updates: 60,
    note: 'The same with an MLP, which sees the window alone.',
    changes: { name: 'without a memory', set: { 'policy.method': 'mlp' } },
    bound: { from: 1, seeds: 3, most: 0.4 },
  },
  { preset: 'grid-written', seeds: 2, updates: 60, note: 'The transformer on key and door.' },
  {
    preset: 'demonstrations',
    seeds: 5,
    updates: 60,
    note: 'Key and door, 21 steps of 40; one of four episodes is the solver’s.',
    bound: { from: 100, seeds: 5, least: 0.7 },
  },
  {
    preset: 'demonstrations-none',
    seeds: 5,
    updates: 60,
    note: 'The same with GRPO alone.',
    bound: { from: 100, seeds: 5, most: 0.05 },
  },
];

/** Name of a row. */
export const rowName = ({ preset, changes }: LearningRun): string =>
  changes ? `\`${preset}\`, ${changes.name}` : `\`${preset}\``;

/** What its test sees to, in words; "–" where there is none. */
export function boundText({ bound }: LearningRun): string {
  if (!bound) return '–';
  const { from, seeds, least: low, most } = bound;
  const what = low === undefined ? `at most ${most}` : `at least ${low}`;
  return `${what}, ${seeds} seeds${from === 1 ? '' : ` from ${from} on`}`;
}
