// npm test: installs what is missing, finds or installs a Chromium, a Redis and further engines, then runs every check there is.
import { ensureChromium } from './chromium.mjs';
import { ensureEngines } from './engines.mjs';
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
  const lacking = await ensureEngines();
  if (lacking) console.log(`Tests of engines are skipped where they need what is missing: ${lacking}.`);
  return runSteps([
    // each runs on one core for most of its time
    [types, lint, format, build],
    sizes,
    // one page for all kernels leaves most of a core idle where the adapter is software
    [vitest('unit', ['unit', 'unit-apart']), vitest('kernels on WebGPU', ['gpu', 'gpu-apart'], { isBeside: true })],
    // what is measured in seconds comes last of the browser tests, long after the other engines
    [e2e, vitest('engines', ['engines'], { isBeside: true })],
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
