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
  // training keeps one core busy while the page of a test mostly waits
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: { viewport: { width: 1280, height: 800 }, trace: 'off', screenshot: 'only-on-failure' },
  projects: [
    {
      name: 'cpu',
      testIgnore: '**/*.gpu.spec.ts',
      use: launch(['--disable-features=WebGPU,WebGPUService', '--disable-gpu']),
    },
    { name: 'gpu', testMatch: '**/*.gpu.spec.ts', use: launch(['--enable-unsafe-webgpu']) },
  ],
});
