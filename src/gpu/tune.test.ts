import { expect, test } from 'vitest';
import { compareForms } from './tune.ts';

/** A device in thought: milliseconds of a product in each form, and of the way there and back, which is never the same twice. */
async function compareOn(wide: number, tiled: number, wait: number) {
  let [spent, asked, products] = [0, 0, 0];
  const answer = await compareForms((form) => async (times) => {
    const ms = wait * (1 + 0.1 * Math.sin(asked++)) + times * (form === 'wide' ? wide : tiled);
    spent += ms;
    products += times;
    return ms;
  });
  return { ...answer, spent, products };
}

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
  expect(found.spent).toBeLessThan(200);
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
  expect(await compareOn(40, 10, 1)).toMatchObject({ tiled: false, products: 2 });
  expect(await compareOn(14, 14, 1)).toMatchObject({ tiled: false, products: 12 });
  const still = await compareOn(0, 0, 0);
  expect(still).toMatchObject({ tiled: false, ms: { wide: 0, tiled: 0 } });
  expect(still.products).toBeLessThan(12_000);
});
