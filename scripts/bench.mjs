// npm run bench: ours against public peers, in one browser on one device (bench/README.md).
import { runCli } from './lib/cli.mjs';

process.exitCode = await runCli('bench', process.argv.slice(2), 'bench/main.ts');
