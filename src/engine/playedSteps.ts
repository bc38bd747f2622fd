/**
 * Environment steps that every replica had taken when a version of the weights began, for the last k + 1 versions: version v
 * in slot v mod (k + 1), as in `Past`. With them the age of a unit can be told in environment steps:
 *
 *   age = steps when the present update began − steps when the version that played the unit began
 */
export class PlayedSteps {
  private readonly slots: number;
  private readonly counts: Float64Array;

  /** `counts`: [S, k + 1], of the state of the run. */
  constructor(counts: Float64Array, S: number) {
    this.counts = counts;
    this.slots = counts.length / S;
  }

  /** Age of what `version` plays in the update. */
  age(s: number, update: number, version: number): number {
    return this.counts[this.at(s, update)]! - this.counts[this.at(s, version)]!;
  }

  /** So many steps were taken in the update: the next version begins after them. */
  add(s: number, update: number, steps: number): void {
    this.counts[this.at(s, update + 1)] = this.counts[this.at(s, update)]! + steps;
  }

  private at(s: number, version: number): number {
    return s * this.slots + (version % this.slots);
  }
}
