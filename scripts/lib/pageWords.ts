import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';
import { columnNames, columnOf } from '../../src/contract/columns.ts';
import { nodesIn, propertiesNamed, propertiesOf, type Node, type Property } from './pageRecords.ts';

/** Modules whose records carry help texts: methods, and the settings of all slots. */
const RECORD =
  /[\\/]src[\\/](slots[\\/](?!metrics[\\/]).+|config[\\/](\w+Settings|slots)|envs[\\/](common|\w+[\\/]settings)|networks[\\/].+)\.ts$/;
const METRICS = /[\\/]src[\\/]slots[\\/]metrics[\\/](\w*[mM]etrics|measures|batchMeasures|chosen[\\/]\w+)\.ts$/;
/** The columns of a batch: what they hold is said to whoever reads the code. */
const COLUMNS = /[\\/]src[\\/]contract[\\/](columnTable|updateColumns|signals)\.ts$/;
/** Save for who writes a formula: the texts alone, in a file that comes with the editor. */
const COLUMN_DOCS = /[\\/]src[\\/]ui[\\/]formula[\\/]columnDocs\.ts$/;
const columnDocs = (): string =>
  JSON.stringify(Object.fromEntries(columnNames.map((name) => [name, columnOf(name).doc])));
const LIST = /[\\/]src[\\/]config[\\/]words[\\/]list\.ts$/;
const HELP: ReadonlySet<string> = new Set(['doc', 'look', 'also']);
const FORMULA: ReadonlySet<string> = new Set(['formula']);
/** The names of the options of a setting, one text for all. */
const OPTIONS: ReadonlySet<string> = new Set(['optionLabels']);
const PRINT: ReadonlySet<string> = new Set(['on', 'paper', 'code', 'lab']);
/** A text that is written out, and says something. */
const isText = (node: Node): node is Text =>
  node.type === 'Literal' && typeof node['value'] === 'string' && node['value'] !== '';
type Text = Node & { readonly value: string };

/** The names of options, where they are written out. */
function namesIn({ type, elements }: Node): readonly string[] | null {
  const names = type === 'ArrayExpression' ? (elements as readonly Node[]) : [];
  return names.length > 0 && names.every(isText) ? names.map((name) => (name as Text).value) : null;
}

/** Stands for the list until every module has been read. */
const PLACE = '__PAGE_WORDS__';

/** A private character that no text has; see config/words/wordsOf.ts. */
export const MARK = '\uE000';
const KEY = new RegExp(`(?:${MARK}|\\\\u[eE]000)([0-9a-f]{12})`, 'g');

/** Where a method comes from, as JSON; in a record it is written out. */
function paperIn({ properties, start, end }: Node, code: string): string {
  const entries = (properties as readonly Property[]).map(({ key, value }) => {
    if (!isText(value)) throw new Error(`A source is not written out: ${code.slice(start, end)}`);
    return [key.name!, value.value] as const;
  });
  return JSON.stringify(Object.fromEntries(entries));
}

/**
 * The code of a module with a mark and a key in place of each help text, and of formula and source of a method.
 * @param program the syntax tree of `code`
 * @param found the texts by their keys; those of this module are added
 */
export function withMarks(code: string, program: unknown, found: Map<string, string>): string {
  let [light, at] = ['', 0];
  const records = [...propertiesOf(program)];
  const formulas = records.filter(({ key }) => FORMULA.has(key.name ?? ''));
  const papers = records.filter(({ key, value }) => key.name === 'source' && value.type === 'ObjectExpression');
  const prints = records.filter(({ key }) => key.name === 'finePrint').map(({ value }) => value);
  const shown = [...propertiesNamed(program, HELP), ...formulas, ...propertiesNamed(prints, PRINT)];
  const marks = [
    ...shown.filter(({ value }) => isText(value)).map(({ value }) => ({ value, text: (value as Text).value })),
    // a paper goes as a whole; its title stands for it
    ...papers.map(({ value }) => ({ value, text: paperIn(value, code) })),
    // so do the names of options: the first stands for all
    ...[...propertiesNamed(program, OPTIONS)].flatMap(({ value }) => {
      const names = namesIn(value);
      return names ? [{ value, text: JSON.stringify(names) }] : [];
    }),
  ];
  marks.sort((a, b) => a.value.start - b.value.start);
  for (const { value, text } of marks) {
    const key = createHash('sha256').update(text).digest('hex').slice(0, 12);
    found.set(key, text);
    const mark = `"${MARK}${key}"`;
    const inPlace = { ObjectExpression: `{ title: ${mark} }`, ArrayExpression: `[${mark}]` }[value.type] ?? mark;
    light += code.slice(at, value.start) + inPlace;
    at = value.end;
  }
  return light + code.slice(at);
}

/**
 * The code of a chunk, with the place in the list for each key, and the list where it belongs. Modules are read in any
 * order, so places are given when all texts are known: equal sources make equal files.
 */
export function withPlaces(chunk: string, found: ReadonlyMap<string, string>): string {
  const keys = [...found.keys()].sort();
  const list = JSON.stringify(keys.map((key) => found.get(key)));
  return chunk.replace(KEY, (_, key: string) => MARK + keys.indexOf(key).toString(36)).replace(PLACE, () => list);
}

/** What a worker does not even ask of a record: what is shown beside its name. */
const SHOWN: ReadonlySet<string> = new Set(['formula', 'source', 'caption', 'finePrint']);
/** What only a form shows of a setting. */
const OF_FIELDS: ReadonlySet<string> = new Set(['formula', 'optionLabels', 'unit']);
/** The records of the worlds, and what only the page asks of them. */
const WORLDS = /[\\/]src[\\/]envs[\\/](\w+)[\\/]\1\.ts$/;
const OF_WORLDS: ReadonlySet<string> = new Set(['editor', 'published']);

/** What a module gives to `settings`: records of settings, with the symbols that formulas have for them. */
const settingsIn = (program: unknown): unknown[] =>
  [...nodesIn(program)]
    .filter((node) => (node['callee'] as { name?: string } | undefined)?.name === 'settings')
    .map((node) => node['arguments']);

/**
 * The code of a module without its help texts and without what else is only shown.
 * @param program the syntax tree of `code`
 * @param others properties that go wherever they stand
 */
export function withoutWords(code: string, program: unknown, others: ReadonlySet<string> = new Set()): string {
  const empty = [...propertiesNamed(program, HELP)]
    .filter(({ value }) => isText(value))
    .map(({ value: { start, end } }) => ({ start, end, by: '""' }));
  const known = [...propertiesOf(program)].filter(({ key }) => SHOWN.has(key.name ?? ''));
  const symbols = [...propertiesNamed(settingsIn(program), OF_FIELDS)];
  const shown = [...known, ...symbols, ...propertiesNamed(program, others)].map(({ start, end }) => ({
    start,
    end,
    by: '...{}',
  }));
  let [light, at] = ['', 0];
  for (const { start, end, by } of [...empty, ...shown].sort((a, b) => a.start - b.start)) {
    light += code.slice(at, start) + by;
    at = end;
  }
  return light + code.slice(at);
}

/** A worker shows nothing: its records carry no help texts. */
export const workerWords: Plugin = {
  name: 'worker-words',
  apply: 'build',
  enforce: 'post',
  transform(code, id) {
    if (WORLDS.test(id)) return { code: withoutWords(code, this.parse(code), OF_WORLDS), map: null };
    if (![RECORD, METRICS, COLUMNS].some((files) => files.test(id))) return null;
    return { code: withoutWords(code, this.parse(code)), map: null };
  },
};

/** Help texts load with the form that shows them, not before the first paint. */
export function pageWords(): Plugin {
  const found = new Map<string, string>();
  return {
    name: 'page-words',
    apply: 'build',
    enforce: 'post',
    load(id) {
      if (COLUMN_DOCS.test(id)) return `export const columnDocs = ${columnDocs()};`;
      return LIST.test(id) ? `export const words = ${PLACE};` : null;
    },
    transform(code, id) {
      if (COLUMNS.test(id)) return { code: withoutWords(code, this.parse(code)), map: null };
      if (!RECORD.test(id)) return null;
      return { code: withMarks(code, this.parse(code), found), map: null };
    },
    renderChunk: (code) => ({ code: withPlaces(code, found), map: null }),
  };
}
