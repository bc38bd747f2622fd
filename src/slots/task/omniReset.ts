import { settings } from '../../core/settings.ts';
import type { Distances } from '../../envs/distances.ts';
import type { Environment } from '../../envs/types.ts';
import { begun, evenly, measured, oneOf, placesWhere, worldOf } from './begin.ts';
import { defineTaskSource } from './types.ts';

/** Families of starts, in the order of their shares. */
export const FAMILIES = ['natural', 'random', 'partial', 'nearGoal'] as const;
export type Family = (typeof FAMILIES)[number];

const share = (label: string, doc: string) => ({ kind: 'number', label, default: 0.25, min: 0, max: 1, doc }) as const;

const params = settings({
  natural: share('At the start', 'Share of tasks that begin at the start of the level, as evaluations do.'),
  random: share('Elsewhere', 'Share that begins with nothing done yet, the agent anywhere it can walk to.'),
  partial: share('Partly done', 'Share that begins with something done: a key held, a door open, a box moved.'),
  nearGoal: share('Near the goal', 'Share that begins within a quarter of the shortest way before the goal.'),
});

const places = new WeakMap<Distances, Readonly<Record<Family, readonly number[]>>>();

/**
 * The states of a level by family: `random`: what the start looks like but for where the agent is; `partial`: something else
 * has changed, and the goal is nearer than from the start; `nearGoal`: at most a quarter of the shortest way before it.
 */
export function familiesOf(env: Environment, from: Distances): Readonly<Record<Family, readonly number[]>> {
  let found = places.get(from);
  if (!found) {
    const { states, toGoal, best } = from;
    const untouched = env.layer(states[0]!, 0);
    const isTouched = states.map((state) => env.layer(state, 0) !== untouched);
    const near = Math.max(1, Math.floor(best / 4));
    found = {
      natural: [0],
      random: placesWhere(from, (k) => k > 0 && !isTouched[k]!),
      partial: placesWhere(from, (k) => isTouched[k]! && toGoal[k]! < best),
      nearGoal: placesWhere(from, (k) => toGoal[k]! <= near),
    };
    places.set(from, found);
  }
  return found;
}

/** The family that u in [0, 1) falls on, by shares that need not sum to 1. */
export function familyAt(shares: Readonly<Record<Family, number>>, u: number): Family {
  const total = FAMILIES.reduce((sum, name) => sum + shares[name], 0);
  let left = u * total;
  for (const name of FAMILIES) {
    left -= shares[name];
    if (left < 0) return name;
  }
  return 'natural';
}

/**
 * Many kinds of start states at once, without a schedule:
 *
 *   family of a task: natural, random, partial or nearGoal, by fixed shares;   start ~ even over its states
 *
 * States come from the distance layers of the solver, so their coverage is exact, and none of them is lost. An episode has
 * T less the fewest steps from the start of the level, and at least 4. A family that a level has no state of, or a state
 * from which the goal is too far, begins at the start. (The paper resets physical scenes; these families are the lab's.)
 */
export const omniReset = defineTaskSource({
  id: 'omniReset',
  title: 'Starts of many kinds (OmniReset)',
  rev: 1,
  source: { title: 'OmniReset', arxiv: '2603.15789', level: 'code' },
  formula: 's₀ ~ Σ share·even(family)',
  look: 'Goals are met from the first update on; the success of evaluations, from the start, follows.',
  params,
  starts: true,
  metrics: ['savedStarts'],
  warns: ({ natural, random, partial, nearGoal }) =>
    random + partial + nearGoal === 0
      ? 'begins everywhere at the start: all other shares are 0'
      : natural === 0
        ? 'never begins at the start, where evaluations do'
        : null,
  next(_state, context, shares) {
    const { env, T } = worldOf(context);
    return Array.from({ length: context.P }, (_, p) => {
      const { whole, from } = evenly(context, p);
      const family = familyAt(shares, context.draw(p, 0));
      if (!from || family === 'natural') return whole;
      const place = oneOf(familiesOf(env, from)[family], context.draw(p, 1));
      return place > 0 ? begun(whole, from, place, T) : whole;
    });
  },
  measure: (_state, batch) => measured(batch),
});
