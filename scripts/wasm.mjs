// Compiles src/wasm/kernels into src/wasm/binary.ts: the module as text, so that Node, tests, workers and the page load it
// like any other file. Run after a change of a kernel: node scripts/wasm.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './lib/process.mjs';

const FOLDER = join(ROOT, 'src', 'wasm', 'kernels');
const TARGET = join(ROOT, 'src', 'wasm', 'binary.ts');

/** The bytes of the module; throws with the compiler's words when a kernel is wrong. */
export async function compileKernels() {
  const { default: asc } = await import('assemblyscript/asc');
  let binary = null;
  let words = '';
  const { error } = await asc.main(
    [
      'kernels.ts',
      ...['--outFile', 'kernels.wasm', '--runtime', 'stub', '--importMemory', '--initialMemory', '1', '--noAssert'],
      ...['--enable', 'simd', '-O3', '--converge', '--zeroFilledMemory'],
    ],
    {
      // the compiler knows only .ts; the kernels are no TypeScript and say so in their names
      readFile: (name) => {
        try {
          return readFileSync(join(FOLDER, name.replace(/\.ts$/, '.as')), 'utf8');
        } catch {
          return null;
        }
      },
      writeFile: (name, content) => {
        if (name.endsWith('.wasm')) binary = content;
      },
      listFiles: () => [],
      stderr: { write: (text) => (words += text) },
    },
  );
  if (error || !binary) throw new Error(`The kernels do not compile.\n${words}`);
  return binary;
}

/** A byte as a character, 40 further on, modulo 256: so that most are ASCII, and few need a backslash. */
const characterOf = (byte) => {
  const code = (byte + 40) % 256;
  const text = String.fromCharCode(code);
  if (text === '\\') return '\\\\';
  return code < 32 || (code > 126 && code < 161) ? `\\x${code.toString(16).padStart(2, '0')}` : text;
};

/** The generated file for these bytes. */
export function fileOf(binary) {
  const text = [...binary].map(characterOf).join('');
  const times = (quote) => text.split(quote).length;
  // as the formatter chooses them
  const quote = times('"') < times("'") ? '"' : "'";
  return `/** src/wasm/kernels compiled by scripts/wasm.mjs, ${binary.length} bytes; never edited by hand. */
export const BINARY =
  ${quote}${text.replaceAll(quote, `\\${quote}`)}${quote};
`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const binary = await compileKernels();
  writeFileSync(TARGET, fileOf(binary));
  console.log(`src/wasm/binary.ts: ${binary.length} bytes`);
}
