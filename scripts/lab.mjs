// npm run lab: the engine without a browser.
import { runCli } from './lib/cli.mjs';

process.exitCode = await runCli('lab', process.argv.slice(2));
