import type { Config } from '../config/slots.ts';
import type { BatchView } from '../engine/backend.ts';
import type { Run } from '../engine/run.ts';
import { metricIndex, type MetricId } from '../slots/metrics/metrics.ts';
import type { Watcher } from './measures/types.ts';

/** An arm of a lesson that trains or has trained: what measures are given. */
export class TrainedArm {
  readonly id: string;
  readonly label: string;
  readonly config: Config;
  /** the engine's run: plan, curves, and the backend at the update where the arm stands */
  readonly run: Run;
  /** by the text of a call: what a measure saw while the arm trained */
  readonly watchers = new Map<string, Watcher>();
  /** environment steps that each update charged each seed: those of greedy and discarded episodes too */
  readonly charged: Float64Array[] = [];
  /** the level of `stopAt` was reached, and training ended there */
  isStopped = false;

  constructor(about: { readonly id: string; readonly label: string }, config: Config, run: Run) {
    this.id = about.id;
    this.label = about.label;
    this.config = config;
    this.run = run;
  }

  /** number of seeds, trained together */
  get S(): number {
    return this.run.plan.S;
  }

  /** updates so far */
  get updates(): number {
    return this.run.series.length;
  }

  /** A metric of one seed in every update so far; NaN where it was not measured. */
  curve(metric: MetricId, seed: number): number[] {
    const m = metricIndex[metric];
    return Array.from({ length: this.updates }, (_, u) => this.run.series.at(u, seed, m));
  }

  /** One number per seed. */
  perSeed(of: (seed: number) => number): number[] {
    return Array.from({ length: this.S }, (_, seed) => of(seed));
  }

  /** The newest batch of a seed with its credit, and the weights before and after the update. */
  view(seed: number): Promise<BatchView> {
    return this.run.backend.view(seed);
  }
}
