import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import { findChromium } from './scripts/chromium.mjs';
import { lessonYaml } from './scripts/lib/lessonYaml.mjs';
import { apartTests } from './scripts/lib/apartTests.ts';
import { LongestFirst } from './scripts/lib/longestFirst.ts';

const chromium = await findChromium();

const setupFiles = ['scripts/lib/equalArrays.ts'];

/**
 * Vitest keeps what a module exports in an object without a prototype, which V8 reads by hashing, in the innermost loops
 * too. An object that is a prototype itself is read as quickly as any other.
 */
const quickExports = {
  name: 'quick-exports',
  enforce: 'post' as const,
  transform: (code: string, id: string): string | undefined =>
    /\/src\/.*\.ts$/.test(id) ? `${code}\n;Object.create(__vite_ssr_exports__);\n` : undefined,
};

const UNIT = ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'];
const GPU = ['**/*.gpu.test.ts', '**/*.apart.test.ts'];
const apart = apartTests(import.meta.dirname, ['src', 'scripts', 'bench']);

/** Tests in Node; `isolate`: a process for every file. */
const inNode = (name: string, include: string[], exclude: string[], isolate: boolean): TestProjectConfiguration => ({
  plugins: [lessonYaml, quickExports],
  test: {
    name,
    include,
    exclude,
    isolate,
    environment: 'node',
    setupFiles: [...setupFiles, 'scripts/lib/propertySeed.ts'],
    // guards against hanging only: a machine may be busy with much else
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
});

/** Tests on WebGPU in a real Chromium; `isolate`: a page for every file. */
const onWebGpu = (name: string, include: string[], isolate: boolean): TestProjectConfiguration => ({
  test: {
    name,
    include,
    setupFiles,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    isolate,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: {
          ...(chromium ? { executablePath: chromium } : {}),
          args: [
            '--no-sandbox',
            '--enable-unsafe-webgpu',
            '--disable-background-networking',
            '--disable-component-update',
            '--disable-sync',
            '--disable-quic',
            '--no-first-run',
            // on few cores, memory that threads of their own clean up costs more than it saves
            '--js-flags=--single-threaded',
          ],
        },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
});

/**
 * `unit` and `unit-apart` run in Node; `gpu` runs *.gpu.test.ts on real WebGPU in a real Chromium
 * (a software adapter where the machine has no GPU).
 */
export default defineConfig({
  test: {
    // by default one core is left idle, which is every second one of a small machine
    maxWorkers: '100%',
    sequence: { sequencer: LongestFirst },
    // a guard against hanging, too; only here is it read
    browser: { connectTimeout: 600_000 },
    projects: [
      // what replaces modules for itself has a process of its own
      inNode('unit-apart', apart, GPU, true),
      inNode('unit', UNIT, [...GPU, ...apart], false),
      // the built site in other browsers, and the command line in another runtime (scripts/engines.mjs)
      {
        plugins: [lessonYaml],
        test: {
          name: 'engines',
          include: ['e2e/engines/*.test.ts'],
          setupFiles,
          testTimeout: 1_200_000,
          hookTimeout: 600_000,
        },
      },
      // one page for all files: the device and its compiled kernels serve them all (src/gpu/testDevice.ts)
      onWebGpu('gpu', ['src/**/*.gpu.test.ts', 'bench/**/*.gpu.test.ts'], false),
      // tests that add to a registry: what the others have loaded stands in their way, so each has a page of its own
      onWebGpu('gpu-apart', ['src/**/*.apart.test.ts'], true),
    ],
  },
});
