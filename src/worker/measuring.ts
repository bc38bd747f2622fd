import type { MeasurementAnswer, MeasurementRequest, Measurements } from '../lab/measurements.ts';
import type { Checkpoint, Run } from '../engine/run.ts';
import { workOf } from './pace.ts';

/** What is measured on demand, piece by piece, on copies. Its code is loaded by whoever asks first. */
export class Measuring {
  private loaded: Promise<Measurements> | null = null;

  /** Null without a run. */
  async answer(
    run: Run | null,
    saved: Checkpoint | null,
    request: MeasurementRequest,
  ): Promise<MeasurementAnswer | null> {
    if (!run || !saved) return null;
    this.loaded ??= import('../lab/measurements.ts').then((m) => new m.Measurements());
    const asked = { ...request, workMs: workOf(request.workMs) };
    return (await this.loaded).answer(run, saved.state, asked, () => performance.now());
  }
}
