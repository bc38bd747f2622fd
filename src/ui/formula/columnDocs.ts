import { columnNames, columnOf } from '../../contract/columns.ts';

/**
 * What each column of a batch holds. The table of columns in the built page has no texts, because most visits never read
 * them; there this file holds the texts alone (scripts/lib/pageWords.ts).
 */
export const columnDocs: Readonly<Record<string, string>> = Object.fromEntries(
  columnNames.map((name) => [name, columnOf(name).doc]),
);
