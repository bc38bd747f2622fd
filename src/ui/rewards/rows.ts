import type { EpisodeSignals, Snapshot } from '../../worker/protocol.ts';
import { paintSigned, viridis } from '../color.ts';
import { credit } from '../credit/sentences.ts';
import { percent } from '../format.ts';
import { potentialWordsOf } from '../inspector/signals.ts';

/**
 * One strip along an episode of n steps. `signed`: purple to orange with the value of its ends; `flag`: filled where it
 * happened; `level`: dark to bright between its ends. `words`: of a step that has something to say, else nothing.
 */
export type SignalRow = {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly kind: 'signed' | 'flag' | 'level';
  /** [n] */
  readonly values: ArrayLike<number>;
  readonly low: number;
  readonly high: number;
  readonly words: (t: number) => string;
};

type Paid = Pick<Snapshot, 'T' | 'length' | 'reward' | 'judged'>;

/** True where what the estimator sees is made by reward modules. */
export const isShaped = ({ judged }: Pick<Snapshot, 'judged'>): boolean => (judged?.shapedBy.length ?? 0) > 0;

/** The strips of episode i: what was paid, then what the world reported. */
export function rowsOfEpisode(snapshot: Paid, i: number, signals: EpisodeSignals | null): SignalRow[] {
  const of = (column: Float32Array): Float32Array =>
    column.subarray(i * snapshot.T, i * snapshot.T + snapshot.length[i]!);
  const r = of(snapshot.reward);
  const paid = isShaped(snapshot) ? of(snapshot.judged!.reward) : null;
  // both on one scale, so that the eye may compare them
  const most = Math.max(...[...r, ...(paid ?? [])].map(Math.abs), 0) || 1;
  const money = (id: string, title: string, what: string, values: Float32Array): SignalRow => ({
    ...{ id, title, what, kind: 'signed', values, low: -most, high: most },
    words: (t) => `${title} ${credit(values[t]!)}`,
  });
  return [
    money('r', 'Reward r', 'what the world paid', r),
    ...(paid ? [money('paid', 'Shaped r′', 'what the estimator saw in its place', paid)] : []),
    ...(signals ? reported(signals) : []),
  ];
}

function reported(s: EpisodeSignals): SignalRow[] {
  const flag = (id: string, title: string, what: string, values: Uint8Array): SignalRow => ({
    ...{ id, title, what, kind: 'flag', values, low: 0, high: 1 },
    words: (t) => (values[t]! > 0 ? title.toLowerCase() : ''),
  });
  const level = (id: string, title: string, what: string, after: Float32Array, words: (x: number) => string) => ({
    ...{ id, title, what, kind: 'level' as const, values: after.subarray(1) },
    low: id === 'completion' ? 0 : Math.min(...after),
    high: id === 'completion' ? 1 : Math.max(...after),
    words: (t: number) => `${title} ${words(after[t]!)} to ${words(after[t + 1]!)}`,
  });
  return [
    flag('refused', 'Refused', 'filled where nothing could happen', s.refused),
    flag('isNew', 'New state', 'filled where the step led to a state new to the episode', s.isNew),
    flag('repeated', 'Repeated', 'filled where it had done the same in the same state before', s.repeated),
    ...(s.hard.some(Boolean)
      ? [flag('hard', 'Cannot be undone', 'filled where something happened for good', s.hard)]
      : []),
    {
      ...flag('reached', 'Milestone', 'filled where one was reached for the first time', s.reached),
      words: (t) => (s.reached[t]! > 0 ? `milestone ${s.reached[t]} reached` : ''),
    },
    level('phi', 'Potential Φ', potentialWordsOf(s.potential), s.phi, credit),
    level('completion', 'Completed', 'how much of the task is done', s.completion, percent),
  ];
}

/** A step in words: what it was paid, and what was reported of it. */
export const rowsSentence = (rows: readonly SignalRow[], t: number): string =>
  `Step ${t + 1}: ${rows
    .map(({ words }) => words(t))
    .filter(Boolean)
    .join('; ')}.`;

const pack = ([r, g, b]: readonly [number, number, number]): number => (255 << 24) | (b << 16) | (g << 8) | r;

/** Of what happened, in both themes. */
const INK = { light: pack([66, 82, 110]), dark: pack([196, 208, 226]) } as const;

/** Pixels [rows, n] of the strips; transparent where a flag is not set. */
export function rowPixels(rows: readonly SignalRow[], n: number, isDark: boolean): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint32Array(rows.length * n);
  rows.forEach(({ kind, values, low, high }, at) => {
    if (kind === 'signed') return paintSigned(pixels, at * n, values, 0, n, high, isDark);
    for (let t = 0; t < n; t++) {
      if (kind === 'level') pixels[at * n + t] = pack(viridis(high > low ? (values[t]! - low) / (high - low) : 0));
      else if (values[t]! > 0) pixels[at * n + t] = INK[isDark ? 'dark' : 'light'];
    }
  });
  return new Uint8ClampedArray(pixels.buffer);
}
