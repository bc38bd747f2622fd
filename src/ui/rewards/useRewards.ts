import { useEffect, useState } from 'react';
import type { RewardAnswer, RewardRequest, Snapshot } from '../../worker/protocol.ts';
import { creditDoor } from '../credit/ask.ts';

/** An answer with the batch, and the episode, that it is about: what is drawn together belongs together. */
export type Told = { readonly snapshot: Snapshot; readonly i: number | null; readonly answer: RewardAnswer };

/** What the world told in episode i of a batch, or, with null, exact credit of the whole batch by r and by r′. */
export function useRewards(snapshot: Snapshot, i: number | null): Told | null {
  const [found, setFound] = useState<Told | null>(null);
  useEffect(() => {
    const door = creditDoor();
    if (!door) return;
    let isOver = false;
    const { update, replica } = snapshot;
    const request: RewardRequest = { update, replica, ...(i === null ? { of: 'batch' } : { of: 'episode', i }) };
    door
      .rewards(request)
      .then((answer) => {
        if (!isOver) setFound({ snapshot, i, answer });
      })
      // a worker that is gone answers nothing; the page says so elsewhere and starts a new one
      .catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [snapshot, i]);
  return found;
}
