// node scripts/memory.mjs: what a run of 10,000 updates holds, the figures of docs/benchmarks.md.
import { runCli } from './lib/cli.mjs';

process.exitCode = await runCli('memory', process.argv.slice(2));
