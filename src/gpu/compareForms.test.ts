import { expect, test } from 'vitest';
import type { Layer } from './products.ts';
import { compareForms } from './compareForms.ts';

type Forms = { readonly wide: number; readonly tiled: number; readonly fine: (layer: Layer) => number };

/** A device in thought: milliseconds of a product in each form, and of the way there and back, which is never the same twice. */
async function ask(wait: number, { wide, tiled, fine }: Forms) {
  let [spent, asked, products] = [0, 0, 0];
  const answer = await compareForms((layer, form) => async (times) => {
    const each = form === 'wide' ? wide : form === 'tiled' ? tiled : fine(layer);
    const ms = wait * (1 + 0.1 * Math.sin(asked++)) + times * each;
    spent += ms;
    products += times;
    return ms;
  });
  return { ...answer, spent, products };
}

/** The same where fine tiles are no help. */
const compareOn = (wide: number, tiled: number, wait: number) => ask(wait, { wide, tiled, fine: () => wide });

test.each([
  [0.02, 0.007, 1],
  [0.02, 0.007, 0.05],
  [0.02, 0.007, 4],
  [0.3, 0.1, 1],
  [3, 2, 1],
])('a product takes %f ms, with tiles %f, an answer %f: tiles are chosen', async (wide, tiled, wait) => {
  const found = await compareOn(wide, tiled, wait);
  expect(found.tiled).toBe(true);
  // the wait changes by a fifth at most, which is shared by the products of 5 ms
  expect(Math.abs(found.ms.wide! / wide - 1)).toBeLessThan((0.2 * wait) / 5 + 1e-9);
  expect(Math.abs(found.ms.tiled! / tiled - 1)).toBeLessThan((0.2 * wait) / 5 + 1e-9);
  expect(found.spent).toBeLessThan(300);
});

test.each([
  [0.02, 0.02, 1],
  [0.02, 0.019, 1],
  [0.007, 0.02, 1],
  [14, 200, 1],
])('a product takes %f ms, with tiles %f, an answer %f: tiles are not chosen', async (wide, tiled, wait) => {
  expect(await compareOn(wide, tiled, wait)).toMatchObject({ tiled: false });
});

test('a device that needs long for one product is asked for two, and one whose clock stands still for few', async () => {
  expect(await compareOn(40, 10, 1)).toMatchObject({ tiled: false, fineUpTo: 0, products: 2 });
  expect(await compareOn(14, 14, 1)).toMatchObject({ tiled: false, fineUpTo: 0, products: 24 });
  const still = await compareOn(0, 0, 0);
  expect(still).toMatchObject({ tiled: false, ms: { wide: 0, tiled: 0 } });
  expect(still.products).toBeLessThan(24_000);
});

/** Blocks of 8 × 8 that the products have which the device is asked about. */
const BLOCKS = [512, 2048, 4096, 16_384];
const blocks = ({ rows, out }: Layer): number => (rows / 8) * (out / 8);

test.each(BLOCKS.map((most, k) => [most, BLOCKS[k - 1] ?? 0] as const))(
  'fine tiles are chosen as far as they are clearly faster: not at %i blocks, up to %i',
  async (slow, upTo) => {
    const fine = (layer: Layer): number => (blocks(layer) < slow ? 0.01 : 0.019);
    const found = await ask(1, { wide: 0.02, tiled: 0.02, fine });
    expect(found).toMatchObject({ tiled: false, fineUpTo: upTo });
    expect(found.spent).toBeLessThan(300);
  },
);

test('fine tiles are compared with the form that would run instead', async () => {
  // large tiles are faster than fine ones where the sum is long enough for them, and registers alone are slower
  const found = await ask(1, { wide: 0.03, tiled: 0.01, fine: () => 0.02 });
  expect(found).toMatchObject({ tiled: true, fineUpTo: 2048 });
});

test('a device on which fine tiles always win has them up to the largest product that it was asked about', async () => {
  expect(await ask(1, { wide: 0.03, tiled: 0.02, fine: () => 0.01 })).toMatchObject({ tiled: true, fineUpTo: 16_384 });
});
