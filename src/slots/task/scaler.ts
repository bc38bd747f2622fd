import { settings, type ValuesOf } from '../../core/settings.ts';
import { wholeTask, evenLevel, rungOf } from '../../contract/taskContext.ts';
import type { TaskContext, TaskOutcome } from '../../contract/tasks.ts';
import { interpolated, mixOf, movedTo, moveOf, pushed, retirement } from './frontier.ts';
import { defineTaskSource, type SourceState } from './types.ts';

/** Families that a state has room for, and entries of a window. */
const FAMILIES = 5;
/** Draws of this source, apart from those of tasks: which family takes a free slot. */
const NEW_FAMILY = 7;

const params = settings({
  slots: {
    ...{ kind: 'integer', label: 'Families at once', default: 3, min: 1, max: FAMILIES, formula: 'W' },
    doc: 'How many families share a batch; the others wait until one of these leaves.',
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
  },
  zeroLimit: {
    ...{ kind: 'integer', label: 'Updates without success', default: 5, min: 1, max: 30 },
    doc: 'So many in a row and the family leaves; it never does with more than the window holds.',
  },
  topLimit: {
    ...{ kind: 'integer', label: 'Updates at the top', default: 5, min: 1, max: 30 },
    doc: 'So many in a row at the last row of its table and the family leaves; it is mastered.',
  },
});

type Params = ValuesOf<typeof params>;

const slotsOf = ({ slots }: Params, { rungs, P }: TaskContext): number => Math.min(slots, rungs.length, P);

/** Family in slot j: that of its number until another took the place. */
const familyIn = ({ slot }: SourceState, j: number): number => (slot![j]! > 0 ? slot![j]! - 1 : j);

/** The latest updates of a family, oldest first. */
function windowOf({ played, accuracy, known }: SourceState, family: number, { history }: Params) {
  const n = known![family]!;
  const of = (entries: ArrayLike<number>): number[] =>
    Array.from({ length: n }, (_, k) => entries[family * history + k]!);
  return { difficulty: of(played!), accuracy: of(accuracy!) };
}

function keep(state: SourceState, family: number, window: ReturnType<typeof windowOf>, { history }: Params): void {
  state['known']![family] = window.difficulty.length;
  window.difficulty.forEach((d, k) => (state['played']![family * history + k] = d));
  window.accuracy.forEach((a, k) => (state['accuracy']![family * history + k] = a));
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
  forgetsWith: ['history'],
  state: ({ history }) => ({
    // difficulty of each family, and entries of its window that hold something
    d: { type: 'f64', per: 'replica', width: FAMILIES, onFork: ['tasks'] },
    known: { type: 'u32', per: 'replica', width: FAMILIES, onFork: ['tasks'] },
    played: { type: 'f64', per: 'replica', width: FAMILIES * history, onFork: ['tasks'] },
    accuracy: { type: 'f64', per: 'replica', width: FAMILIES * history, onFork: ['tasks'] },
    // 1 + family in each slot, 0: that of its number
    slot: { type: 'u32', per: 'replica', width: FAMILIES, onFork: ['tasks'] },
    // rows of each family, once the first outcomes are known
    rows: { type: 'u32', per: 'replica', width: FAMILIES, onFork: ['tasks'] },
    retired: { type: 'u32', per: 'replica', width: 1, onFork: ['tasks'] },
  }),
  next(state, context, rule) {
    const { P, G, levels, level, fresh, pick, at } = context;
    const W = slotsOf(rule, context);
    if (W === 0) return Array.from({ length: P }, (_, p) => wholeTask(evenLevel(context, p), G));
    return Array.from({ length: P }, (_, p) => {
      const family = familyIn(state, p % W);
      const { low, high, highCount } = mixOf(state['d']![family]!, Math.ceil((P - (p % W)) / W));
      const seed = levels === 0 ? fresh(p) : level(pick(p));
      const row = Math.floor(p / W) < highCount ? high : low;
      return { ...wholeTask(at(seed, family, row), G), tag: family };
    });
  },
  report(state, outcomes, context, rule) {
    const { rungs } = context;
    const W = slotsOf(rule, context);
    const active = Array.from({ length: W }, (_, j) => familyIn(state, j));
    state['retired']![0] = 0;
    state['rows']!.set(rungs);
    active.forEach((family, j) => {
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
        difficulty: pushed(before.difficulty, d, rule.history),
        accuracy: pushed(before.accuracy, a, rule.history),
      };
      state['d']![family] = movedTo(d, moveOf(a, rule), { dMin: 0, dMax });
      const leaves = retirement(window, { ...rule, dMax }) !== null;
      keep(state, family, leaves ? { difficulty: [], accuracy: [] } : window, rule);
      if (!leaves) return;
      state['retired']![0]!++;
      const others = Array.from(rungs.keys()).filter((f) => f !== family && !active.includes(f));
      if (others.length > 0) active[j] = others[Math.floor(context.draw(j, NEW_FAMILY) * others.length)]!;
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
