import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { expect, test } from 'vitest';
import type { SourceLevel } from '../contract/module.ts';
import { defaultsOf } from '../core/settings.ts';
import { slots, type Module, type Slot } from './slots.ts';

const SRC = join(import.meta.dirname, '..');
const PAGE = join(SRC, '../docs/methods.md');

/** What was read to write a method, from its specification: the weakest claim that is true. */
const TRUST: Readonly<Record<SourceLevel, string>> = {
  code: 'code',
  text: 'paper',
  digest: 'descriptions',
  abstract: 'abstract',
  restated: 'restated',
  textbook: 'textbook',
};

const HEAD = `# Methods and their papers

Every method of the lab that follows a source, in the order of an update. The table is written from the records of the
methods by \`npx vitest run --project 'unit*' src/config/methodsTable.test.ts -u\`, and a test keeps it true.

_Backend_: with default settings, a run on WebGPU computes a method without reading batches back, or reads each batch back
and computes it on the CPU (_CPU_). The TypeScript function is the definition in both cases. Objectives that look at whole
minibatches still wait for the CPU, and with a rollout marked _CPU_ the whole run trains there.

_Trust_ says what was read to write the method, no more:

- _code_: the authors' or a widely used implementation, besides the paper;
- _paper_: the paper's own text about the method;
- _descriptions_: descriptions by others that agree with each other;
- _abstract_: nothing beyond the abstract, so details are ours;
- _restated_: only the abstract, and the formula itself is ours, made from it;
- _textbook_: common knowledge of the field.

_Test_ is the file that names the method first: that of the method where there is one. Most estimators and objectives are
also held to golden values (\`npm run conformance\`).
`;

const tests = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.test.ts') && !name.endsWith('methodsTable.test.ts'))
  .sort()
  .map((name) => ({ name, text: readFileSync(join(SRC, name), 'utf8') }));

/** The test of a method: its own file, else one of its slot that names it, else any. */
function testOf({ id }: Module, slot: Slot): string | null {
  const names = new RegExp(`['"./]${id}(\\.ts)?['"]|\\b${slot.id}\\.${id}\\b|\\b${id}[,:(. ]`);
  const own = tests.filter(({ name }) => name.endsWith(`/${slot.id}/${id}.test.ts`));
  const near = tests.filter(({ name, text }) => name.startsWith(`slots/${slot.id}/`) && names.test(text));
  const any = tests.filter(({ text }) => new RegExp(`\\b${id}\\b`).test(text));
  return [...own, ...near, ...any][0]?.name ?? null;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

function rowOf(module: Module, slot: Slot): string {
  const { title, source, readsBack, params, isCpuOnly } = module;
  const { title: paper, arxiv, level } = source!;
  const link = arxiv ? `[${cell(paper)}](https://arxiv.org/abs/${arxiv})` : cell(paper);
  const backend = isCpuOnly || (slot.computes && readsBack?.(defaultsOf(params), false)) ? 'CPU' : 'CPU, WebGPU';
  const file = testOf(module, slot);
  return `| ${cell(title)} | ${slot.title} | ${link} | ${backend} | ${TRUST[level]} | ${file ? `\`src/${file}\`` : '–'} |`;
}

/** Modules of a slot that are offered and follow a source. */
const followed = ({ modules, stack = [] }: Slot): readonly Module[] =>
  [...modules, ...stack].filter(({ source, withheld }) => source && withheld === undefined);

test('the page of all methods is what their records say; -u writes it', async () => {
  const rows = slots.flatMap((slot) => followed(slot).map((module) => rowOf(module, slot)));
  expect(rows.length).toBeGreaterThan(60);
  const table = [
    '| method | slot | paper | backend | trust | test |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ];
  const made = `${HEAD}\n${table.join('\n')}\n`;
  const formatted = await format(made, { parser: 'markdown', printWidth: 120, proseWrap: 'preserve' });
  await expect(formatted).toMatchFileSnapshot(PAGE);
});

test('every method with a source is named by a test', () => {
  const without = slots.flatMap((slot) => followed(slot).filter((module) => testOf(module, slot) === null));
  expect(without.map(({ id }) => id)).toEqual([]);
});
