import { digits } from '../../core/digits.ts';
import type { CheckSpec, Source } from './lesson.ts';

/** “at least 0.95”: where the value of a check has to lie. */
export function expectedWords({ between, atLeast, atMost }: CheckSpec): string {
  if (!between) return atLeast === undefined ? `at most ${shownValue(atMost!)}` : `at least ${shownValue(atLeast)}`;
  const [low, high] = between;
  return low === high ? `exactly ${shownValue(low)}` : `between ${shownValue(low)} and ${shownValue(high)}`;
}

/** A value as people read it; what was never reached is infinite. */
export function shownValue(value: number | null): string {
  if (value === null || Number.isFinite(value) || Number.isNaN(value)) return digits(value);
  return value > 0 ? '∞ (never)' : '−∞';
}

/** Where the expected value of a check comes from. */
export const SOURCE_WORDS: Readonly<Record<Source, string>> = {
  exact: 'exact: it follows from the definition',
  specification: 'from the description of the reference model',
  fixture: 'from values that were computed apart from this lab',
  engine: 'recorded with this lab on more seeds',
};
