import { expect, test } from 'vitest';
import type { EpisodeSignals, Snapshot } from '../../worker/protocol.ts';
import { rowPixels, rowsOfEpisode, rowsSentence } from './rows.ts';
import { cutSentence, optimumSentence, paidSentence } from './sentences.ts';

const judged = {
  ...{ reward: Float32Array.of(0, 0, 0, 0, -0.5, 2), outcome: Float32Array.of(0, 1.5) },
  ...{ isNormalized: false, shapedBy: ['Potential-based shaping'], paysKl: false },
};
/** Two episodes of up to three steps, the second of two. */
const snapshot = {
  ...{ T: 3, length: Uint32Array.of(3, 2), judged },
  ...{ reward: Float32Array.of(0, 0, 0, 0, 1, 0), outcome: Float32Array.of(0, 1) },
} as unknown as Snapshot;

const signals: EpisodeSignals = {
  ...{ refused: Uint8Array.of(1, 0), isNew: Uint8Array.of(0, 1), repeated: Uint8Array.of(0, 0) },
  ...{ hard: Uint8Array.of(0, 0), reached: Uint8Array.of(0, 2) },
  ...{ completion: Float32Array.of(0, 0, 0.5), phi: Float32Array.of(-1, -1, -0.5), potential: 'distance' },
};

test('the strips of an episode hold its steps alone, both rewards on one scale, and what holds after a step', () => {
  const rows = rowsOfEpisode(snapshot, 1, signals);
  expect(rows.map(({ id }) => id)).toEqual([
    'r',
    'paid',
    'refused',
    'isNew',
    'repeated',
    'reached',
    'phi',
    'completion',
  ]);
  const of = (id: string) => rows.find((row) => row.id === id)!;
  expect([...Array.from(of('r').values)]).toEqual([0, 1]);
  expect([...Array.from(of('paid').values)]).toEqual([0, -0.5]);
  expect([of('r').high, of('paid').high]).toEqual([1, 1]);
  expect([...Array.from(of('phi').values)]).toEqual([-1, -0.5]);
  expect([of('phi').low, of('phi').high, of('completion').high]).toEqual([-1, -0.5, 1]);
});

test('a step is told in words, and what did not happen is left out', () => {
  const rows = rowsOfEpisode(snapshot, 1, signals);
  expect(rowsSentence(rows, 0)).toBe(
    'Step 1: Reward r 0; Shaped r′ 0; refused; Potential Φ −1 to −1; Completed 0\u00a0% to 0\u00a0%.',
  );
  expect(rowsSentence(rows, 1)).toBe(
    'Step 2: Reward r +1; Shaped r′ −0.5; new state; milestone 2 reached; Potential Φ −1 to −0.5; Completed 0\u00a0% to 50\u00a0%.',
  );
});

test('a run without modules has one reward, and what cannot be undone has a strip only where it happened', () => {
  const plain = { ...snapshot, judged: null } as unknown as Snapshot;
  expect(rowsOfEpisode(plain, 0, null).map(({ id }) => id)).toEqual(['r']);
  const hard = { ...signals, hard: Uint8Array.of(0, 1) };
  expect(rowsOfEpisode(plain, 1, hard).map(({ id }) => id)).toContain('hard');
});

test('what did not happen is transparent, and what happened is opaque', () => {
  const rows = rowsOfEpisode(snapshot, 1, signals);
  const alpha = (pixels: Uint8ClampedArray, row: number, t: number): number => pixels[4 * (row * 2 + t) + 3]!;
  for (const isDark of [false, true]) {
    const pixels = rowPixels(rows, 2, isDark);
    expect(pixels).toHaveLength(rows.length * 2 * 4);
    expect([alpha(pixels, 2, 0), alpha(pixels, 2, 1)]).toEqual([255, 0]);
    expect([alpha(pixels, 7, 0), alpha(pixels, 7, 1)]).toEqual([255, 255]);
  }
});

test('sentences say what was made of the reward, and whether the best actions are the same', () => {
  expect(paidSentence(snapshot)).toMatch(/^The world paid \+0\.5 .* Potential-based shaping made \+0\.75 of it\./);
  expect(paidSentence({ ...snapshot, judged: null })).toMatch(/nothing is done to it/);
  const batch = { gamma: 0.95, world: new Float32Array(), paid: new Float32Array(), states: 36, isLimited: false };
  expect(optimumSentence({ ...batch, others: 0 })).toMatch(/^In all 36 states .* γ = 0\.95/);
  expect(optimumSentence({ ...batch, others: 7, isLimited: true })).toMatch(
    /^In 7 of 36 states .* within the step limit/,
  );
  const differing = { ...batch, others: 0, world: Float32Array.of(0, 0.1), paid: Float32Array.of(0, 0.2) };
  expect(cutSentence(differing, 1)).toMatch(/^Where both differ, the step limit is why/);
  expect(cutSentence(differing, 4)).toBeNull();
  expect(cutSentence({ ...differing, others: 3 }, 1)).toBeNull();
});
