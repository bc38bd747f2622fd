import { percent, value } from '../format.ts';

/** How training goes, for someone who hears it: what has not been measured (yet) is left out. */
export function progressSentence(when: string, success: number, entropy: number): string {
  const facts = [
    ...(Number.isFinite(success) ? [`training success ${percent(success)}`] : []),
    ...(Number.isFinite(entropy) ? [`entropy ${value(entropy)} nats`] : []),
  ];
  return facts.length > 0 ? `${when}: ${facts.join(', ')}.` : `${when}.`;
}
