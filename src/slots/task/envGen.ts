import { settings, type ValuesOf } from '../../core/settings.ts';
import { evenLevel, rungOf, wholeTask } from '../../contract/taskContext.ts';
import { MOST_CHECKPOINTS } from '../../contract/reached.ts';
import type { Task } from '../../contract/tasks.ts';
import { checkpointsOf } from '../../envs/checkpoints.ts';
import { distancesOf, type Distances } from '../../envs/distances.ts';
import type { Environment } from '../../envs/types.ts';
import { begun, measured, oneOf, worldOf } from './begin.ts';
import { placeOf } from './replayDistribution.ts';
import { defineTaskSource, type SourceContext, type SourceState } from './types.ts';

const params = settings({
  share: {
    ...{ kind: 'number', label: 'Generated tasks', default: 0.5, min: 0, max: 1, unit: 'of the tasks' },
    doc: 'The others play the whole task from its start, and tell which skills are weak.',
  },
  cycles: {
    ...{ kind: 'integer', label: 'Cycles', default: 4, min: 1, max: 50, formula: 'N' },
    doc: 'Parts of the run; at the end of each, skills are measured and weighted again.',
  },
  near: {
    ...{ kind: 'integer', label: 'Steps before the skill', default: 3, min: 1, max: 100 },
    doc: 'Generated tasks begin at most this many steps before what is to be reached.',
  },
  mastered: {
    ...{ kind: 'number', label: 'Mastered', default: 0.95, min: 0.05, max: 1 },
    doc: 'A skill that succeeds so often is hardly practiced any more.',
    formula: 's ≥ 0.95: w = 0.05',
  },
});

type Params = ValuesOf<typeof params>;

/** Families that the table has room for, and skills of each: the first milestones, and success, which is the last. */
const FAMILIES = 5;
export const SKILLS = MOST_CHECKPOINTS;
const SUCCESS = SKILLS - 1;
/** Weight of a skill that is mastered. */
const LEAST = 0.05;
/** Metrics of milestones; there may be more of these. */
const SHOWN = 4;

/** The skill that checkpoint k of n is: success is the same one in every level. */
export const skillOf = (k: number, n: number): number => (k === n - 1 ? SUCCESS : k);

/** How much a skill is practiced, by its success s in the last cycle; NaN: nobody has ever reached it, or it is not known yet. */
export const weightOf = (s: number, mastered: number): number =>
  Number.isNaN(s) ? 1 : (s < mastered ? 1 - s : 0) + LEAST;

/** The cycle that an update is in, from 0. */
export const cycleOf = (update: number, updates: number, cycles: number): number =>
  Math.min(cycles - 1, Math.floor((cycles * update) / Math.max(1, updates)));

const places = new WeakMap<Distances, Map<number, readonly (readonly number[])[]>>();

/**
 * For each checkpoint of a level the states on shortest ways that hold all before it and are at most `near` steps before it:
 * the rest is as a run from the start leaves it.
 */
export function before(env: Environment, level: object, from: Distances, near: number): readonly (readonly number[])[] {
  let known = places.get(from);
  if (!known) places.set(from, (known = new Map()));
  let found = known.get(near);
  if (!found) known.set(near, (found = search(env, level, from, near)));
  return found;
}

function search(env: Environment, level: object, { states, toGoal, fromStart, best }: Distances, near: number) {
  const { names, reached } = checkpointsOf(env, level);
  const onWay = Array.from(states.keys()).filter((k) => fromStart[k]! + toGoal[k]! === best);
  const held = onWay.map((k) => Math.min(names.length - 1, reached(states[k]!, 0)));
  return names.map((_, m) => {
    const arrival = onWay.reduce((least, k, j) => (held[j]! > m ? Math.min(least, fromStart[k]!) : least), best);
    return onWay.filter((k, j) => held[j] === m && fromStart[k]! < arrival && fromStart[k]! >= arrival - near);
  });
}

/** Success of a skill of a family in the last cycle in which it was measured; else NaN. */
const successOf = ({ known, rate }: SourceState, at: number): number => (known![at] === 1 ? rate![at]! : NaN);

/** One of some weights, by u in [0, 1). */
const drawn = (weights: readonly number[], u: number): number =>
  placeOf(Float64Array.from(weights), u * weights.reduce((sum, w) => sum + w, 0));

/** Task p of the generated ones: for a family, a level of it and a skill of that, both by weight where there is a choice. */
function generated(state: SourceState, context: SourceContext, p: number, { near, mastered }: Params): Task {
  const { env, T, level } = worldOf(context);
  const { rungs, draw, G } = context;
  const weight = (family: number, skill: number): number =>
    weightOf(state['ever']![family * SKILLS + skill] === 1 ? successOf(state, family * SKILLS + skill) : NaN, mastered);
  const family = drawn(
    rungs.map((_, f) => weight(f, SUCCESS)),
    draw(p, 1),
  );
  const even = evenLevel(context, p);
  const seed = family < 0 ? even : context.at(even, family, Math.floor(draw(p, 2) * rungs[family]!));
  const whole = wholeTask(seed, G);
  const from = distancesOf(env, level(seed));
  if (!from) return whole;
  const starts = before(env, level(seed), from, near);
  const weights = starts.map((list, k) =>
    list.length > 0 ? weight(Math.max(0, family), skillOf(k, starts.length)) : 0,
  );
  const k = drawn(weights, draw(p, 3));
  const place = k < 0 ? -1 : oneOf(starts[k]!, draw(p, 4));
  const task = place > 0 ? begun(whole, from, place, T) : whole;
  return task.start === 'initial' ? task : { ...task, tag: k };
}

/**
 * EnvGen (arXiv 2403.12014): what the learner is weak at is practiced in environments that are made for it.
 *
 *   N cycles of equal length;  in each update `share` of the tasks is generated, the others are the whole task
 *   skills: the milestones of a level, and success, of each family where levels come in families
 *   w(m) = (1 − s(m))·1[s(m) < 0.95] + 0.05;  1 where m was never reached
 *   s(m): share of the whole tasks of the last cycle that reached m
 *   generated for m ~ w: all milestones before m hold, m is at most `near` steps away, the rest as on a shortest way
 *
 * (In the paper a language model writes the environments and reads the table; generator and weights are the lab's.)
 */
export const envGen = defineTaskSource({
  id: 'envGen',
  title: 'Environments for weak skills (EnvGen)',
  rev: 1,
  source: { title: 'EnvGen', arxiv: '2403.12014', level: 'abstract' },
  formula: 'w = (1 − s)·1[s < 0.95] + 0.05',
  look: 'After each cycle the table of skills is read: what whole tasks seldom reach is practiced more.',
  params,
  starts: true,
  wantsOutcomes: true,
  metrics: ['savedStarts', 'skillGoal', ...Array.from({ length: SHOWN }, (_, k) => `skill${k + 1}`)],
  asks: () => ['reached'],
  warns: ({ share }) =>
    share === 0
      ? 'measures skills, and generates no task for them'
      : share === 1
        ? 'measures skills on whole tasks, and plays none of them'
        : null,
  state() {
    const each = { per: 'replica', width: FAMILIES * SKILLS, onFork: ['tasks'] } as const;
    return {
      // of this cycle, over episodes of the whole task: how many there were whose level has the skill, and how many reached it
      tries: { type: 'f64', ...each },
      wins: { type: 'f64', ...each },
      // 1: an episode of any kind has reached it
      ever: { type: 'u32', ...each },
      // success in the last cycle that played the skill, where `known` is 1
      rate: { type: 'f64', ...each },
      known: { type: 'u32', ...each },
    };
  },
  next: (state, context, rule) =>
    Array.from({ length: context.P }, (_, p) =>
      context.draw(p, 0) < rule.share
        ? generated(state, context, p, rule)
        : wholeTask(evenLevel(context, p), context.G),
    ),
  report(state, outcomes, context, { cycles }) {
    const { tries, wins, ever, rate, known } = state as Required<SourceState>;
    const { rungs, update } = context;
    const { updates } = worldOf(context);
    for (const { task, tries: n, reached } of outcomes) {
      if (!reached || n === 0) continue;
      const family = rungs.length > 0 ? rungOf(task.levelSeed, rungs).family : 0;
      reached.forEach((count, k) => {
        const at = family * SKILLS + skillOf(k, reached.length);
        if (count > 0 && k >= (task.tag ?? 0)) ever![at] = 1;
        if (task.start !== 'initial') return;
        tries![at]! += n;
        wins![at]! += count;
      });
    }
    if (cycleOf(update + 1, updates, cycles) === cycleOf(update, updates, cycles)) return;
    for (let at = 0; at < tries!.length; at++) {
      if (tries![at] === 0) continue;
      rate![at] = wins![at]! / tries![at]!;
      known![at] = 1;
    }
    tries!.fill(0);
    wins!.fill(0);
  },
  measure(state, batch) {
    const mean = (skill: number): number => {
      const all = Array.from({ length: FAMILIES }, (_, f) => successOf(state, f * SKILLS + skill));
      const found = all.filter((s) => !Number.isNaN(s));
      return found.reduce((sum, s) => sum + s, 0) / found.length;
    };
    const skills = Array.from({ length: SHOWN }, (_, k) => [`skill${k + 1}`, mean(k)] as const);
    return { ...measured(batch), skillGoal: mean(SUCCESS), ...Object.fromEntries(skills) };
  },
});
