import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inkOn, paintSigned, percentile, signedColor, symmetricLimit, viridis, type Rgb } from './color.ts';
import { ciede2000, difference, type Vision } from './colorDifference.ts';

const VISIONS: readonly Vision[] = ['full', 'protan', 'deutan', 'tritan'];
const sizes = Array.from({ length: 76 }, (_, k) => 0.25 + k / 100);
const rgb = (text: string): Rgb => [0, 2, 4].map((k) => parseInt(text.slice(k, k + 2), 16)) as unknown as Rgb;

test('the color difference is that of Sharma, Wu and Dalal on their hardest pairs', () => {
  const pairs: [number[], number[], number][] = [
    [[50, 2.6772, -79.7751], [50, 0, -82.7485], 2.0425],
    [[50, 2.5, 0], [73, 25, -18], 27.1492],
    [[50, -1.1848, -84.8006], [50, 0, -82.7485], 1.0],
    [[60.2574, -34.0099, 36.2677], [60.4626, -34.1751, 39.4387], 1.2644],
    [[50, 2.49, -0.001], [50, -2.49, 0.0011], 7.2195],
    [[2.0776, 0.0795, -1.135], [0.9033, -0.0636, -0.5514], 0.9082],
  ];
  for (const [x, y, expected] of pairs) expect(ciede2000(x as never, y as never), String(x)).toBeCloseTo(expected, 4);
});

describe.each([
  ['light', false],
  ['dark', true],
] as const)('signed colors, %s theme', (_, isDark) => {
  test.each(VISIONS)('+x and −x differ by at least 20 from |x| = 0.25 on for %s vision', (vision) => {
    for (const x of sizes) {
      const apart = difference(signedColor(x, isDark), signedColor(-x, isDark), vision);
      expect(apart, `x = ${x}`).toBeGreaterThanOrEqual(20);
    }
  });

  test('the larger the value, the farther from the surface', () => {
    for (const vision of VISIONS)
      for (const sign of [1, -1]) {
        const far = [0, 0.25, 0.5, 0.75, 1].map((x) =>
          difference(signedColor(0, isDark), signedColor(sign * x, isDark), vision),
        );
        expect(
          [...far].sort((a, b) => a - b),
          `${vision} ${sign}`,
        ).toEqual(far);
        expect(new Set(far).size).toBe(5);
      }
  });

  test('only 0 has the color of the surface', () => {
    expect(signedColor(0, isDark)).toEqual(isDark ? rgb('1c1f25') : rgb('ffffff'));
    for (const x of [1e-9, -1e-9, 0.004]) expect(signedColor(x, isDark)).not.toEqual(signedColor(0, isDark));
  });

  test('pixels have the colors of the table, beyond the limit the last one', () => {
    const values = [0, 0.5, -0.5, 2, -2, 7, -7, 0.001];
    const pixels = new Uint32Array(values.length);
    paintSigned(pixels, 0, values, 0, values.length, 2, isDark);
    const bytes = new Uint8Array(pixels.buffer);
    values.forEach((x, k) =>
      expect([...bytes.subarray(4 * k, 4 * k + 4)], String(x)).toEqual([...signedColor(x / 2, isDark), 255]),
    );
  });
});

test('a red and green map of the same lightness steps fails the same test', () => {
  expect(difference(rgb('f46d43'), rgb('66bd63'), 'deutan')).toBeLessThan(20);
});

test('ends and middle are the published colors', () => {
  expect([signedColor(1, false), signedColor(-1, false)]).toEqual([rgb('7f3b08'), rgb('2d004b')]);
  expect([viridis(0), viridis(1)]).toEqual([rgb('440154'), rgb('fde725')]);
  // matplotlib's entry 128 is (0.127568, 0.566949, 0.550556)
  [0.127568, 0.566949, 0.550556].forEach((v, c) => expect(Math.abs(viridis(128 / 255)[c]! - 255 * v)).toBeLessThan(2));
});

test('text on a color is dark on bright and bright on dark colors', () => {
  expect([inkOn(viridis(1)), inkOn(viridis(0))]).toEqual(['#111418', '#ffffff']);
});

describe('the limit of a signed map', () => {
  test('is the 98th percentile of the sizes', () => {
    expect(symmetricLimit(Array.from({ length: 100 }, (_, k) => (k % 2 ? k : -k)))).toBe(98);
  });

  test('is the largest size where almost everything is 0, and 1 where everything is', () => {
    expect(symmetricLimit([...Array<number>(200).fill(0), -3])).toBe(3);
    expect([symmetricLimit([]), symmetricLimit([0, 0])]).toEqual([1, 1]);
  });

  test('counting finds the same number as sorting', () => {
    const many = fc.array(fc.float({ min: 0, noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(many, fc.double({ min: 0, max: 1, noNaN: true }), (list, q) => {
        const values = Float32Array.from(list, Math.abs);
        const sorted = values.slice().sort();
        expect(percentile(values, q)).toBe(sorted[Math.min(list.length - 1, Math.floor(q * list.length))]);
      }),
    );
  });
});
