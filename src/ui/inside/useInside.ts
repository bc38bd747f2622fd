import { useEffect, useRef, useState } from 'react';
import type { Inside, InsideRequest } from '../../worker/protocol.ts';
import { nullIfGone } from '../owed.ts';
import { lab } from '../session.ts';
import { isBeside } from '../stage/beside.ts';
import { useShown } from '../stage/shown.ts';
import { useView } from '../stores/view.ts';

/** The policy at the step on the stage: null while nothing is known, 'gone' where the batch is no longer kept. */
export type Seen = Inside | 'gone' | null;

/**
 * Asks the worker for the step on the stage whenever that changes. One question is under way at a time, and after an
 * answer only the newest wish counts, so that a playing stage never fills a queue.
 */
export function useInside(): Seen {
  const shown = useShown();
  const snapshot = shown && isBeside(shown) ? null : shown;
  const i = useView((v) => v.hovered?.i ?? v.trajectory);
  const t = useView((v) => v.hovered?.t ?? v.step);
  const [seen, setSeen] = useState<Seen>(null);
  const wanted = useRef<InsideRequest | null>(null);
  const isAsking = useRef(false);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  const update = snapshot?.update;
  const replica = snapshot?.replica;
  useEffect(() => {
    if (update === undefined || replica === undefined) return;
    wanted.current = { update, replica, i, t };
    if (isAsking.current) return;
    isAsking.current = true;
    void answerAll(wanted, isOpen, setSeen).finally(() => (isAsking.current = false));
  }, [snapshot, update, replica, i, t]);
  return update === undefined ? null : seen;
}

type Held<T> = { current: T };

async function answerAll(wanted: Held<InsideRequest | null>, isOpen: Held<boolean>, set: (seen: Seen) => void) {
  while (wanted.current && isOpen.current) {
    const request = wanted.current;
    wanted.current = null;
    const found = await lab().inside(request).catch(nullIfGone);
    if (isOpen.current) set(found ?? 'gone');
  }
}
