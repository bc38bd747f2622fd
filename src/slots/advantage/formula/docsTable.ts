import type { Operation, Parameter } from './types.ts';

/** How an operation is written: its sign between two sides, or its name with its parameters and what they are if left out. */
export function signatureOf({ name, parameters }: Operation): string {
  if (name === 'negative') return '−x';
  if (name === 'where') return 'where(condition, a, b)';
  if (!/^\p{L}/u.test(name)) return `x ${name} y`;
  return `${name}(${parameters.map(parameterText).join(', ')})`;
}

function parameterText({ name, words, default: standard, isMany }: Parameter): string {
  if (words) return `${name}: ${words.join(' | ')}`;
  return `${name}${isMany ? ' …' : ''}${standard === undefined ? '' : ` = ${standard}`}`;
}

const GROUPS: readonly (readonly [Operation['group'], string])[] = [
  ['arithmetic', 'Arithmetic, on numbers and columns'],
  ['time', 'Along an episode'],
  ['comparison', 'Comparing within groups'],
  ['sets', 'Sets of steps'],
  ['batch', 'What the batch knows'],
];

/** A name that does not end a cell of a table. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The tables of the docs page, as Markdown. */
export function operationTables(operations: readonly Operation[]): string {
  return GROUPS.map(([group, title]) => {
    const rows = operations
      .filter((operation) => operation.group === group)
      .map((o) => `| \`${cell(signatureOf(o))}\` | ${o.doc} | \`${cell(o.example)}\` |`);
    return [`### ${title}`, '', '| operation | what it gives | example |', '| --- | --- | --- |', ...rows].join('\n');
  }).join('\n\n');
}
