// node scripts/study.mjs credit-fidelity | stability | environments | rewards | curricula | boxoban | horizon | boards | echo | keys: measures a study and writes its tables into docs/studies.
import { runCli } from './lib/cli.mjs';

process.exitCode = await runCli('study', process.argv.slice(2));
