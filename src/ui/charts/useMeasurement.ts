import { useEffect, useRef, useState } from 'react';
import type { MeasurementAnswer, MeasurementRequest } from '../../worker/protocol.ts';
import { lab } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';

/** Work of one call; the page asks again until the result is there. */
const WORK_MS = 60;

type State = {
  /** run and replica that it belongs to */
  readonly of: string;
  readonly done: number | null;
  /** finished measurements, one for each update, newest last */
  readonly answers: readonly MeasurementAnswer[];
};

/** What else some measurements are asked. */
type More = Pick<MeasurementRequest, 'ahead' | 'layer'>;

export type Measuring = Omit<State, 'of'> & {
  start(n: number, more?: More): void;
  stop(): void;
};

/**
 * Asks the worker for a measurement, piece by piece; leaving the panel or opening another run stops it. `done`: share that
 * is done, null while nothing is measured.
 */
export function useMeasurement(what: MeasurementRequest['what']): Measuring {
  const replica = useView((v) => v.replica);
  const run = useRun((r) => r.run);
  const of = `${run} ${replica}`;
  const [state, setState] = useState<State>({ of, done: null, answers: [] });
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current++;
      // a run that another worker took over may come back under the same name; nobody answers the old question
      setState((before) => ({ ...before, done: null }));
    },
    [of],
  );
  const own = state.of === of ? state : { of, done: null, answers: [] };
  const put = (done: number | null, answer: MeasurementAnswer | null = null): void =>
    setState((before) => {
      const answers = before.of === of ? before.answers : [];
      const others = answer ? answers.filter((x) => x.update !== answer.update) : answers;
      return { of, done, answers: answer ? [...others, answer] : answers };
    });
  const ask = async (n: number, mine: number, more: More): Promise<void> => {
    for (let isNew = true; ; isNew = false) {
      const found = await lab().measure({ what, replica, n, isNew, workMs: WORK_MS, ...more });
      if (mine !== turn.current) return;
      if (!found || found.done === 1) return put(null, found);
      put(found.done);
    }
  };
  return {
    done: own.done,
    answers: own.answers,
    start: (n, more = {}) => {
      const mine = ++turn.current;
      put(0);
      // a worker that ends while it is asked says so here, or never answers
      ask(n, mine, more).catch(() => {
        if (mine === turn.current) put(null);
      });
    },
    stop: () => {
      turn.current++;
      put(null);
    },
  };
}
