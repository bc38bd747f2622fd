import { useEffect, useState } from 'react';
import type { Asked, Snapshot, StepAnswer } from '../../worker/protocol.ts';
import { creditDoor } from '../credit/ask.ts';

/** An answer with the question it belongs to. */
export type Explained = {
  readonly snapshot: Snapshot;
  readonly asked: Asked;
  readonly i: number;
  readonly t: number;
  readonly answer: StepAnswer;
};

/** How the credit of a step came about; the last answer stays until the next is there. */
export function useStep(snapshot: Snapshot, asked: Asked, i: number, t: number): Explained | null {
  const [found, setFound] = useState<Explained | null>(null);
  useEffect(() => {
    const door = creditDoor();
    if (!door) return;
    let isOver = false;
    const { update, replica } = snapshot;
    door
      .explain({ update, replica, ...asked, i, t })
      .then((answer) => {
        if (!isOver) setFound({ snapshot, asked, i, t, answer });
      })
      // a worker that is gone answers nothing; the page says so elsewhere and starts a new one
      .catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [snapshot, asked, i, t]);
  return found;
}
