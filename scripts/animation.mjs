// Films the first updates of the lab's first experiment and writes them as one animated PNG for the README.
//
//   node scripts/animation.mjs [FILE]        after npm run build; without a name: docs/learning.png
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { chromium } from 'playwright';
import { findChromium } from './chromium.mjs';
import { ROOT } from './lib/process.mjs';
import { serve } from './serve.mjs';

/** Updates that are shown: learning is fast at first. */
const AT = [1, 6, 12, 18, 24, 30, 40];
const EACH_MS = 700;
const SIZE = { width: 1200, height: 700 };
const WITHOUT_GPU = ['--no-sandbox', '--disable-features=WebGPU,WebGPUService', '--disable-gpu'];

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [size, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  size.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([size, body, check]);
}

/** The chunks of a PNG file. */
function* chunksOf(png) {
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at);
    yield { type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + size) };
    at += 12 + size;
  }
}

/** Pictures of equal size as one animated PNG (PNG third edition, W3C), each shown for `delay` ms, endlessly. */
export function animated(pictures, delay) {
  const header = [...chunksOf(pictures[0])][0].data;
  const frames = Buffer.alloc(8);
  frames.writeUInt32BE(pictures.length);
  const parts = [pictures[0].subarray(0, 8), chunk('IHDR', header), chunk('acTL', frames)];
  let number = 0;
  for (const [k, picture] of pictures.entries()) {
    const control = Buffer.alloc(26);
    control.writeUInt32BE(number++);
    header.copy(control, 4, 0, 8);
    control.writeUInt16BE(delay, 20);
    control.writeUInt16BE(1000, 22);
    parts.push(chunk('fcTL', control));
    for (const { type, data } of chunksOf(picture)) {
      if (type !== 'IDAT') continue;
      if (k === 0) parts.push(chunk('IDAT', data));
      else {
        const order = Buffer.alloc(4);
        order.writeUInt32BE(number++);
        parts.push(chunk('fdAT', Buffer.concat([order, data])));
      }
    }
  }
  return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
}

async function film(page, url) {
  await page.goto(url);
  await page.waitForFunction(() => 'lab' in globalThis && globalThis.lab.state().state === 'ready');
  await page.getByRole('button', { name: /^Close:/ }).click();
  const pictures = [];
  for (const update of AT) {
    while ((await page.evaluate(() => globalThis.lab.state().update)) < update) {
      await page.evaluate(() => globalThis.lab.step());
    }
    await page.waitForTimeout(900); // charts are drawn once a second
    pictures.push(await page.screenshot({ scale: 'css' }));
  }
  return pictures;
}

const site = await serve({ dir: join(ROOT, 'dist') });
const browser = await chromium.launch({ executablePath: await findChromium(), args: WITHOUT_GPU });
try {
  const context = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
  const file = process.argv[2] ?? join(ROOT, 'docs/learning.png');
  const bytes = animated(await film(await context.newPage(), site.url), EACH_MS);
  writeFileSync(file, bytes);
  console.log(`${file}: ${AT.length} pictures, ${Math.round(bytes.length / 1000)} kB`);
} finally {
  await browser.close();
  await site.close();
}
