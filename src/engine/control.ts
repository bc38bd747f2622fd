import type { Config } from '../config/slots.ts';
import { chosenOf, type Chosen } from '../contract/module.ts';
import { METRICS, metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import type { KlPenalty } from '../core/math/kl.ts';
import { named, type StateSpec, type Tensors, type TensorSpec } from '../contract/state.ts';
import type { StateStore } from '../contract/stateStore.ts';
import type { Coefficients, Controller, Measured, Memory } from '../slots/control/types.ts';
import { controllers, rollouts } from '../slots/registry.ts';
import { ofReplica, type Live } from './backend.ts';

/** What holds the policy back over a run: form and place of the KL term, and the controllers that act. */
export type ControlSettings = {
  readonly klForm: KlPenalty;
  readonly klIn: 'loss' | 'reward';
  /** in the order of the registry; without those that turn what another one sets alone */
  readonly controllers: readonly Chosen<Controller>[];
  /** inner epochs end when the KL of the update passes this; null: never */
  readonly stopsAt: number | null;
  /** a step is cut where the KL to the reference after it passes this; null: never */
  readonly cutsAt: number | null;
  /** true where KL to the reference is measured even while it costs nothing */
  readonly looksAtKl: boolean;
  /** may updates pass without a step, each replica by itself? */
  readonly skips: boolean;
  readonly actions: number;
};

const least = (limits: readonly (number | undefined)[]): number | null =>
  limits.reduce<number | null>((low, x) => (x === undefined || (low !== null && low < x) ? low : x), null);

export function controlOf(
  { objective, control, rollout }: Pick<Config, 'objective' | 'control' | 'rollout'>,
  actions: number,
  registry: readonly Controller[] = controllers,
): ControlSettings {
  const on = chosenOf(registry, control);
  const owned = on.flatMap(({ module }) => (module.isAlone ? [module.turns] : []));
  const acting = on.filter(({ module }) => module.isAlone === true || !owned.includes(module.turns));
  return {
    klForm: objective['klForm'] as KlPenalty,
    klIn: objective['klIn'] as ControlSettings['klIn'],
    controllers: acting,
    stopsAt: least(acting.map(({ module, params }) => module.stopsAt?.(params as never))),
    cutsAt: least(acting.map(({ module, params }) => module.cutsAt?.(params as never))),
    looksAtKl: acting.some(({ module }) => module.looksAtKl),
    skips: rollouts.some(({ id, settle }) => id === rollout.method && settle !== undefined),
    actions,
  };
}

/** True if something is decided between updates or between the steps of one, from what was measured. */
export function isControlled(c: ControlSettings): boolean {
  return c.controllers.length > 0 || c.klIn === 'reward' || c.skips;
}

/** True if every replica has its own row of rates: it counts its steps by itself, or has another learning rate. */
export const hasOwnRates = (c: ControlSettings, live: Live): boolean => isControlled(c) || live.each !== undefined;

/** True if replicas may skip optimizer steps or begin anew by themselves, so that each counts its own. */
export function countsOwnSteps(c: ControlSettings): boolean {
  return c.skips || c.controllers.some(({ module }) => module.countsSteps);
}

/** True if a KL term enters the loss, or KL to the reference is measured for a controller. */
export function comparesInLoss(c: ControlSettings, { klCoef }: Live): boolean {
  return c.looksAtKl || (klCoef > 0 && c.klIn === 'loss');
}

/** True if rewards pay for what the reference finds unlikely. */
export function paysReference(c: ControlSettings, { klCoef }: Live): boolean {
  return klCoef > 0 && c.klIn === 'reward';
}

/** What an update measured of a replica. */
type Seen = Omit<Measured, 'live' | 'actions' | 'since'>;

const COUNT: TensorSpec = { type: 'f64', per: 'replica', onFork: 'keep' };

/** What the engine counts: optimizer steps since moments were last cleared, update of the last reset, resets so far. */
const COUNTS = {
  taken: { ...COUNT, start: 'steps', onFork: ['optimizer'] },
  resetAt: COUNT,
  resets: COUNT,
} as const satisfies StateSpec;
type Counts = { readonly [name in keyof typeof COUNTS]: Float64Array };

/** What is counted of every replica; what controllers remember they declare by themselves. */
export function controlState(settings: ControlSettings): StateSpec {
  return isControlled(settings) ? named('control', COUNTS) : {};
}

/** What is remembered once the reference of every replica has been reset by hand before an update. */
export function afterReset(settings: ControlSettings, tensors: Tensors, update: number): Tensors {
  const { 'control.resets': resets, 'control.resetAt': resetAt } = tensors;
  if (!resets || !resetAt) return {};
  const anew = settings.controllers.flatMap(({ module }) =>
    (module.atReset ?? []).map((name) => {
      const { start = 0 } = module.state![name]!;
      return [`${module.id}.${name}`, tensors[`${module.id}.${name}`]!.slice().fill(start as number)] as const;
    }),
  );
  return {
    ...Object.fromEntries(anew),
    // one that has just been made by itself is the same one
    'control.resets': resets.map((n, s) => (resetAt[s] === update ? n : n + 1)),
    'control.resetAt': resetAt.map(() => update),
    'control.taken': new Float64Array(resets.length),
  };
}

/**
 * Lets the controllers of a run follow what is measured, for every replica by itself: coefficients in force, and the moments
 * at which the reference becomes the present policy. It knows no controller.
 */
export class Control {
  readonly settings: ControlSettings;
  readonly counts: Counts;
  /** by replica and controller: its numbers, views of the state */
  private readonly memories: readonly (readonly Memory[])[];

  constructor(settings: ControlSettings, store: Pick<StateStore, 'of'>) {
    this.settings = settings;
    const tensor = (name: string): Float64Array => store.of(name, 'f64');
    this.counts = {
      taken: tensor('control.taken'),
      resetAt: tensor('control.resetAt'),
      resets: tensor('control.resets'),
    };
    const S = this.counts.taken.length;
    const viewOf = (module: Controller, name: string, s: number): Float64Array => {
      const all = tensor(`${module.id}.${name}`);
      return all.subarray((s * all.length) / S, ((s + 1) * all.length) / S);
    };
    this.memories = Array.from({ length: S }, (_, s) =>
      settings.controllers.map(({ module }) =>
        Object.fromEntries(Object.keys(module.state ?? {}).map((name) => [name, viewOf(module, name, s)])),
      ),
    );
  }

  /** The live coefficients as they hold for replica s. */
  liveOf(live: Live, s: number): Live {
    const own = ofReplica(live, s);
    let inForce: Coefficients = own;
    this.settings.controllers.forEach(({ module, params }, k) => {
      if (module.coefficients) inForce = module.coefficients(this.memories[s]![k]!, inForce, params as never);
    });
    return { ...own, ...inForce };
  }

  /** True if an update that has come to this KL from where it started takes no further step. */
  stopsAt(kl: number): boolean {
    return this.settings.stopsAt !== null && kl > this.settings.stopsAt;
  }

  /** Lets replica s follow the record of an update, and adds what was in force to it; true if its reference is to be reset. */
  settle(s: number, metrics: Float64Array, update: number, live: Live, trajectories: number): boolean {
    const at = (id: MetricId): number => s * METRICS + metricIndex[id];
    const of = (id: MetricId): number => metrics[at(id)]!;
    const { klCoef, entropyCoef } = this.liveOf(live, s);
    metrics[at('klCoef')] = klCoef;
    metrics[at('entropyCoef')] = entropyCoef;
    const seen = {
      ...{ update, trajectories },
      ...{ klRef: of('klRef'), entropy: of('entropy'), success: of('evalSuccess'), reward: of('returnMean') },
    };
    const isDue = this.after(s, live, seen, (id, value) => void (metrics[at(id as MetricId)] = value));
    metrics[at('resets')] = this.counts.resets[s]!;
    return isDue;
  }

  /** Lets the controllers of replica s follow an update; true if its reference is to be reset now. */
  after(s: number, live: Live, seen: Seen, put: (id: string, value: number) => void = () => undefined): boolean {
    const { actions } = this.settings;
    const measured: Measured = {
      ...seen,
      live: ofReplica(live, s),
      actions,
      since: seen.update + 1 - this.counts.resetAt[s]!,
    };
    let isDue = false;
    this.settings.controllers.forEach(({ module, params }, k) => {
      if (module.run?.(this.memories[s]![k]!, measured, params as never, put)) isDue = true;
    });
    if (isDue) this.reset(s, seen.update + 1);
    return isDue;
  }

  /** What comes now is compared with what comes now. */
  private reset(s: number, update: number): void {
    this.counts.resetAt[s] = update;
    this.counts.resets[s]!++;
    this.counts.taken[s] = 0;
    this.settings.controllers.forEach(({ module }, k) => {
      for (const name of module.atReset ?? []) this.memories[s]![k]![name]!.fill(module.state![name]!.start as number);
    });
  }
}
