/** One table of a document, every cell as it is written there. */
export type Table = { readonly title: string; readonly columns: readonly string[]; readonly rows: readonly string[][] };

/** A heading and the table under it, padded as the formatter of the project would. */
export function written({ title, columns, rows }: Table, level: '##' | '###' = '###'): string {
  const width = columns.map((name, k) => Math.max(3, name.length, ...rows.map((row) => row[k]!.length)));
  const line = (cells: readonly string[]): string => `| ${cells.map((c, k) => c.padEnd(width[k]!)).join(' | ')} |`;
  const rule = `| ${width.map((w) => '-'.repeat(w)).join(' | ')} |`;
  return [`${level} ${title}`, '', line(columns), rule, ...rows.map(line)].join('\n');
}

/** Rows that are missing, as a sentence; none where all are there. */
export const notYet = (titles: readonly string[]): string[] =>
  titles.length > 0 ? [`Not measured yet: ${titles.join('; ')}.`] : [];

/** The tables of a document, each named by the heading above it. */
export function tablesOf(text: string): Table[] {
  const found: Table[] = [];
  let title = '';
  let lines: string[][] = [];
  const close = (): void => {
    if (lines.length > 2) found.push({ title, columns: lines[0]!, rows: lines.slice(2) });
    lines = [];
  };
  for (const line of [...text.split('\n'), '']) {
    if (line.startsWith('|')) {
      lines.push(
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
      continue;
    }
    close();
    const heading = /^#+ (.*)$/.exec(line);
    if (heading) title = heading[1]!;
  }
  return found;
}

const START = '<!-- measured';
const END = '<!-- end of measured -->';

/** A document with another text between its marks. */
export function withMeasured(document: string, measured: string): string {
  const [start, end] = bounds(document);
  return `${document.slice(0, start)}\n\n${measured.trim()}\n\n${document.slice(end)}`;
}

/** What stands between the marks. */
export const measuredOf = (document: string): string => document.slice(...bounds(document)).trim();

function bounds(document: string): [from: number, to: number] {
  const mark = document.indexOf(START);
  const start = document.indexOf('-->', mark) + 3;
  const end = document.indexOf(END);
  if (mark < 0 || end < start) throw new Error(`The document needs the marks "${START} … -->" and "${END}".`);
  return [start, end];
}
