import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { format } from 'prettier';
import { formulaColumns } from './columns.ts';
import { operationTables } from './docsTable.ts';
import { faultText, readFormula } from './formula.ts';
import { library } from './library.ts';
import { operations } from './operations.ts';
import { LIMITS } from './syntax.ts';

const PAGE = join(import.meta.dirname, '../../../../docs/credit-formulas.md');
const page = readFileSync(PAGE, 'utf8');
const [BEGIN, END] = [
  '<!-- operations: written by src/slots/advantage/formula/docs.test.ts -->',
  '<!-- end of operations -->',
];

test('the tables of operations are those of the language; -u writes them', async () => {
  const [before, rest] = page.split(BEGIN);
  const after = rest!.split(END)[1]!;
  const made = `${before}${BEGIN}\n\n${operationTables(operations)}\n\n${END}${after}`;
  const formatted = await format(made, { parser: 'markdown', printWidth: 120, proseWrap: 'preserve' });
  await expect(formatted).toMatchFileSnapshot(PAGE);
});

test('every formula of the page can be read', () => {
  const blocks = page.split(/^```/m).filter((_, k) => k % 2 === 1);
  // those without the name of another language
  const texts = blocks.filter((block) => block.startsWith('\n'));
  expect(texts.length).toBeGreaterThan(5);
  for (const text of texts) {
    const reading = readFormula(text);
    expect(reading.ok ? '' : faultText(text, reading.faults[0])).toBe('');
  }
});

test('numbers and columns that the page tells are true', () => {
  expect(page).toContain(`writes ${Object.keys(library).length} of the built-in estimators`);
  expect(page).toContain(
    `${LIMITS.characters.toLocaleString('en')} characters, ${LIMITS.nodes} pieces and ${LIMITS.depth} open`,
  );
  const columns = page
    .replaceAll(/\s+/g, ' ')
    .split('Columns are those of the batch:')[1]!
    .split('A formula that reads')[0]!;
  const named = [...columns.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  const known = formulaColumns.map(({ name }) => name as string);
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  const onDevice = page.replaceAll(/\s+/g, ' ').split('if it reads nothing but')[1]!.split('and sets')[0]!;
  const told = [...onDevice.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
  expect(told.sort()).toEqual(formulaColumns.flatMap(({ name, onGpu }) => (onGpu ? [name as string] : [])).sort());
});
