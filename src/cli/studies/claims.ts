import { measuredOf, tablesOf, type Table } from './tables.ts';

/**
 * What the sentences of a study say, as data beside them: after every paragraph that draws a conclusion stands
 *
 *   <!-- claims
 *   Key and door | HGPO @ updates, matched ~ GiGPO @ updates, matched
 *   given: 0.05
 *   -->
 *
 * A line names a table by the beginning of its heading and compares cells (row @ column) with cells or numbers:
 *
 *   a << b, a >> b   apart: no number of the one interval reaches the other
 *   a ~ b            not apart
 *   a = text         the cell begins with, or its count is, this text
 *   a <= x, a >= x   the number in front of the interval
 *   a lowest, a highest   the number is the least or the greatest of its column, others may be equal
 *
 * A column with " p" behind it means the p that stands in its cells.
 *
 * `given:` lists the numbers of a paragraph that are no results: settings, and what another command or test shows.
 */
export type Claims = { readonly text: string; readonly lines: readonly string[] };

/** A number of a cell with its interval; a single number is its own interval; `count`: "12 of 16" after it. */
type Cell = { readonly text: string; readonly value: number; readonly low: number; readonly high: number };

/** All that is wrong with the claims of a document, as sentences; empty where every one of them holds. */
export function wrongClaims(document: string): string[] {
  const tables = tablesOf(document);
  return paragraphs(document).flatMap(({ text, lines }) => [
    ...lines.filter((line) => !line.startsWith('given:')).flatMap((line) => wrongLine(tables, line) ?? []),
    ...undeclared(tables, text, lines),
  ]);
}

/** Paragraphs and list items under headings of the second level, but for what was measured, each with its claims. */
export function paragraphs(document: string): Claims[] {
  const around = document.replace(measuredOf(document), '').replaceAll(/<!-- (?:measured|end of measured).*?-->/g, '');
  const text = around.slice(around.indexOf('\n## '));
  const blocks = text.split(/\n\s*\n|\n(?=- )/).map((block) => block.trim());
  return blocks
    .filter((block) => block !== '' && !block.startsWith('#'))
    .map((block) => {
      const comment = /<!-- claims\n([\s\S]*?)-->/.exec(block);
      return {
        text: block
          .replace(/<!--[\s\S]*?-->/g, '')
          .replaceAll(/\s+/g, ' ')
          .trim(),
        lines: (comment?.[1] ?? '')
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
      };
    });
}

/** Numbers of a paragraph that no claim carries, and rows that it names without a claim about them. */
function undeclared(tables: readonly Table[], text: string, lines: readonly string[]): string[] {
  const begin = `“${text.slice(0, 60)}…”`;
  if (lines.length === 0) return [`${begin} has no claims.`];
  const said = lines.join('\n');
  const plain = text.replaceAll(/`[^`]*`|\]\([^)]*\)|arXiv [\d.]+/g, ' ');
  const numbers = [...plain.matchAll(/(?<![\w.])[-−+]?\d+(?:\.\d+)?/g)].map((m) => m[0].replace('−', '-'));
  const known = new Set([...said.matchAll(/(?<![\w.])[-+]?\d+(?:\.\d+)?/g)].map((m) => m[0]));
  const names = new Set(tables.flatMap(({ rows }) => rows.map((row) => row[0]!)));
  const isNamed = (name: string, where: string): boolean =>
    new RegExp(`(?<![\\w-])${name.replaceAll(/[.+*()[\]]/g, String.raw`\$&`)}(?![\\w-])`).test(where);
  return [
    ...numbers.filter((x) => !known.has(x)).map((x) => `${begin} says ${x}, and no claim does.`),
    ...[...names]
      .filter((name) => isNamed(name, plain) && !said.includes(name))
      .map((n) => `${begin} claims nothing about ${n}.`),
  ];
}

const RELATION = / (<<|>>|~|=|<=|>=) | (lowest|highest)$/;

/** Why a line does not hold; null where it does. */
function wrongLine(tables: readonly Table[], line: string): string | null {
  const [place, claim] = line.split(' | ', 2) as [string, string?];
  const table = tables.find(({ title }) => title.startsWith(place));
  const found = claim === undefined ? null : RELATION.exec(claim);
  if (!table || !claim || !found) return `“${line}” names no table or no relation.`;
  const left = cellOf(table, claim.slice(0, found.index));
  if (!left) return `“${line}”: there is no cell “${claim.slice(0, found.index)}”.`;
  if (found[2] !== undefined)
    return isExtreme(table, claim, left, found[2]) ? null : `${place}: ${left.text} is not the ${found[2]}: “${line}”.`;
  const rest = claim.slice(found.index + found[0].length);
  const right = rest.includes(' @ ') ? cellOf(table, rest) : numberOf(rest);
  if (!right) return `“${line}”: there is no cell “${rest}”.`;
  return holds(left, found[1]!, right) ? null : `${place}: ${left.text} against ${right.text} is not “${claim}”.`;
}

function isExtreme(table: Table, claim: string, cell: Cell, which: string): boolean {
  const column = table.columns.indexOf(/ @ (.*) \w+$/.exec(claim)![1]!);
  const all = table.rows.map((row) => numberOf(row[column]!)?.value ?? NaN).filter((x) => !Number.isNaN(x));
  return cell.value === (which === 'lowest' ? Math.min(...all) : Math.max(...all));
}

function holds(left: Cell, relation: string, right: Cell): boolean {
  switch (relation) {
    case '<<':
      return left.high < right.low;
    case '>>':
      return left.low > right.high;
    case '~':
      return left.high >= right.low && left.low <= right.high;
    case '<=':
      return left.value <= right.value;
    case '>=':
      return left.value >= right.value;
    default:
      return left.text.split(/ \[|\], |, /).includes(right.text);
  }
}

function cellOf(table: Table, name: string): Cell | null {
  const [row, column] = name.split(' @ ', 2) as [string, string?];
  const cells = table.rows.find((r) => r[0] === row);
  const isP = column?.endsWith(' p') ?? false;
  const at = table.columns.indexOf(isP ? column!.slice(0, -2) : (column ?? ''));
  if (!cells || at < 0) return null;
  return numberOf(isP ? (/, p (.*)$/.exec(cells[at]!)?.[1] ?? '') : cells[at]!);
}

/** "0.25 [0.24, 0.26], p 0.01" and "> 240, 0 of 16" as numbers; null without any. */
function numberOf(text: string): Cell | null {
  const parts = /^(> )?([-+]?[\d.]+(?:e[-+]?\d+)?)(?: \[(> )?([-+]?[\d.]+), (> )?([-+]?[\d.]+)\])?/.exec(text);
  if (!parts) return null;
  const number = (beyond: string | undefined, digits: string): number => (beyond ? Infinity : Number(digits));
  const value = number(parts[1], parts[2]!);
  const bounds = parts[4] === undefined ? [value, value] : [number(parts[3], parts[4]), number(parts[5], parts[6]!)];
  return { text, value, low: bounds[0]!, high: bounds[1]! };
}
