import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import { defaultsOf } from '../core/settings.ts';
import type { Family } from './ladder.ts';
import { environments } from './registry.ts';
import type { Environment } from './types.ts';

const PAGE = join(import.meta.dirname, '../../docs/difficulty.md');

const HEAD = `# Levels of rising difficulty

On the level “families of rising difficulty” of an environment (\`ladder\`), a level is a row in the table of a family: a
generator with its knobs, from the easiest row to the hardest, at most 30. Families share the environment, the actions, the
step limit and the size of what is seen: small maps are framed by wall, and texts have room for the longest. So one policy
meets all of them in one batch, and a table of states is refused.

Tasks drawn evenly come from all rows of all families alike, and so do evaluations, whatever the task source plays.
**SCALER** (\`--set source.method=scaler\`) keeps a difficulty for each family, a number between two rows. A few families
share a batch until they leave, or all of them do, and those whose difficulty rises get more tasks
(\`--set source.scaler.choose=progress\`, the weights of the released code).

The tables are written from the code by \`npx vitest run --project 'unit*' src/envs/ladderTable.test.ts -u\`, and a test keeps
them true.
`;

const TAIL = `## Knobs of the text-maze beside the tables

Generated mazes have two more knobs, which lessons on search agents ask for:

- **Truthful rooms** (\`truthful\`, AgentGL): each room tells its exits truly with probability q; the others tell every exit and
  locked door one quarter turn clockwise. \`growBy: trust\` with \`growEvery\` begins with goals in the third of the rooms whose
  neighbors may be trusted most, then two thirds, then all: the lower end of the Wilson interval of the share of truthful
  neighbors, plus 0.05·ln(1 + degree)/ln(1 + largest degree). Evaluations play the whole task.
- **What matters lies** (\`dispersion\`, REDSearcher): of 16 drawings of a seed the one whose mean distance between start, keys,
  item and goal is least, ninth or greatest. \`loops\` is the other measure, topology: ways beyond a tree.
`;

/** A row as the settings that it changes. */
const rowOf = (row: Family['rows'][number], shared: readonly string[]): string =>
  Object.entries(row)
    .filter(([name]) => !shared.includes(name))
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

function tableOf({ id, title, rows }: Family, k: number): string {
  const names = Object.keys(rows[0]!);
  const shared = names.filter((name) => rows.every((row) => row[name] === rows[0]![name]));
  const fixed = shared.map((name) => `${name} ${String(rows[0]![name])}`).join(', ');
  const lines = rows.map((row, d) => `| ${d} | ${rowOf(row, shared)} |`);
  return `### ${k + 1}. ${title} (\`${id}\`)\n\nAlways: ${fixed}.\n\n| row | changes |\n| --- | --- |\n${lines.join('\n')}\n`;
}

function sectionOf(env: Environment): string {
  const families = env.families!({ ...defaultsOf(env.settings), level: 'ladder' });
  return `## ${env.title}\n\n${families.map(tableOf).join('\n')}`;
}

test('the page of difficulties is what the tables say; -u writes it', async () => {
  const made = `${HEAD}\n${environments.map(sectionOf).join('\n')}\n${TAIL}`;
  const formatted = await format(made, { parser: 'markdown', printWidth: 120, proseWrap: 'preserve' });
  expect(environments.length).toBeGreaterThan(2);
  await expect(formatted).toMatchFileSnapshot(PAGE);
});
