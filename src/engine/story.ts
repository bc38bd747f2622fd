import { atFork, thetaOf, type ForkChange, type TrainState } from '../contract/state.ts';
import { zeros, type NumberArray } from '../contract/numbers.ts';
import { eventsOf, labelsAt, RESET, resetsAt, settledAt, valueAt } from '../config/events.ts';
import { answer } from '../contract/labelBook.ts';
import { stageAt } from '../config/fork.ts';
import { canonicalJson } from '../config/canonical.ts';
import type { Coefficients, Live } from './backend.ts';
import { afterReset, countsOwnSteps, isControlled } from './control.ts';
import type { Plan } from './plan.ts';
import { statesOf } from './stateTable.ts';
import { sourceState } from './taskFeed.ts';

const TEMPERATURE = 'rollout.temperature';

/** The plan of the stage that an update belongs to: of a fork's parent before the fork, then the fork's own. */
export function stagePlan(whole: Plan, u: number): Plan {
  return whole.past.find(({ until }) => u < until)?.plan ?? whole;
}

/** Coefficients in force in update u: those of the plan, or of the last change until then. */
export function liveAt(whole: Plan, u: number): Live {
  const plan = stagePlan(whole, u);
  const changed: { -readonly [K in keyof Coefficients]?: number } = {};
  for (const { update, path, value } of eventsOf(plan.config)) {
    const name = path.slice(path.lastIndexOf('.') + 1) as keyof Coefficients;
    if (update <= u && value !== RESET && Object.hasOwn(plan.live, name)) changed[name] = value;
  }
  return { ...plan.live, ...changed, each: plan.live.each?.map((own) => ({ ...own, ...changed })) };
}

/**
 * The plan of a run that begins at update u and goes on as the whole run does: values in force are its own, and what is
 * past is forgotten. The plan itself where nothing has changed until then.
 */
export function planAt(whole: Plan, u: number): Plan {
  const plan = stagePlan(whole, u);
  const isPlain = whole.past.length === 0 && !eventsOf(plan.config).some((e) => e.update <= u);
  if (isPlain) return plan;
  return {
    ...plan,
    past: [],
    config: settledAt(stageAt(plan.config, u), u),
    temperature: valueAt(plan.config, TEMPERATURE, u),
    live: liveAt(whole, u),
  };
}

/**
 * What a backend is made for. Where it changes, a new backend takes over the state: another stage, another temperature,
 * which is part of recorded lists, or a KL term where there was none and no room was made for the reference's output.
 */
export function backendKey(whole: Plan, u: number): string {
  const stage = whole.past.filter(({ until }) => until <= u).length;
  const { config } = stagePlan(whole, u);
  return [stage, valueAt(config, TEMPERATURE, u), liveAt(whole, u).klCoef > 0].join(' ');
}

/** True if the reference is reset by hand before update u. */
export function resetsReference(whole: Plan, u: number): boolean {
  return resetsAt(stagePlan(whole, u).config, u);
}

/** True if something is done by hand to the state before update u: the reference is reset, or messages are labeled. */
export function changesState(whole: Plan, u: number): boolean {
  return resetsReference(whole, u) || labelsAt(stagePlan(whole, u).config, u).length > 0;
}

/** The state with the labels that are given before its update, in every book that it holds. */
function labeled(whole: Plan, state: TrainState): TrainState {
  const plan = stagePlan(whole, state.update);
  const labels = labelsAt(plan.config, state.update);
  if (labels.length === 0) return state;
  const books = Object.entries(statesOf(plan)).flatMap(([name, { byHand, type, width = 1 }]) => {
    if (!byHand) return [];
    const book = state.tensors[name]?.slice() ?? zeros(type, plan.S * width);
    for (const { message, isInteresting } of labels) answer(book, message, isInteresting);
    return [[name, book] as const];
  });
  return { ...state, tensors: { ...state.tensors, ...Object.fromEntries(books) } };
}

/** A state as it enters the update it stands before; a state that has entered already stays as it is. */
export function enter(whole: Plan, state: TrainState): TrainState {
  const { update } = state;
  const isFork = whole.past.some(({ until }) => until === update);
  const own = labeled(whole, isFork ? adapted(whole, state) : state);
  return resetsReference(whole, update) ? withOwnReference(whole, own) : own;
}

/** The current policy becomes the reference of every replica; its optimizer starts anew (ProRL, arXiv 2505.24864). */
function withOwnReference(whole: Plan, { update, tensors }: TrainState): TrainState {
  const theta = thetaOf({ tensors });
  const plan = stagePlan(whole, update);
  const fresh: Record<string, NumberArray> = {};
  for (const [name, { onReset, type }] of Object.entries(statesOf(plan)))
    if (onReset) fresh[name] = onReset === 'theta' ? theta.slice() : zeros(type, theta.length);
  return {
    update,
    steps: 0,
    tensors: { ...tensors, ...fresh, ...afterReset(plan.control, tensors, update) },
  };
}

/** What old versions of the policy depend on: with another value they begin anew. */
const AGES = ['staleness', 'rolloutPrecision'];

/**
 * A state at a fork for the plan that follows, whose weights have the same places. Steps that the replicas counted by
 * themselves cannot be counted together again: there the optimizer begins anew, too.
 */
function adapted(whole: Plan, state: TrainState): TrainState {
  const { update, tensors } = state;
  const [from, to] = [stagePlan(whole, update - 1), stagePlan(whole, update)];
  const isUncounted =
    'control.taken' in tensors &&
    !isControlled(to.control) &&
    whole.past.some(({ until, plan }) => until <= update && countsOwnSteps(plan.control));
  const changed = new Set<ForkChange>();
  if (from.optimizer.id !== to.optimizer.id) changed.add('optimizer');
  if (isUncounted) changed.add('count');
  if (AGES.some((name) => from.config.rollout[name] !== to.config.rollout[name])) changed.add('versions');
  if (!knowsItsLevels(from, to)) changed.add('tasks');
  const isAnew = changed.has('optimizer') || changed.has('count');
  return {
    update,
    steps: isAnew ? 0 : state.steps,
    tensors: atFork(tensors, { ...statesOf(to), ...sourceState(to) }, changed),
  };
}

/** True if what the task source of one plan remembers is of use to the other: the same levels, judged in the same way. */
function knowsItsLevels(from: Plan, to: Plan): boolean {
  const { source } = to;
  const known = (plan: Plan): string => {
    const { task, reward } = plan.config;
    const judged = (source.forgetsWith ?? []).map((name) => plan.sourceParams[name]!);
    return canonicalJson({ task, reward, judged, form: sourceState(plan) });
  };
  return from.source.id === source.id && known(from) === known(to);
}
