// node scripts/study.mjs credit-fidelity | stability: the tables of docs/studies.
import { runCli } from './lib/cli.mjs';

process.exitCode = await runCli('study', process.argv.slice(2));
