import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Page, TestInfo } from '@playwright/test';
import { unzipSync } from 'fflate';
import { bundleCli } from '../scripts/lib/cli.mjs';
import { expect, test } from './fixtures.ts';
import type { Lab } from './lab.ts';

/** As many as a bundle has at most. */
const UPDATES = 20_000;

/** The bundle of one seed that nobody has trained, as the product writes it; its path. */
async function madeUp(info: TestInfo): Promise<string> {
  const program = await bundleCli('largeBundle', info.outputPath('program'), 'e2e/largeBundle.ts');
  const path = info.outputPath('made-up.labrun.zip');
  execFileSync(process.execPath, [program, path, `${UPDATES}`, '1'], { stdio: 'inherit' });
  return path;
}

/** Opens a bundle, which the page then has in its table of runs. */
async function opens({ page }: Lab, path: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Open a bundle …' }).click(),
  ]);
  await chooser.setFiles(path);
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText(
    'The bundle is sound. 1 run is kept in the table of runs.',
  );
  await page.keyboard.press('Escape');
}

type Manifest = { digests: Record<string, unknown>; files: Record<string, string>; updates: number };

/** The table of a bundle, and what its manifest says of it. */
function contentOf(path: string): { table: Buffer; manifest: Manifest } {
  const wanted = ['metrics.csv', 'manifest.json'];
  const files = unzipSync(readFileSync(path), { filter: ({ name }) => wanted.includes(name) });
  const manifest = JSON.parse(Buffer.from(files['manifest.json']!).toString()) as Manifest;
  return { table: Buffer.from(files['metrics.csv']!), manifest };
}

/** Of all kept runs: how many numbers their curves have, and whether they are those of the first one, bit for bit. */
const keptCurves = (page: Page): Promise<{ numbers: number; isSame: boolean }[]> =>
  page.evaluate(
    () =>
      new Promise((done, failed) => {
        const opening = indexedDB.open('horizon-lab');
        opening.onerror = () => failed(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('curves').objectStore('curves').getAll();
          reading.onerror = () => failed(reading.error);
          reading.onsuccess = () => {
            opening.result.close();
            const found = reading.result as { part: { values: Float32Array; steps: Float64Array } }[];
            const bits = found.map(({ part }) => ({ values: new Uint32Array(part.values.buffer), steps: part.steps }));
            const [first] = bits;
            done(
              bits.map(({ values, steps }) => ({
                numbers: values.length,
                isSame: values.every((x, k) => x === first!.values[k]) && steps.every((x, k) => x === first!.steps[k]),
              })),
            );
          };
        };
      }),
  );

test('a run of 20,000 updates comes out of the page as it came in: every line of its table, its digests, and its curves when it is opened again', async ({
  lab,
  page,
}, info) => {
  const before = await madeUp(info);
  await lab.open();
  await lab.openShare('Files');
  await opens(lab, before);
  await page.goto(`${lab.site}#/runs`);
  await page
    .getByRole('checkbox', { name: /^Select/ })
    .first()
    .check();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save bundle' }).first().click(),
  ]);
  const after = info.outputPath('saved.labrun.zip');
  await file.saveAs(after);

  const [a, b] = [contentOf(before), contentOf(after)];
  expect(b.manifest.digests).toEqual(a.manifest.digests);
  expect(b.manifest.updates).toBe(UPDATES);
  const lines = b.table.toString('latin1').split('\n');
  // the names, the start, every update, and the end of the last line
  expect(lines).toHaveLength(1 + 1 + UPDATES + 1);
  expect(lines.findIndex((line, k) => k > 0 && k < lines.length - 1 && !line.startsWith(`${k - 1},1,`))).toBe(-1);
  expect(Buffer.compare(b.table, a.table)).toBe(0);
  expect(b.manifest.files['metrics.csv']).toBe(a.manifest.files['metrics.csv']);

  await page.goto(`${lab.site}#/lab`);
  await lab.openShare('Files');
  await opens(lab, after);
  const [first, second, ...others] = await lab.stored('runs');
  expect(others).toEqual([]);
  expect(first!['digest']).toBe(a.manifest.digests['exact']);
  expect(second!['digest']).toBe(first!['digest']);
  const curves = await keptCurves(page);
  expect(curves).toHaveLength(2);
  expect(curves[0]!.numbers).toBeGreaterThan(100 * UPDATES);
  expect(curves[1]).toEqual({ numbers: curves[0]!.numbers, isSame: true });
});
