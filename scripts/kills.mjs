// npm run kills: kills a browser again and again, at random moments of a comparison and while it writes checkpoints of a
// run. Not part of npm test, which makes fewer of these kills.
//
//   npm run kills -- [20] [--seed 1] [--no-build]
import { parseArgs } from 'node:util';
import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { tool } from './lib/process.mjs';

const HOUR = 3_600_000;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, 'no-build': { type: 'boolean', default: false } },
});
const [count = '20'] = positionals;
if (positionals.length > 1 || !/^[1-9]\d{0,3}$/.test(count) || !/^\d{1,9}$/.test(values.seed)) {
  console.error('Usage: npm run kills -- [how many, 20 if not said] [--seed NUMBER] [--no-build]');
  process.exit(1);
}
await ensureInstalled();
process.env.CHROMIUM_PATH = await ensureChromium();
if (!values['no-build'] && (await tool('vite', ['build', '--logLevel', 'warn'])).code !== 0) process.exit(1);
const env = {
  ...{ KILLS: count, KILLS_SEED: values.seed, POWER_CUTS: count, POWER_CUTS_SEED: values.seed },
  PLAYWRIGHT_LIST_PRINT_STEPS: '1',
};
const files = ['e2e/kills.spec.ts', 'e2e/powerCuts.spec.ts'];
const words = ['test', ...files, '--project', 'cpu', '--workers', '1', '--reporter', 'list'];
process.exitCode = (await tool('playwright', words, { env, timeoutMs: HOUR })).code;
