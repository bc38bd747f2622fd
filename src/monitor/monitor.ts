import { canonicalJson } from '../config/canonical.ts';
import { makeLevelOf } from '../config/level.ts';
import { CHECKED_SLOTS } from '../engine/backend.ts';
import { conditions, type CauseFacts, type Condition } from './conditions.ts';
import { successCeilings } from './ceiling.ts';
import { Track, type History, type SignFacts, type Signs } from './signs.ts';
import type { Alarm, ConditionId } from './types.ts';
import { sourceRows } from '../engine/plannedRows.ts';
import type { Plan } from '../engine/plan.ts';
import { liveAt, stagePlan } from '../engine/story.ts';

/** An alarm is over when its condition has not held for this many updates in any seed. */
export const CLEAR_AFTER = 10;

/** What the monitor needs to know about an experiment in one update: a fork and a live change are other settings. */
export type MonitorFacts = SignFacts & CauseFacts & { readonly S: number };

/** Those of any update of a run, whose changes may come while it trains. */
export function monitorFacts(run: { readonly whole: Plan }): (update: number) => MonitorFacts {
  const known = new WeakMap<Plan, ReturnType<typeof planFacts>>();
  return (u) => {
    const plan = stagePlan(run.whole, u);
    let facts = known.get(plan);
    if (!facts) known.set(plan, (facts = planFacts(plan)));
    const { learningRate, entropyCoef } = liveAt(run.whole, u);
    const stage = Math.min(plan.stages - 1, Math.floor(u / plan.growEvery));
    return { ...facts, stage, learningRate, entropyCoef };
  };
}

/** What stays while a plan is in force. */
function planFacts(plan: Plan): Omit<MonitorFacts, 'stage' | 'learningRate' | 'entropyCoef'> {
  const { config } = plan;
  const level = makeLevelOf(config);
  const isOneLevel = config.task['levels'] === 1 || (level.ok && level.value.isFixed);
  return {
    S: plan.S,
    // a root and its forks are one draw
    trials: isOneLevel ? (plan.scheme?.forks ? sourceRows(plan) : plan.B) : plan.P,
    task: canonicalJson(config.task),
    ceilings: successCeilings(plan, isOneLevel),
    isReplaced: plan.rewards.some(({ module }) => module.kind === 'replacing'),
    optimizer: plan.optimizer.title,
    clipNorm: plan.clipNorm,
    epochs: plan.epochs,
    minibatches: plan.minibatches,
    groupSize: plan.G,
    T: plan.T,
    worldSteps: plan.bareEnv.maxSteps(plan.level(plan.firstLevelSeed)),
    staleness: Number(config.rollout['staleness'] ?? 0),
    episodes: plan.B,
    levels: Number(config.task['levels'] ?? 0),
    rewards: plan.rewards.map(({ module }) => module.title),
  };
}

type Open = { -readonly [K in keyof Alarm]: Alarm[K] } & {
  /** last update in which it held, per replica */
  readonly lastHeld: Map<number, number>;
};

/**
 * The health monitor: fed with each record, it raises an alarm once per condition and episode of trouble. It reads the
 * metrics of the record only, so that it says the same on both backends, and changes nothing.
 */
export class Monitor {
  private readonly factsOf: (update: number) => MonitorFacts;
  private readonly history: History;
  private tracks: Track[] = [];
  private open = new Map<ConditionId, Open>();
  private closed: Alarm[] = [];
  /** first update that the history holds */
  private readonly from: number;
  private next = 0;
  /** goes up whenever `alarms()` would say something else */
  version = 0;

  constructor(factsOf: (update: number) => MonitorFacts, history: History, from = 0) {
    this.factsOf = factsOf;
    this.history = history;
    this.from = from;
    this.restart(from);
  }

  /**
   * Looks at update u, which the history holds already; `bad` as in the record. Returns what is new: alarms raised or
   * over.
   */
  feed(u: number, bad: ArrayLike<number> = []): Alarm[] {
    // a run that went back, or that continues from another one, is followed again until there
    if (u !== this.next) this.restart(u);
    this.next = u + 1;
    const changed: Alarm[] = [];
    for (let s = 0; s < this.tracks.length; s++) {
      const signs = this.tracks[s]!.follow(u, bad[s] ? CHECKED_SLOTS[bad[s]! - 1]! : null);
      // nothing else is said about numbers that are not finite
      const asked = signs.bad === null ? conditions : conditions.filter((c) => c.id === 'nonFinite');
      for (const condition of asked) {
        const evidence = condition.holds(signs);
        if (evidence !== null && this.hold(condition, signs, s, evidence)) changed.push(this.read(condition.id)!);
      }
    }
    for (const alarm of [...this.open.values()]) {
      if (u - Math.max(...alarm.lastHeld.values()) < CLEAR_AFTER) continue;
      alarm.until = u;
      this.version++;
      changed.push(this.read(alarm.id)!);
      this.closed.push(this.read(alarm.id)!);
      this.open.delete(alarm.id);
    }
    return changed;
  }

  /** Every alarm of the run, the oldest first. */
  alarms(): Alarm[] {
    return [...this.closed, ...[...this.open.keys()].map((id) => this.read(id)!)].sort((a, b) => a.since - b.since);
  }

  /** True if a new alarm was raised. */
  private hold(condition: Condition, signs: Signs, s: number, evidence: string): boolean {
    const known = this.open.get(condition.id);
    if (known) {
      known.lastHeld.set(s, signs.update);
      if (known.replicas.includes(s)) return false;
      this.version++;
      known.replicas = [...known.replicas, s].sort((a, b) => a - b);
      return false;
    }
    this.version++;
    this.open.set(condition.id, {
      key: `${condition.id}@${signs.update}`,
      id: condition.id,
      title: condition.title,
      evidence,
      cause: condition.cause(this.factsOf(signs.update), signs),
      action: condition.action,
      doc: condition.doc,
      since: signs.update,
      until: null,
      replicas: [s],
      S: this.tracks.length,
      lastHeld: new Map([[s, signs.update]]),
    });
    return true;
  }

  private read(id: ConditionId): Alarm | null {
    const found = this.open.get(id);
    if (!found) return null;
    const { lastHeld: _, ...alarm } = found;
    return alarm;
  }

  /** Forgets everything and follows the history again until update u. */
  restart(u: number): void {
    const { S } = this.factsOf(this.from);
    this.tracks = Array.from({ length: S }, (_, s) => new Track(this.history, s, this.factsOf));
    this.open = new Map();
    this.closed = [];
    this.version++;
    this.next = this.from;
    for (let k = this.from; k < u; k++) this.feed(k);
  }
}
