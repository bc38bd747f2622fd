import { settings } from '../../core/settings.ts';
import type { Distances } from '../../envs/distances.ts';
import { begun, evenly, measured, oneOf, placesWhere, worldOf } from './begin.ts';
import { defineTaskSource } from './types.ts';

const params = settings({
  first: {
    ...{ kind: 'number', label: 'First distance', default: 0.1, min: 0, max: 1, unit: 'of the shortest way' },
    doc: 'How far from the goal the first episodes begin; at least one step.',
    formula: 'ρ₀',
  },
  grow: {
    ...{ kind: 'number', label: 'Step outwards', default: 0.1, min: 0.01, max: 1, unit: 'of the shortest way' },
    doc: 'How much farther they begin after each advance.',
    formula: 'Δρ',
  },
  threshold: {
    ...{ kind: 'number', label: 'Success to advance', default: 0.7, min: 0.01, max: 1 },
    doc: 'Success at the present distance from which they move outwards.',
    formula: 'θ',
  },
  window: {
    ...{ kind: 'integer', label: 'Episodes before an advance', default: 64, min: 1, max: 4096 },
    doc: 'As many episodes at this distance are counted before it may change.',
    formula: 'n',
  },
  rehearse: {
    ...{ kind: 'number', label: 'Nearer starts', default: 0.25, min: 0, max: 0.9, unit: 'of the tasks' },
    doc: 'Tasks that begin nearer than the present distance, so that the rest of the way is not forgotten.',
  },
  where: {
    kind: 'choice',
    label: 'Which states',
    default: 'way',
    options: ['way', 'all'],
    optionLabels: ['on a shortest way', 'all at the distance'],
    doc: 'Whether episodes begin on shortest ways from the start alone, or in any state so far from the goal.',
  },
});

/** Tags of tasks: at the frontier, which counts for an advance, or elsewhere. */
const FRONTIER = 1;

const known = new WeakMap<Distances, Map<string, readonly number[]>>();

/** States at distance d, on a shortest way from the start or all. */
export function ring(from: Distances, d: number, where: 'way' | 'all'): readonly number[] {
  let rings = known.get(from);
  if (!rings) known.set(from, (rings = new Map()));
  const name = `${where} ${d}`;
  let found = rings.get(name);
  if (!found) {
    const { toGoal, fromStart, best } = from;
    const isThere = (k: number): boolean => toGoal[k] === d && (where === 'all' || fromStart[k]! + d === best);
    rings.set(name, (found = placesWhere(from, isThere)));
  }
  return found;
}

/** The distance that a share of the shortest way is, at least one step. */
export const distanceAt = (share: number, best: number): number => Math.max(1, Math.ceil(share * best - 1e-9));

/**
 * Starts that move away from the goal (own rule; a reverse curriculum):
 *
 *   start: a state at distance ⌈ρ·L*⌉ from the goal, L* the shortest way of the level;   ρ ≥ 1: its start
 *   after n episodes there:   ρ ← ρ + Δρ if their success is at least θ; counted anew either way
 *
 * A share of the tasks begins at a random smaller distance. Steps left are T less those of the shortest way to the state.
 */
export const startDistance = defineTaskSource({
  id: 'startDistance',
  title: 'Starts from the goal outwards',
  rev: 1,
  formula: 'ρ ← ρ + Δρ where success ≥ θ',
  look: 'Training success stays high while the start moves back; evaluation jumps when it arrives at the start.',
  params,
  starts: true,
  wantsOutcomes: true,
  metrics: ['savedStarts', 'startReach'],
  forgetsWith: ['first', 'where'],
  warns: ({ threshold }, groupSize) =>
    threshold === 1 && groupSize > 1 ? 'moves outwards only where not one of the episodes fails' : null,
  state: () => {
    const one = { type: 'f64', per: 'replica', onFork: ['tasks'] } as const;
    // how much ρ has grown; of the episodes counted since: how many there were, and how many reached the goal
    return { grown: one, count: one, won: one };
  },
  next(state, context, { first, rehearse, where }) {
    const { T } = worldOf(context);
    const share = Math.min(1, first + state['grown']![0]!);
    return Array.from({ length: context.P }, (_, p) => {
      const { whole, from } = evenly(context, p);
      if (!from) return { ...whole, tag: FRONTIER };
      const farthest = distanceAt(share, from.best);
      const isRehearsal = farthest > 1 && context.draw(p, 0) < rehearse;
      const d = isRehearsal ? 1 + Math.floor(context.draw(p, 1) * (farthest - 1)) : farthest;
      const tag = isRehearsal ? 0 : FRONTIER;
      if (d >= from.best) return { ...whole, tag };
      const place = oneOf(ring(from, d, where), context.draw(p, 2));
      return place >= 0 ? { ...begun(whole, from, place, T), tag } : { ...whole, tag };
    });
  },
  report(state, outcomes, _context, { first, grow, threshold, window }) {
    const [grown, count, won] = [state['grown']!, state['count']!, state['won']!];
    for (const { task, tries, success } of outcomes) {
      if (task.tag !== FRONTIER || tries === 0) continue;
      count[0]! += tries;
      won[0]! += tries * success;
    }
    if (count[0]! < window) return;
    if (first + grown[0]! < 1 && won[0]! / count[0]! >= threshold) grown[0]! += grow;
    count[0] = won[0] = 0;
  },
  measure: (state, batch, { first }) => ({ ...measured(batch), startReach: Math.min(1, first + state['grown']![0]!) }),
});
