import { useEffect, useState } from 'react';
import type { Config } from '../../config/slots.ts';
import { askedOf } from '../credit/compareStore.ts';
import { useCredit, type Compared } from '../credit/useCredit.ts';
import type { Asked, CreditAnswer, Snapshot } from '../../worker/protocol.ts';
import type { Reading } from './reading.ts';

/** Milliseconds without a key before the batch is judged again. */
const QUIET_MS = 250;

/** The truth is there, or all of it that was asked for; fresh batches are for the comparison. */
const isEnough = ({ pending }: CreditAnswer): boolean =>
  pending === null || pending.what === 'batches' || pending.what === 'curves';

export const ID = 'formula';

/** The last text without a fault, once the keys rest; null before there was one. */
export function useGoodText({ text, faults }: Reading): string | null {
  const [good, setGood] = useState<string | null>(null);
  const isGood = faults.length === 0 && text.trim() !== '';
  useEffect(() => {
    if (!isGood) return;
    const timer = setTimeout(() => setGood(text), QUIET_MS);
    return () => clearTimeout(timer);
  }, [text, isGood]);
  return good;
}

/** Credit of a formula on a batch, then that of the run's own estimator; computed in the worker, nothing is trained. */
export function usePreview(snapshot: Snapshot, text: string, config: Config | null): Compared | null {
  const [methods, setMethods] = useState<readonly Asked[]>(() => methodsOf(text, config));
  const [of, setOf] = useState(text);
  if (of !== text) {
    setOf(text);
    setMethods(methodsOf(text, config));
  }
  return useCredit(snapshot, methods, true, isEnough);
}

const methodsOf = (text: string, config: Config | null): readonly Asked[] => [
  { id: ID, params: { text } },
  askedOf(config, config?.advantage.method ?? 'gigpo'),
];
