// npm run conformance: golden files against the definitions.
import { runCli } from './lib/cli.mjs';

process.exitCode = await runCli('conformance', process.argv.slice(2));
