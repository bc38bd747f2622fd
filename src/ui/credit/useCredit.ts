import { useEffect, useState } from 'react';
import type { Asked, Column, CreditAnswer, Snapshot } from '../../worker/protocol.ts';
import { creditDoor } from './ask.ts';

/** Milliseconds the worker continues with slow things in one call, and how long it is left alone in between. */
const WORK_MS = 60;
const REST_MS = 30;
/** Calls after which estimated values are redrawn. */
const REDRAW = 8;

/** An answer with the batch it is about: what is drawn together belongs together. */
export type Compared = { readonly snapshot: Snapshot; readonly answer: CreditAnswer };

/** Numbers of a later answer on the arrays of an earlier one. */
export function merged(before: CreditAnswer, later: CreditAnswer): CreditAnswer {
  const columns = later.columns.map((column, k): Column => {
    const old = before.columns[k];
    return column.A === null && old?.A ? { ...column, A: old.A, parts: old.parts } : column;
  });
  const { truth } = later;
  const values = truth.values ?? before.truth.values;
  const known = truth.known ?? before.truth.known;
  const error = truth.error ?? before.truth.error;
  return { ...later, columns, truth: { ...truth, values, known, error } };
}

const isAll = ({ pending }: CreditAnswer): boolean => pending === null;

/**
 * Credit of some estimators on a batch. The quick answer comes first; as long as the batch stays (`isStill`), the worker
 * is asked again until nothing is left to work out, or what there is `isEnough`. Leaving stops it: it only works while
 * someone asks.
 */
export function useCredit(
  snapshot: Snapshot,
  methods: readonly Asked[],
  isStill: boolean,
  isEnough = isAll,
): Compared | null {
  const [found, setFound] = useState<Compared | null>(null);
  useEffect(() => {
    const door = creditDoor();
    if (!door) return;
    let isOver = false;
    const { update, replica } = snapshot;
    const request = { update, replica, methods };
    const run = async (): Promise<void> => {
      let answer = await door.credit({ ...request, withArrays: true, workMs: 0 });
      for (let turn = 1; !isOver; turn++) {
        setFound({ snapshot, answer });
        if (!isStill || isEnough(answer)) return;
        await new Promise((later) => setTimeout(later, REST_MS));
        if (isOver) return;
        // estimates move: their picture follows now and then, and when the last one is in
        const withArrays = answer.truth.kind !== 'exact' && turn % REDRAW === 0;
        answer = merged(answer, await door.credit({ ...request, withArrays, workMs: WORK_MS }));
        if (answer.pending === null && answer.truth.kind !== 'exact')
          answer = merged(answer, await door.credit({ ...request, withArrays: true, workMs: 0 }));
      }
    };
    // a worker that is gone answers nothing; the page says so elsewhere and starts a new one
    run().catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [snapshot, methods, isStill, isEnough]);
  return found;
}
