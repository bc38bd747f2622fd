/** What one run has measured of one metric, the earliest first. */
export type Measurements = {
  /** updates trained before each */
  readonly updates: Uint32Array;
  /** environment steps taken before each */
  readonly steps: Float64Array;
  readonly values: Float32Array;
};

/** Numbers of neighboring updates of S seeds, as they are kept: [n, S, width], and steps until each [n]. */
type Rows = { readonly values: Float32Array; readonly steps: Float64Array };

/** Takes one metric of one seed out of rows that come one part after the other; nothing else of them stays. */
export class Gathering {
  private readonly updates: number[] = [];
  private readonly steps: number[] = [];
  private readonly values: number[] = [];
  private readonly column: number;
  private readonly isBefore: boolean;
  private count = 0;
  private last = 0;

  /** @param isBefore it is measured on the policy that an update begins with */
  constructor(column: number, isBefore: boolean) {
    this.column = column;
    this.isBefore = isBefore;
  }

  /** The next updates: those of replica s of S. */
  take({ values, steps }: Rows, width: number, S = 1, s = 0): void {
    for (const [k, after] of steps.entries()) {
      const value = values[(k * S + s) * width + this.column]!;
      if (Number.isFinite(value)) {
        this.updates.push(this.count + (this.isBefore ? 0 : 1));
        this.steps.push(this.isBefore ? this.last : after);
        this.values.push(value);
      }
      this.count++;
      this.last = after;
    }
  }

  /** So many updates cannot be read any more: they are not measured, and take no steps. */
  skip(updates: number): void {
    this.count += updates;
  }

  get found(): Measurements {
    return {
      updates: Uint32Array.from(this.updates),
      steps: Float64Array.from(this.steps),
      values: Float32Array.from(this.values),
    };
  }
}
