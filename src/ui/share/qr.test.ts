import fc from 'fast-check';
import decode from 'qr/decode.js';
import { expect, test } from 'vitest';
import { encodeLink, linkFragment } from '../../config/link.ts';
import { presetConfig, presets } from '../../config/presets.ts';
import { QR_MOST, qrFile, qrOf, type Qr } from './qr.ts';

/** Pixels of a code whose path consists of rows of modules, `scale` pixels each. */
function drawn({ edge, path }: Qr, scale: number): { width: number; height: number; data: Uint8ClampedArray } {
  const width = edge * scale;
  const data = new Uint8ClampedArray(4 * width * width).fill(255);
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+z/g))
    for (let row = 0; row < scale; row++)
      for (let k = 0; k < Number(length) * scale; k++)
        data.set([0, 0, 0], 4 * ((Number(y) * scale + row) * width + Number(x) * scale + k));
  return { width, height: width, data };
}

// another program than the one that draws them
const read = (text: string): string => decode(drawn(qrOf(text)!, 4));

test('the code of the link of every experiment that is offered is read as the link', () => {
  const links = presets.map((preset) => `https://lab.example/${linkFragment({ config: presetConfig(preset) })}`);
  const short = links.filter((link) => link.length <= QR_MOST);
  expect(short.length).toBeGreaterThan(presets.length / 2);
  for (const link of short) expect(read(link)).toBe(link);
});

test('so is any text up to the limit, and none beyond it has a code', () => {
  const texts = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.~:/#?=&%'), minLength: 1, maxLength: QR_MOST });
  fc.assert(
    fc.property(texts, (text) => {
      expect(read(text)).toBe(text);
    }),
    { numRuns: 20 },
  );
  const longest = `https://lab.example/#/lab?x=${encodeLink({ config: presetConfig(presets[0]!) })}`.padEnd(
    QR_MOST,
    'A',
  );
  expect(read(longest)).toBe(longest);
  expect(qrOf(`${longest}A`)).toBeNull();
});

test('the file holds the code on white, with the quiet zone', () => {
  const code = qrOf('https://lab.example/')!;
  expect(qrFile(code)).toContain(`viewBox="0 0 ${code.edge} ${code.edge}"`);
  const rows = [...code.path.matchAll(/M(\d+) (\d+)h(\d+)/g)].map(([, ...n]) => n.map(Number));
  expect(Math.min(...rows.map(([x]) => x!))).toBe(4);
  expect(Math.max(...rows.map(([x, , length]) => x! + length!))).toBe(code.edge - 4);
});
