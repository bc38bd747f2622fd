import { defineConfig } from '@playwright/test';
import { findChromium } from './scripts/chromium.mjs';

const chromium = await findChromium();

/** Quiet: no background traffic, no first-run pages; the sandbox cannot start as root. */
const QUIET = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/**
 * Compiling and collecting on threads beside the page's own costs up to a quarter of the processor time of a test and
 * gains nothing, as pages of other tests keep the cores busy. What is promised in seconds is measured as people have it.
 */
const ALONE = '--js-flags=--single-threaded';

const WITHOUT_GPU = ['--disable-features=WebGPU,WebGPUService', '--disable-gpu'];

/** What the page promises in milliseconds or seconds: one file, and so one test at a time, after all others. */
const TIMED = '**/timed.spec.ts';

const launch = (args: readonly string[]) => ({
  launchOptions: { ...(chromium ? { executablePath: chromium } : {}), args: [...QUIET, ...args] },
});

/**
 * The production build with its real headers (e2e/fixtures.ts serves it). `cpu` has no WebGPU and so takes the CPU
 * path; `gpu` has WebGPU, in software where the machine has no GPU. No retries: a test that passes the second time
 * is a bug.
 */
export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  // a test waits for its page half of the time: three keep two cores busy; what is timed runs alone
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // long enough for a machine that does much else at the time; what is promised in seconds says so in its test
  timeout: 900_000,
  expect: { timeout: 240_000 },
  use: {
    viewport: { width: 1280, height: 800 },
    // what never comes fails as early as an expectation, not at the end of the test
    actionTimeout: 240_000,
    // else the episode on the stage moves with the clock while a run trains, and no step of it can be named
    contextOptions: { reducedMotion: 'reduce' },
    // a site that a service worker keeps does not ask the network, and tests of that would see nothing
    serviceWorkers: 'block',
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    {
      name: 'cpu',
      testIgnore: ['**/*.gpu.spec.ts', '**/engines/**', TIMED],
      use: launch([...WITHOUT_GPU, ALONE]),
    },
    { name: 'timed', testMatch: TIMED, dependencies: ['cpu', 'gpu'], use: launch(WITHOUT_GPU) },
    { name: 'gpu', testMatch: '**/*.gpu.spec.ts', use: launch(['--enable-unsafe-webgpu', ALONE]) },
  ],
});
