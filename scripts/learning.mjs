// node scripts/learning.mjs: runs the experiments of docs/learning.md and writes their curves there.
import { runCli } from './lib/cli.mjs';

process.exitCode = await runCli('learning', process.argv.slice(2));
