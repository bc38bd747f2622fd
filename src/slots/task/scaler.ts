import { settings, type ValuesOf } from '../../core/settings.ts';
import { wholeTask, evenLevel, rungOf } from '../../contract/taskContext.ts';
import type { TaskContext, TaskOutcome } from '../../contract/tasks.ts';
import {
  drawnBy,
  interpolated,
  mixOf,
  movedTo,
  moveOf,
  PROGRESS_WINDOW,
  progressWeight,
  pushed,
  retirement,
} from './frontier.ts';
import { defineTaskSource, type SourceState } from './types.ts';

/** Families that a state has room for, and entries of a window. */
const FAMILIES = 5;
/** Draws of this source, apart from those of tasks: which family takes a free slot. */
const NEW_FAMILY = 7;
/** And which family a task is of, where all are drawn by their progress. */
const WHICH_FAMILY = 8;

const inPlaces = { setting: 'choose', is: ['places'] } as const;
const byProgress = { setting: 'choose', is: ['progress'] } as const;

const params = settings({
  choose: {
    ...{ kind: 'choice', label: 'Families in a batch', default: 'places', options: ['places', 'progress'] },
    optionLabels: ['a few, until they leave', 'all, by progress'],
    doc: 'Some share it evenly until they leave, or all: those that rise, or have waited, more often.',
  },
  slots: {
    ...{ kind: 'integer', label: 'Families at once', default: 3, min: 1, max: FAMILIES, formula: 'W' },
    doc: 'How many families share a batch; the others wait until one of these leaves.',
    when: inPlaces,
  },
  target: {
    ...{ kind: 'number', label: 'Success aimed at', default: 0.5, min: 0.05, max: 0.95, formula: 'a*' },
    doc: 'Difficulty rises above this share of successes and falls below it.',
  },
  gain: {
    ...{ kind: 'number', label: 'Gain', default: 2, min: 0.1, max: 10, scale: 'log', formula: 'k' },
    doc: 'Rows that difficulty moves for each unit of success above or below the aim.',
  },
  stepCap: {
    ...{ kind: 'number', label: 'Largest move', default: 1, min: 0.1, max: 5, unit: 'rows', formula: 'c' },
    doc: 'Difficulty moves by at most this much in one update.',
  },
  accuracy: {
    kind: 'choice',
    label: 'Success at a difficulty',
    default: 'mean',
    options: ['mean', 'interpolated'],
    optionLabels: ['mean of the family', 'between its two rows'],
    doc: 'With a difficulty between two rows: all its episodes alike, or each row by its share.',
    formula: 'a or Σ α_δ·a_δ, α_δ = 1 − |d − δ|',
  },
  history: {
    ...{ kind: 'integer', label: 'Window', default: 10, min: 2, max: 30, unit: 'updates' },
    doc: 'A family leaves if its difficulty did not rise over a window; short ones follow noise.',
    when: inPlaces,
  },
  zeroLimit: {
    ...{ kind: 'integer', label: 'Updates without success', default: 5, min: 1, max: 30 },
    doc: 'So many in a row and the family leaves; it never does with more than the window holds.',
    when: inPlaces,
  },
  topLimit: {
    ...{ kind: 'integer', label: 'Updates at the top', default: 5, min: 1, max: 30 },
    doc: 'So many in a row at the last row of its table and the family leaves; it is mastered.',
    when: inPlaces,
  },
  slopeScale: {
    ...{ kind: 'number', label: 'Fast progress', default: 0.05, min: 0.001, max: 1, scale: 'log', unit: 'rows/update' },
    doc: 'A family that rises this fast, measured over its last 20 updates, has most of its weight.',
    when: byProgress,
  },
  ageWeight: {
    ...{ kind: 'number', label: 'Weight of waiting', default: 0.1, min: 0, max: 1 },
    doc: 'What 100 updates without a task add to the weight of a family; full progress adds 1.',
    when: byProgress,
  },
});

type Params = ValuesOf<typeof params>;

const slotsOf = ({ slots }: Params, { rungs, P }: TaskContext): number => Math.min(slots, rungs.length, P);
/** Updates of a family that are remembered. */
const windowSize = ({ choose, history }: Params): number => (choose === 'places' ? history : PROGRESS_WINDOW);

/** Family in slot j: that of its number until another took the place. */
const familyIn = ({ slot }: SourceState, j: number): number => (slot![j]! > 0 ? slot![j]! - 1 : j);

/** The latest updates of a family, oldest first. */
function windowOf({ played, accuracy, known }: SourceState, family: number, rule: Params) {
  const [n, size] = [known![family]!, windowSize(rule)];
  const of = (entries: ArrayLike<number>): number[] => Array.from({ length: n }, (_, k) => entries[family * size + k]!);
  return { difficulty: of(played!), accuracy: of(accuracy!) };
}

function keep(state: SourceState, family: number, window: ReturnType<typeof windowOf>, rule: Params): void {
  const size = windowSize(rule);
  state['known']![family] = window.difficulty.length;
  window.difficulty.forEach((d, k) => (state['played']![family * size + k] = d));
  window.accuracy.forEach((a, k) => (state['accuracy']![family * size + k] = a));
}

/** Family of each task of a batch. */
function familiesOf(state: SourceState, context: TaskContext, rule: Params): readonly number[] {
  const { P, rungs, update, draw } = context;
  const tasks = Array.from({ length: P }, (_, p) => p);
  const W = slotsOf(rule, context);
  if (rule.choose === 'places') return tasks.map((p) => familyIn(state, p % W));
  const weights = Array.from(rungs, (_, family) => {
    const last = state['drawnAt']![family]!;
    return last === 0 ? 1 : progressWeight(windowOf(state, family, rule).difficulty, update + 1 - last, rule);
  });
  return tasks.map((p) => drawnBy(weights, draw(p, WHICH_FAMILY)));
}

/** Share of episodes that succeeded, over tasks of which each counts with its tries; NaN without any. */
function successOf(outcomes: readonly TaskOutcome[]): number {
  const tries = outcomes.reduce((sum, o) => sum + o.tries, 0);
  return tries === 0 ? NaN : outcomes.reduce((sum, o) => sum + o.success * o.tries, 0) / tries;
}

/** Success of a family at difficulty d. */
function accuracyOf(outcomes: readonly TaskOutcome[], d: number, { rungs }: TaskContext, { accuracy }: Params): number {
  const isLow = ({ task }: TaskOutcome): boolean => rungOf(task.levelSeed, rungs).row === Math.floor(d);
  const [low, high] = [outcomes.filter(isLow), outcomes.filter((o) => !isLow(o))];
  if (accuracy === 'mean' || low.length === 0 || high.length === 0) return successOf(outcomes);
  return interpolated(d, successOf(low), successOf(high));
}

/**
 * SCALER (arXiv 2601.04809): a controller for each family of levels keeps its difficulty where half of the episodes succeed,
 * and families that have nothing more to teach make room for others.
 *
 *   of the n tasks of a family at difficulty d, round(n·(d − ⌊d⌋)) are levels of row ⌈d⌉ of its table, the others of ⌊d⌋
 *   d ← clip(d + clip(k·(a − a*), −c, c), 0, last row)     a: share of their episodes that succeeded
 *
 * Task p belongs to the family in slot p mod W. A family leaves its slot after `zeroLimit` updates without a success, after
 * `topLimit` at the last row, or where the slope of d over a full window is at most 0 (frontier.ts). It keeps its d and
 * forgets its window; a random family without a slot takes its place. Where all have one, it stays.
 *
 * Or all families are in play, and each task draws one by its weight (the alternative of the released code):
 *
 *   1 − e^(−max(0, slope of d)/0.05) + 0.1·min(1, age/100)     slope: of 20 updates, 1 with fewer than 3; age: since drawn
 */
export const scaler = defineTaskSource({
  id: 'scaler',
  title: 'SCALER: difficulty at the frontier',
  rev: 1,
  source: { title: 'SCALER', arxiv: '2601.04809', level: 'code' },
  formula: 'd ← clip(d + clip(k·(a − a*), −c, c))',
  look: 'Training success stays near one half while difficulty climbs and evaluation success rises.',
  params,
  metrics: ['difficulty', 'retired', ...Array.from({ length: FAMILIES }, (_, k) => `difficulty${k + 1}`)],
  wantsOutcomes: true,
  climbs: true,
  forgetsWith: ['history', 'choose'],
  state: (rule) => ({
    // difficulty of each family, and entries of its window that hold something
    d: { type: 'f64', per: 'replica', width: FAMILIES, onFork: ['tasks'] },
    known: { type: 'u32', per: 'replica', width: FAMILIES, onFork: ['tasks'] },
    played: { type: 'f64', per: 'replica', width: FAMILIES * windowSize(rule), onFork: ['tasks'] },
    accuracy: { type: 'f64', per: 'replica', width: FAMILIES * windowSize(rule), onFork: ['tasks'] },
    // 1 + family in each slot, 0: that of its number
    slot: { type: 'u32', per: 'replica', width: FAMILIES, onFork: ['tasks'] },
    // rows of each family, once the first outcomes are known
    rows: { type: 'u32', per: 'replica', width: FAMILIES, onFork: ['tasks'] },
    retired: { type: 'u32', per: 'replica', width: 1, onFork: ['tasks'] },
    // 1 + update in which a family was drawn last, 0: never
    ...(rule.choose === 'progress'
      ? { drawnAt: { type: 'u32', per: 'replica', width: FAMILIES, onFork: ['tasks'] } as const }
      : {}),
  }),
  next(state, context, rule) {
    const { P, G, levels, level, fresh, pick, at, rungs } = context;
    if (rungs.length === 0) return Array.from({ length: P }, (_, p) => wholeTask(evenLevel(context, p), G));
    const families = familiesOf(state, context, rule);
    return families.map((family, p) => {
      const own = families.flatMap((of, k) => (of === family ? [k] : []));
      const { low, high, highCount } = mixOf(state['d']![family]!, own.length);
      const seed = levels === 0 ? fresh(p) : level(pick(p));
      return { ...wholeTask(at(seed, family, own.indexOf(p) < highCount ? high : low), G), tag: family };
    });
  },
  report(state, outcomes, context, rule) {
    const { rungs, update, draw } = context;
    const hasPlaces = rule.choose === 'places';
    const places = Array.from({ length: slotsOf(rule, context) }, (_, j) => familyIn(state, j));
    const active = hasPlaces ? places : [...new Set(outcomes.flatMap(({ task }) => task.tag ?? []))];
    state['retired']![0] = 0;
    state['rows']!.set(rungs);
    active.forEach((family, j) => {
      if (!hasPlaces) state['drawnAt']![family] = update + 1;
      const d = state['d']![family]!;
      const a = accuracyOf(
        outcomes.filter(({ task }) => task.tag === family),
        d,
        context,
        rule,
      );
      if (Number.isNaN(a)) return;
      const dMax = rungs[family]! - 1;
      const before = windowOf(state, family, rule);
      const window = {
        difficulty: pushed(before.difficulty, d, windowSize(rule)),
        accuracy: pushed(before.accuracy, a, windowSize(rule)),
      };
      state['d']![family] = movedTo(d, moveOf(a, rule), { dMin: 0, dMax });
      const leaves = hasPlaces && retirement(window, { ...rule, dMax }) !== null;
      keep(state, family, leaves ? { difficulty: [], accuracy: [] } : window, rule);
      if (!leaves) return;
      state['retired']![0]!++;
      const others = Array.from(rungs.keys()).filter((f) => f !== family && !active.includes(f));
      if (others.length > 0) active[j] = others[Math.floor(draw(j, NEW_FAMILY) * others.length)]!;
      state['slot']![j] = active[j]! + 1;
    });
  },
  measure(state, { tasks }) {
    const families = [...new Set(tasks.flatMap(({ tag }) => tag ?? []))];
    const levels = families.map((family) => state['d']![family]!);
    if (levels.length === 0) return {};
    const known = Array.from(state['rows']!.keys()).filter((family) => state['rows']![family]! > 0);
    return {
      difficulty: levels.reduce((sum, d) => sum + d, 0) / levels.length,
      ...Object.fromEntries(known.map((family) => [`difficulty${family + 1}`, state['d']![family]!])),
      retired: state['retired']![0]!,
    };
  },
});
