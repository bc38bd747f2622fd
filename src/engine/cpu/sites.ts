import { cloning } from '../../slots/methods.ts';
import { makeArrays, type Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import { rolloutOf } from '../rolloutOf.ts';
import { sideOfPlan } from '../sideEpisodes.ts';

/** Where rows are played: in the batch, in a further round of it, or beside it: one of each task, stored ones, those of lessons. */
export const SITES = ['batch', 'round', 'side', 'again', 'lessons'] as const;
export type Site = (typeof SITES)[number];

/** The plan of such rows, and their columns. */
export type Played = { readonly plan: Plan; readonly arrays: Arrays };
export type Sites = { readonly batch: Played } & Readonly<Partial<Record<Site, Played>>>;

/** The plan of so many rows beside a batch. */
export const rowsBeside = (plan: Plan, rows: number): Plan => ({ ...plan, P: rows, G: 1, B: rows, scheme: null });

/** The plan of lessons, whose steps only raise log π of what is done in them. */
export const pupilOf = (plan: Plan): Plan => ({
  ...{ ...plan, objective: cloning.objective, objectiveParams: {} },
  ...{ aggregate: 'unitMean', ratioLevel: 'unit' },
});

/** The plans of all that a run plays besides its batch and further rounds of that. */
export function plansBeside(plan: Plan): ReadonlyMap<Site, Plan> {
  const { module, params } = rolloutOf(plan);
  const { again = 0, imitated = 0 } = module.beside?.(params as never, plan) ?? {};
  const plans = new Map<Site, Plan>();
  const side = sideOfPlan(plan);
  if (side) plans.set('side', side.plan);
  if (again > 0) plans.set('again', rowsBeside(plan, again));
  if (imitated > 0) plans.set('lessons', rowsBeside(pupilOf(plan), imitated));
  return plans;
}

/** The plans of all that it plays. */
export const plansOf = (plan: Plan): ReadonlyMap<Site, Plan> =>
  new Map<Site, Plan>([['batch', plan], ['round', plan], ...plansBeside(plan)]);

/** Columns for what is played besides. */
export const sitesBeside = (plan: Plan, make = makeArrays): Partial<Record<Site, Played>> =>
  Object.fromEntries(Array.from(plansBeside(plan), ([site, of]) => [site, { plan: of, arrays: make(of) }]));
