import { expect, test } from 'vitest';
import { TimeLeft } from './timeLeft.ts';

/** Durations of 400 updates, and what is told of them with the time that was then really left, in seconds. */
function toldAndTrue(ms: (update: number) => number): { told: number; real: number; at: number } {
  let now = 1000;
  const clock = new TimeLeft(now);
  let said: { told: number; at: number; now: number } | null = null;
  for (let update = 0; update < 400; update++) {
    now += ms(update);
    const sentence = clock.tick(now, 399 - update);
    if (sentence === null) continue;
    expect(said, 'said once').toBeNull();
    const [, number, unit] = /^about (\d+) (s|min|h) left$/.exec(sentence)!;
    said = { told: Number(number) * { s: 1, min: 60, h: 3600 }[unit as 's' | 'min' | 'h'], at: update, now };
  }
  return { told: said!.told, real: (now - said!.now) / 1000, at: said!.at };
}

/** Between 0 and 1, the same every time. */
const noise = (update: number): number => (Math.imul(update + 1, 2_654_435_761) >>> 0) / 2 ** 32;

test.each<[string, (update: number) => number]>([
  ['an even pace', () => 100],
  ['a slow start', (u) => (u < 3 ? 5000 : 700)],
  ['updates that differ by a third', (u) => 200 * (0.67 + 0.66 * noise(u))],
  ['an evaluation every five updates that takes as long as three', (u) => (u % 5 === 0 ? 400 : 100)],
  ['one disturbance', (u) => (u === 11 ? 3000 : 120)],
  ['hours', () => 120_000],
])('what is left is told within 20 %%: %s', (_name, ms) => {
  const { told, real, at } = toldAndTrue(ms);
  expect(Math.abs(told / real - 1)).toBeLessThan(0.2);
  expect(at).toBe(22);
});

test('nothing is said of a run that is nearly over', () => {
  const clock = new TimeLeft(0);
  for (let update = 1; update <= 30; update++) expect(clock.tick(100 * update, 30 - update)).toBeNull();
});
