import * as Comlink from 'comlink';
import type { ArmProgress, LessonHost, Tell } from '../../worker/lessonHost.ts';
import { toldBy } from '../drawn.ts';
import { owedBy } from '../owed.ts';

export type { ArmCurve, ArmProgress, OpenedLesson, Tell, TrainRequest } from '../../worker/lessonHost.ts';

export type LessonWorker = {
  readonly calls: LessonHost;
  /** a callback that the worker can call */
  readonly tell: (act: (arms: readonly ArmProgress[]) => void) => Tell;
  /** ends it, with all that it trains; what it owes is refused */
  readonly end: () => void;
};

/** A worker for the arms of a lesson. `lost` is called once when it stops by itself. */
export function startLessonWorker(lost: (message: string) => void): LessonWorker {
  const worker = new Worker(new URL('../../worker/lesson.worker.ts', import.meta.url), { type: 'module' });
  const { calls, end } = owedBy<LessonHost>(Comlink.wrap<LessonHost>(worker) as unknown as LessonHost);
  worker.onerror = (event) => {
    event.preventDefault();
    lost(event.message || 'no reason was given');
    end();
  };
  return {
    calls,
    tell: toldBy,
    end() {
      worker.terminate();
      end();
    },
  };
}
