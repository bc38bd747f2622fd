import type { TrainState } from './backend.ts';
import type { Plan } from './plan.ts';

/**
 * Environment steps that every replica had taken when a version of the weights began, for the last k + 1 versions: version v
 * in slot v mod (k + 1), as in `Past`. With them the age of a unit can be told in environment steps:
 *
 *   age = steps when the present update began − steps when the version that played the unit began
 */
export class PlayedSteps {
  private readonly slots: number;
  /** [S, k + 1] */
  private readonly counts: Float64Array;

  constructor({ S, behaviour }: Pick<Plan, 'S' | 'behaviour'>) {
    this.slots = behaviour.lag + 1;
    this.counts = new Float64Array(S * this.slots);
  }

  /** Age of what `version` plays in the update. */
  age(s: number, update: number, version: number): number {
    return this.counts[this.at(s, update)]! - this.counts[this.at(s, version)]!;
  }

  /** So many steps were taken in the update: the next version begins behind them. */
  add(s: number, update: number, steps: number): void {
    this.counts[this.at(s, update + 1)] = this.counts[this.at(s, update)]! + steps;
  }

  save(): Pick<TrainState, 'played'> {
    return this.slots > 1 ? { played: this.counts.slice() } : {};
  }

  /** Where all versions begin anew, so does the count; old versions of which nobody counted have no age. */
  load({ played, past, update }: TrainState): void {
    const { slots, counts } = this;
    if (played?.length === counts.length) return counts.set(played);
    counts.fill(past ? NaN : 0);
    for (let s = 0; s < counts.length / slots; s++) counts[this.at(s, update)] = 0;
  }

  private at(s: number, version: number): number {
    return s * this.slots + (version % this.slots);
  }
}
