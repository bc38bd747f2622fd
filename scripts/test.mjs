// npm test: installs what is missing, finds or installs a Chromium and a Redis, then runs every check there is.
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { runSteps, writeSummary } from './lib/report.mjs';
import { build, e2e, format, lint, sizes, types, vitest } from './lib/steps.mjs';
import { ensureRedis } from './redis.mjs';

async function main() {
  // Whoever reads the summary of a run that broke off must find a failure.
  writeSummary({ passed: 0, failed: 1, skipped: 0 });
  await ensureInstalled();
  process.env.CHROMIUM_PATH = await ensureChromium();
  console.log(`Chromium: ${process.env.CHROMIUM_PATH}`);
  const redis = await ensureRedis();
  // without it the tests of queues are skipped, each with this reason in its name
  if (redis.path) process.env.REDIS_SERVER = redis.path;
  console.log(redis.path ? `Redis: ${redis.path}` : `Tests of queues are skipped: ${redis.problem}.`);
  return runSteps([
    types,
    lint,
    format,
    // one page for all kernels leaves most of a core idle where the adapter is software
    [vitest('unit', ['unit']), vitest('kernels on WebGPU', ['gpu', 'gpu-apart'], { isBeside: true })],
    build,
    sizes,
    e2e,
  ]);
}

main().then(
  (failed) => {
    process.exitCode = failed > 0 ? 1 : 0;
  },
  (error) => {
    console.error(error.message);
    console.log('0 passed, 1 failed');
    process.exitCode = 1;
  },
);
