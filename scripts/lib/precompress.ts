import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** Text that a browser asks for; maps and source files are for whoever looks into them. */
const COMPRESSED = /\.(html|js|css|svg|json|txt|webmanifest|wasm)$/;
const OMITTED = /[\\/]source[\\/]/;
/** Below this a packet carries it anyway. */
const LEAST_BYTES = 1024;
/** The next levels take three times as long for 2 %. */
const QUALITY = 10;

/** Writes `x.br` and `x.gz` beside each text of the folder that gets smaller by it; the names of those texts. */
export function precompress(dir: string): string[] {
  const done: string[] = [];
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = join(dir, name);
    if (!COMPRESSED.test(name) || OMITTED.test(file) || statSync(file).size < LEAST_BYTES) continue;
    const text = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    const packed = { br: brotliCompressSync(text, { params }), gz: gzipSync(text, { level: 9 }) };
    for (const [ending, bytes] of Object.entries(packed))
      if (bytes.length < text.length) writeFileSync(`${file}.${ending}`, bytes);
    done.push(name);
  }
  return done;
}

/** The built site with its compressed forms, which the local server sends and other hosts may. */
export const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  enforce: 'post',
  writeBundle({ dir }) {
    if (dir !== undefined) precompress(dir);
  },
};
