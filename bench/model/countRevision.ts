import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Counted } from './count.ts';

/** The words of a process, run in a folder. */
const run = (folder: string, command: string, words: readonly string[]): string =>
  execFileSync(command, words, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Bundles what counts and runs it there: the engine of that tree, and the cases and the device of this one. */
const COUNT = `
import { runCli } from './scripts/lib/cli.mjs';
process.exitCode = await runCli('countMain', [], 'bench/model/countMain.ts');
`;

/**
 * What the updates of another revision hand to a device: its tree is checked out beside this one for as long as it takes,
 * with this folder in place of its own, so that both are counted in the same way. Fails with a sentence.
 */
export function countRevision(root: string, revision: string): Counted[] {
  const folder = mkdtempSync(join(tmpdir(), 'model-'));
  const tree = join(folder, 'tree');
  try {
    try {
      run(root, 'git', ['worktree', 'add', '--detach', tree, revision]);
    } catch (error) {
      const why = error instanceof Error ? error.message.trim().split('\n').at(-1) : String(error);
      throw new Error(
        `The revision ${revision} could not be checked out (${why}). --before takes a revision of this repository or a file of --json.`,
      );
    }
    // links inside: the packages stay where they are when the tree goes
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    const own = join(tree, 'bench', 'model');
    rmSync(own, { recursive: true, force: true });
    cpSync(join(root, 'bench', 'model'), own, { recursive: true });
    writeFileSync(join(tree, 'countModel.mjs'), COUNT);
    const told = run(tree, process.execPath, ['countModel.mjs']);
    return JSON.parse(told.slice(told.indexOf('['))) as Counted[];
  } finally {
    if (existsSync(tree)) run(root, 'git', ['worktree', 'remove', '--force', tree]);
    if (readdirSync(folder).length === 0 || !existsSync(tree)) rmSync(folder, { recursive: true, force: true });
  }
}
