// node scripts/gallery.mjs [PRESET …]: trains the experiments of the gallery and writes the pictures that it shows.
import { runCli } from './lib/cli.mjs';

process.exitCode = await runCli('gallery', process.argv.slice(2));
