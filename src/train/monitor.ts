import { makeLevelOf } from '../config/level.ts';
import { CHECKED_SLOTS } from './backend.ts';
import { conditions, type CauseFacts, type Condition } from './monitorConditions.ts';
import { successCeilings } from './monitorCeiling.ts';
import { Track, type History, type SignFacts, type Signs } from './monitorSigns.ts';
import type { Alarm, ConditionId } from './monitorTypes.ts';
import type { Plan } from './plan.ts';

/** An alarm is over when its condition has not held for so many updates in any seed. */
export const CLEAR_AFTER = 10;

/** What the monitor needs to know about an experiment. */
export type MonitorFacts = SignFacts & CauseFacts & { readonly S: number };

export function monitorFacts(plan: Plan): MonitorFacts {
  const { config, live } = plan;
  const level = makeLevelOf(config);
  const isOneLevel = config.task['levels'] === 1 || (level.ok && level.value.isFixed);
  return {
    S: plan.S,
    trials: isOneLevel ? plan.B : plan.P,
    stage: (u) => Math.min(plan.stages - 1, Math.floor(u / plan.growEvery)),
    ceilings: successCeilings(plan, isOneLevel),
    learningRate: live.learningRate,
    entropyCoef: live.entropyCoef,
    optimizer: plan.optimizer.title,
    clipNorm: plan.clipNorm,
    epochs: plan.epochs,
    minibatches: plan.minibatches,
    groupSize: plan.G,
    T: plan.T,
    staleness: Number(config.rollout['staleness'] ?? 0),
    episodes: plan.B,
    levels: Number(config.task['levels'] ?? 0),
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
  private readonly facts: MonitorFacts;
  private readonly history: History;
  private tracks: Track[] = [];
  private open = new Map<ConditionId, Open>();
  private closed: Alarm[] = [];
  /** first update that the history holds */
  private readonly from: number;
  private next = 0;
  /** goes up whenever `alarms()` would say something else */
  version = 0;

  constructor(facts: MonitorFacts, history: History, from = 0) {
    this.facts = facts;
    this.history = history;
    this.from = from;
    this.restart(from);
  }

  /**
   * Looks at update u, which the history holds already; `bad` as in the record. Returns what is new: alarms raised or
   * over.
   */
  feed(u: number, bad: ArrayLike<number> = []): Alarm[] {
    // a run that went back, or that goes on from another one, is followed again until there
    if (u !== this.next) this.restart(u);
    this.next = u + 1;
    const changed: Alarm[] = [];
    for (let s = 0; s < this.facts.S; s++) {
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
      cause: condition.cause(this.facts, signs),
      action: condition.action,
      doc: condition.doc,
      since: signs.update,
      until: null,
      replicas: [s],
      S: this.facts.S,
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
    this.tracks = Array.from({ length: this.facts.S }, (_, s) => new Track(this.history, s, this.facts));
    this.open = new Map();
    this.closed = [];
    this.version++;
    this.next = this.from;
    for (let k = this.from; k < u; k++) this.feed(k);
  }
}
