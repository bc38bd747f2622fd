// npm run check: what must pass before a commit. Types, lint, format, import directions, sizes.
import { ensureInstalled } from './install.mjs';
import { runSteps } from './lib/report.mjs';
import { build, format, lint, sizes, types, vitest } from './lib/steps.mjs';

async function main() {
  await ensureInstalled();
  return runSteps([types, lint, format, vitest('imports', ['unit'], { files: ['src/imports.test.ts'] }), build, sizes]);
}

main().then(
  (failed) => {
    process.exitCode = failed > 0 ? 1 : 0;
  },
  (error) => {
    console.error(error.message);
    process.exitCode = 1;
  },
);
