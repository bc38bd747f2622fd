import { eventsOf, RESET, resetsAt, settledAt, valueAt } from '../config/events.ts';
import { stageAt } from '../config/fork.ts';
import type { Live, TrainState } from './backend.ts';
import { countsOwnSteps, handedOn, isControlled } from './control.ts';
import type { Plan } from './plan.ts';

const TEMPERATURE = 'rollout.temperature';

/** The plan of the stage that an update belongs to: of a fork's parent before the fork, then the fork's own. */
export function stagePlan(whole: Plan, u: number): Plan {
  return whole.past.find(({ until }) => u < until)?.plan ?? whole;
}

/** Coefficients in force in update u: those of the plan, or of the last change until then. */
export function liveAt(whole: Plan, u: number): Live {
  const plan = stagePlan(whole, u);
  const live: { -readonly [K in keyof Live]: Live[K] } = { ...plan.live };
  for (const { update, path, value } of eventsOf(plan.config)) {
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (update <= u && value !== RESET && Object.hasOwn(live, name)) live[name as keyof Live] = value;
  }
  return live;
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

/** A state as it enters the update it stands before; a state that has entered already stays as it is. */
export function enter(whole: Plan, state: TrainState): TrainState {
  const { update } = state;
  const isFork = whole.past.some(({ until }) => until === update);
  const own = isFork ? adapted(whole, state) : state;
  return resetsReference(whole, update) ? withOwnReference(own) : own;
}

/** The present policy becomes the reference of every replica; its optimizer starts anew (ProRL, arXiv 2505.24864). */
function withOwnReference(state: TrainState): TrainState {
  const { update, theta, control } = state;
  const zeros = new Float32Array(theta.length);
  const fresh = { ...state, steps: 0, m: zeros, v: zeros.slice(), reference: theta.slice() };
  if (!control) return fresh;
  // one that has just been made by itself is the same one
  const resets = control.resets.map((n, s) => (control.resetAt[s] === update ? n : n + 1));
  const taken = new Float64Array(resets.length);
  const best = new Float64Array(resets.length).fill(-1);
  return { ...fresh, control: { ...control, resets, taken, best, resetAt: control.resetAt.map(() => update) } };
}

/** What old versions of the policy depend on: with another value they begin anew. */
const AGES = ['staleness', 'rolloutPrecision'];

/**
 * A state at a fork for the plan that follows, whose weights have the same places: moments belong to an optimizer, φ to an
 * estimator, old versions of the policy to the age and precision of what plays, memory to a controller. Steps that the
 * replicas counted by themselves cannot be counted together again: there the optimizer begins anew, too.
 */
function adapted(whole: Plan, state: TrainState): TrainState {
  const { process, past, played, control, ...rest } = state;
  const { update } = state;
  const [from, to] = [stagePlan(whole, update - 1), stagePlan(whole, update)];
  const keepsPast = past && AGES.every((name) => from.config.rollout[name] === to.config.rollout[name]);
  const isOther = from.optimizer.id !== to.optimizer.id;
  const isUncounted =
    control !== undefined &&
    !isControlled(to.control) &&
    whole.past.some(({ until, plan }) => until <= update && countsOwnSteps(plan.control));
  const zeros = <T extends Float32Array | Float64Array>(values: T, isEmpty = isOther): T =>
    isEmpty ? (values.slice().fill(0) as T) : values;
  const keepsProcess = process && to.estimator.needs.includes('logpPhi');
  const handed = control && isControlled(to.control) ? handedOn(control, to.control) : null;
  return {
    ...rest,
    ...(keepsPast ? { past, ...(played ? { played } : {}) } : {}),
    ...(handed ? { control: { ...handed, taken: zeros(handed.taken) } } : {}),
    steps: isOther || isUncounted ? 0 : state.steps,
    m: zeros(state.m, isOther || isUncounted),
    v: zeros(state.v, isOther || isUncounted),
    ...(keepsProcess
      ? {
          process: {
            ...process,
            m: zeros(process.m),
            v: zeros(process.v),
            steps: isOther ? new Uint32Array(process.steps.length) : process.steps,
          },
        }
      : {}),
  };
}
