// Takes pictures of the first seconds of a first visit, and says on how many of them the map looks different from before,
// and how far what is on the page moved by itself.
//
//   node scripts/film.mjs [--out DIR] [PRESET …]        after npm run build; without presets: the three worlds
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { findChromium } from './chromium.mjs';
import { ROOT } from './lib/process.mjs';
import { serve } from './serve.mjs';

const EVERY_MS = 300;
const PICTURES = 67;
const FIRST = 40;
const ENOUGH = 20;
/** Layout shift of the whole film, as browsers count it. */
const MOST_SHIFT = 0.02;
const SIZE = { width: 1440, height: 900 };
const WITHOUT_GPU = ['--no-sandbox', '--disable-features=WebGPU,WebGPUService', '--disable-gpu'];

const pause = (ms) => new Promise((done) => setTimeout(done, Math.max(0, ms)));

/** Screenshots of one first visit, with how far the run was and where the map lies on them. */
async function film(browser, url, preset) {
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'no-preference' });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shifted += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(url);
  await page.waitForFunction(() => 'lab' in globalThis);
  const isReady = () => globalThis.lab.state().state === 'ready';
  await page.waitForFunction(isReady);
  if (preset !== '') {
    await page.evaluate((id) => globalThis.lab.load(id), preset);
    await page.waitForFunction(isReady);
    // a script that loads another experiment is no visitor
    await page.evaluate(() => void (globalThis.shifted = 0));
  }
  const shots = [];
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const from = performance.now();
  for (let k = 0; k < PICTURES; k++) {
    await pause(from + k * EVERY_MS - performance.now());
    const at = performance.now() - from;
    const [png, { update }, map] = await Promise.all([
      page.screenshot(),
      page.evaluate(() => globalThis.lab.state()),
      page.locator('.picture').first().boundingBox(),
    ]);
    shots.push({ png, update, map, at });
  }
  const shifted = await page.evaluate(() => globalThis.shifted);
  await context.close();
  return { shots, shifted };
}

/** True for each picture on which the map differs from that of the picture before. */
async function differences(page, shots) {
  return page.evaluate(
    async (all) => {
      const texts = [];
      for (const { data, map } of all) {
        const image = await createImageBitmap(await (await fetch(data)).blob());
        const canvas = new OffscreenCanvas(Math.round(map.width), Math.round(map.height));
        const on = canvas.getContext('2d');
        on.drawImage(image, -Math.round(map.x), -Math.round(map.y));
        texts.push(on.getImageData(0, 0, canvas.width, canvas.height).data.join());
      }
      return texts.map((text, k) => k > 0 && text !== texts[k - 1]);
    },
    shots.map(({ png, map }) => ({ data: `data:image/png;base64,${png.toString('base64')}`, map })),
  );
}

/** All pictures on one sheet, each with its time and update. */
async function sheet(page, shots, differs) {
  const cells = shots.map(
    ({ png, update, at }, k) =>
      `<figure><img src="data:image/png;base64,${png.toString('base64')}"><figcaption>${(at / 1000).toFixed(1)} s · update ${update}${differs[k] ? '' : ' · same'}</figcaption></figure>`,
  );
  await page.setContent(
    `<style>body{display:grid;grid-template-columns:repeat(6,1fr);gap:6px;margin:6px;font:12px sans-serif}figure{margin:0}img{width:100%}</style>${cells.join('')}`,
  );
  return page.screenshot({ fullPage: true });
}

async function main() {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string', default: join(ROOT, 'test-results', 'film') } },
    allowPositionals: true,
  });
  const presets = positionals.length > 0 ? positionals : ['', 'sokoban-one-box', 'maze-two-rooms'];
  mkdirSync(values.out, { recursive: true });
  const site = await serve({ dir: join(ROOT, 'dist') });
  const browser = await chromium.launch({ executablePath: await findChromium(), args: WITHOUT_GPU });
  try {
    for (const preset of presets) {
      const { shots, shifted } = await film(browser, site.url, preset);
      const page = await browser.newPage({ viewport: SIZE });
      const differs = await differences(page, shots);
      const name = preset === '' ? 'first' : preset;
      writeFileSync(join(values.out, `${name}.png`), await sheet(page, shots, differs));
      for (const k of [0, 3, 20, shots.length - 1]) writeFileSync(join(values.out, `${name}-${k}.png`), shots[k].png);
      await page.close();
      const count = differs.slice(0, FIRST).filter(Boolean).length;
      console.log(
        `${name}: the map differs on ${count} of the first ${FIRST} pictures (at least ${ENOUGH} wanted), layout shift ${shifted.toFixed(3)} (at most ${MOST_SHIFT}), last update ${shots.at(-1).update}`,
      );
      if (count < ENOUGH || shifted > MOST_SHIFT) process.exitCode = 1;
    }
  } finally {
    await browser.close();
    await site.close();
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
