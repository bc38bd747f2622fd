// node scripts/study.mjs credit-fidelity: the tables of docs/studies/credit-fidelity.md.
import { runCli } from './lib/cli.mjs';

process.exitCode = await runCli('study', process.argv.slice(2));
