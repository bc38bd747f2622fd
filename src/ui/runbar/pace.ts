import { NORMAL, SLOW } from '../stores/looks.ts';

/** The paces that have a name, in updates a second: 0 stops after every update, null is as fast as it goes. */
export const PACES: readonly { readonly name: string; readonly perSecond: number | null }[] = [
  { name: 'Step by step', perSecond: 0 },
  { name: 'Slow', perSecond: SLOW },
  { name: 'Normal', perSecond: NORMAL },
  { name: 'Full speed', perSecond: null },
];

/** Places of the slider: 0 is step by step, then 1 … 60 updates a second on a logarithmic scale, then full speed. */
export const PLACES = 30;
const FASTEST = 60;

export function paceAt(place: number): number | null {
  if (place <= 0) return 0;
  if (place >= PLACES) return null;
  return Math.round(FASTEST ** ((place - 1) / (PLACES - 2)));
}

export function placeOf(pace: number | null): number {
  if (pace === null || pace > FASTEST) return PLACES;
  if (pace < 1) return 0;
  return 1 + Math.round(((PLACES - 2) * Math.log(pace)) / Math.log(FASTEST));
}

export function paceWords(pace: number | null): string {
  if (pace === null) return 'full speed';
  if (pace === 0) return 'step by step';
  return pace === 1 ? '1 update per second' : `at most ${pace} updates per second`;
}
