import { isVerdict, takeAtif, trialOf, verdictIn, verdictsIn, type Verdict } from './atif.ts';
import { TableBuilder } from './builder.ts';
import { CsvRecords } from './csv.ts';
import { takeGeneration, takeLab, takeMessages } from './episodes.ts';
import { finish } from './finish.ts';
import { keyingOf } from './keys.ts';
import { layoutOf, layoutOfRow, layoutSentence } from './layouts.ts';
import { eachLine, firstBytes, wholeText } from './lines.ts';
import { corrected, mappingOf, ROLE_WORDS } from './roles.ts';
import { RowsReader, TurnsReader, type Cells } from './rowsReader.ts';
import type { StepTable } from './table.ts';
import type { BadLine, Found, LayoutId, LogFile, Mapping, ReadOptions, Refused } from './types.ts';
import { isFields, own, shown } from './values.ts';
import { isZip, unzipped } from './unzip.ts';

/** A log that was read. */
export type ReadLog = { readonly ok: true; readonly table: StepTable; readonly found: Found };

/** Bad lines that are kept, and bytes of a file that is one JSON value. */
const MOST_BAD = 200;
const MOST_JSON = 256 * 2 ** 20;
const MOST_FILES = 20_000;
/** Steps between two words about progress. */
const TOLD_EVERY = 20_000;
/** Names of columns that are looked at. */
const MOST_COLUMNS = 2000;

/** Reads the files of a log, one after the other, into one table. Never throws for what is in a file. */
export async function readLog(files: readonly LogFile[], options: ReadOptions = {}): Promise<ReadLog | Refused> {
  const keying = keyingOf(options.key ?? { kind: 'exact' });
  if (typeof keying === 'string') return { ok: false, sentence: keying, canLeaveOut: false, found: null };
  const reading = new Reading(new TableBuilder(keying), options);
  const sentence = await reading.files(files);
  const { bad, columns, mapping } = reading;
  const refuse = (why: string, canLeaveOut = false): Refused => ({
    ...{ ok: false, sentence: why, canLeaveOut, found: { columns, mapping, bad } },
  });
  if (sentence !== null) return refuse(sentence);
  if (bad.count > 0 && options.leavesOutBad !== true) {
    const some = reading.builder.size > 0;
    return refuse(`${badWords(bad.first, bad.count)}${some ? ' They can be left out.' : ''}`, some);
  }
  const finished = finish(reading.builder, { sharesEnds: options.sharesEnds === true, isCut: reading.isCut });
  if (!finished.ok) return refuse(finished.sentence);
  const { table, notes } = finished;
  const left = bad.count > 0 ? [`Left out: ${badWords(bad.first, bad.count)}`] : [];
  const layout = reading.layout ?? 'rows';
  return {
    ...{ ok: true, table },
    found: {
      ...{ layout, columns, mapping, bad },
      sentence: layoutSentence(layout, mapping, table.episodes, table.steps),
      notes: [...left, ...reading.notes, ...notes, ...keying.notes()],
    },
  };
}

/** Bad lines by their numbers, and why the first one is bad. */
function badWords(first: readonly BadLine[], count: number): string {
  const isSeveral = new Set(first.map(({ file }) => file)).size > 1;
  const name = ({ file, line }: BadLine): string => (isSeveral ? `${line} of ${shown(file, 40)}` : String(line));
  const lines = first.slice(0, 8).map(name).join(', ');
  const more = count > 8 ? ` and ${(count - 8).toLocaleString('en-US')} more` : '';
  const { line, why } = first[0]!;
  if (count === 1) return `Line ${lines} cannot be read: ${why}.`;
  return `Lines ${lines}${more} cannot be read; line ${line}: ${why}.`;
}

/** The state of a reading: what was recognized so far, and what could not be read. */
class Reading {
  readonly builder: TableBuilder;
  readonly bad: { count: number; first: BadLine[] } = { count: 0, first: [] };
  readonly notes: string[] = [];
  layout: LayoutId | null = null;
  columns: readonly string[] = [];
  mapping: Mapping = {};
  isCut = false;
  private readonly options: ReadOptions;
  private rows: RowsReader | null = null;
  private told = 0;
  private file = '';
  private readonly verdicts = new Map<string, Verdict>();
  /** why the log cannot be read at all, found while it was read */
  private refusal: string | null = null;

  constructor(builder: TableBuilder, options: ReadOptions) {
    this.builder = builder;
    this.options = options;
  }

  /** Null, or the sentence of why the log cannot be read at all. */
  async files(given: readonly LogFile[]): Promise<string | null> {
    if (given.length > MOST_FILES) return `These are ${given.length} files; at most ${MOST_FILES} are read at once.`;
    const files: LogFile[] = [];
    for (const file of given) {
      const inside = (await isZip(file)) ? await unzipped(file) : [file];
      if (typeof inside === 'string') return `“${shown(file.name)}” is a zip archive that cannot be read. ${inside}`;
      files.push(...inside);
    }
    const logs = files.filter(({ name }) => /\.(jsonl|ndjson|json|csv|tsv|txt|log)$/i.test(name) || files.length === 1);
    // what the lab puts into a bundle besides
    const isBundle =
      logs.some(({ name }) => /(^|\/)trajectories\.jsonl$/.test(name)) &&
      logs.some(({ name }) => /(^|\/)manifest\.json$/.test(name));
    const wanted = isBundle ? logs.filter(({ name }) => /(^|\/)trajectories\.jsonl$/.test(name)) : logs;
    for (const file of wanted) if (isVerdict(file.name)) await this.hear(file);
    const read = wanted.filter(({ name }) => wanted.length === 1 || !isVerdict(name));
    if (read.length === 0)
      return 'There is no log among these files: JSON Lines, JSON or CSV are read, alone or in a zip archive.';
    read.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const file of read) {
      if (this.isOver()) break;
      this.builder.file = read.length > 1 ? `${shown(file.name, 80)}, ` : '';
      const why = await this.one(file, read.length > 1);
      if (why !== null || this.refusal !== null) return why ?? this.refusal;
    }
    if (this.rows instanceof TurnsReader) this.rows.finish();
    return null;
  }

  private isOver(): boolean {
    return this.isCut || this.refusal !== null;
  }

  /** Rewards in a file of their own. */
  private async hear(file: LogFile): Promise<void> {
    const text = await wholeText(file, 2 ** 22);
    if (text === null) return;
    const folder = trialOf(file.name);
    const verdict = verdictIn(file.name, text);
    const before = this.verdicts.get(folder);
    if (!Number.isNaN(verdict.reward) || verdict.task !== '')
      this.verdicts.set(folder, {
        reward: Number.isNaN(verdict.reward) ? (before?.reward ?? NaN) : verdict.reward,
        task: verdict.task || (before?.task ?? ''),
      });
    if (/(^|\/)rewards\.json$/i.test(file.name))
      for (const [name, v] of verdictsIn(text)) this.verdicts.set(`#${name}`, v);
  }

  private async one(file: LogFile, isOneOfMany: boolean): Promise<string | null> {
    this.file = file.name;
    const start = new TextDecoder().decode(await firstBytes(file, 4096)).trimStart();
    if (start === '') return isOneOfMany ? null : `“${shown(file.name)}” is empty.`;
    if (start.includes('\u0000')) return `“${shown(file.name)}” is not a text: JSON Lines, JSON or CSV are read.`;
    if (/\.(jsonl|ndjson)$/i.test(file.name) || start.startsWith('{') || start.startsWith('['))
      return this.json(file, isOneOfMany);
    return this.csv(file);
  }

  /** One JSON value, or one on every line. */
  private async json(file: LogFile, isOneOfMany: boolean): Promise<string | null> {
    const isLines = /\.(jsonl|ndjson)$/i.test(file.name) || (await firstLineIsWhole(file));
    if (isLines) {
      await eachLine(file, (text, line, isWhole) => {
        if (!isWhole) this.blame(line, 'it is longer than a line may be');
        else if (text.trim() !== '') this.value(text, line);
        return !this.isOver();
      });
      return null;
    }
    const text = await wholeText(file, MOST_JSON);
    if (text === null)
      return `“${shown(file.name)}” is larger than ${MOST_JSON / 2 ** 20} MiB. Write it as JSON Lines, one record a line, and any size is read.`;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      if (!isOneOfMany)
        return `“${shown(file.name)}” is not JSON: it may be cut off, or be JSON Lines under another name.`;
      this.blame(1, 'it is not JSON');
      return null;
    }
    this.records(value, 1);
    return null;
  }

  private value(text: string, line: number): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.blame(line, 'it is not JSON');
      return;
    }
    this.records(value, line);
  }

  /** Takes in what the text of a file, or of a line of it, holds: a record, or the list of them. */
  private records(value: unknown, line: number): void {
    const list = this.layout === null ? listIn(value) : null;
    if (!list) return this.record(value, line);
    for (let k = 0; k < list.length && !this.isOver(); k++) this.record(list[k], k + 1);
  }

  /** Takes a record of any layout in; all of a log have the layout of the first. */
  private record(value: unknown, line: number): void {
    if (!isFields(value)) return this.blame(line, 'it is not an object');
    if (this.layout === null) {
      this.layout = layoutOf(value);
      if (this.layout === 'rows' || this.layout === 'turns')
        this.recognize(Object.keys(value), (column) => own(value, column));
      if (this.refusal !== null) return;
    }
    const why = this.taken(value, line);
    if (why !== null) this.blame(line, why);
    this.tell();
  }

  private taken(value: Record<string, unknown>, line: number): string | null {
    const { builder } = this;
    switch (this.layout) {
      case 'atif':
        return takeAtif(builder, value, this.file, line, this.verdictOn(value));
      case 'lab':
        return takeLab(builder, value, line);
      case 'verl':
        return takeGeneration(builder, value, line);
      case 'messages':
        return takeMessages(builder, value, line);
      default:
        return this.rows!.take((column) => own(value, column), line);
    }
  }

  private verdictOn(value: unknown): Verdict | undefined {
    const names = [own(value, 'trajectory_id'), own(value, 'session_id'), this.file, this.file.split('/').at(-1)];
    const named = names.map((name) => this.verdicts.get(`#${String(name)}`)).find((v) => v !== undefined);
    return named ?? this.verdicts.get(trialOf(this.file));
  }

  /** Finds out what the columns are; those of the first record count. */
  private recognize(columns: readonly string[], cells: Cells): void {
    this.columns = columns.slice(0, MOST_COLUMNS);
    this.mapping = corrected(mappingOf(this.columns), this.options.mapping, this.columns);
    this.layout = layoutOfRow(cells, this.mapping);
    this.rows = new (this.layout === 'turns' ? TurnsReader : RowsReader)(this.builder, this.mapping);
    if (this.mapping.episode === undefined) this.refusal = needsEpisode(this.columns);
    if (this.mapping.task === undefined)
      this.notes.push('No column names a task, so all episodes are compared with each other.');
  }

  private async csv(file: LogFile): Promise<string | null> {
    let records: CsvRecords | null = null;
    let places: Map<string, number> | null = null;
    let [from, isFirst] = [0, true];
    let why: string | null = null;
    const act = (text: string, line: number, isWhole: boolean): boolean => {
      if (!records?.isOpen) from = line;
      if (!isWhole) {
        records?.forget();
        this.blame(line, 'it is longer than a line may be');
        return !this.isOver();
      }
      if (text === '' && !records?.isOpen) return true;
      records ??= new CsvRecords(text);
      const fields = records.take(text);
      if (fields === null) return true;
      if (typeof fields === 'string') this.blame(from, fields);
      else if (isFirst) {
        isFirst = false;
        why = this.header(file, fields);
        places = new Map(fields.map((name, k) => [name.trim(), k] as const).reverse());
        return why === null;
      } else this.row(fields, places!, from);
      return !this.isOver();
    };
    await eachLine(file, act);
    if ((records as CsvRecords | null)?.isOpen) this.blame(from, 'a quotation mark is never closed');
    return why;
  }

  private header(file: LogFile, fields: readonly string[]): string | null {
    const columns = fields.map((name) => name.trim()).slice(0, MOST_COLUMNS);
    // a text of any kind has a first line, and perhaps a comma in it
    const isNamed = /\.(csv|tsv)$/i.test(file.name);
    if (columns.length < 2 || (!isNamed && Object.keys(mappingOf(columns)).length === 0))
      return `“${shown(file.name)}” is neither JSON Lines nor JSON nor a table in CSV.`;
    if (this.rows === null) this.recognize(columns, () => undefined);
    // rows of messages are known by what they hold
    if (this.mapping.source !== undefined && this.mapping.text !== undefined && this.mapping.state === undefined)
      this.layout = null;
    return this.refusal;
  }

  private row(fields: readonly string[], places: ReadonlyMap<string, number>, line: number): void {
    const cells: Cells = (column) => {
      const at = places.get(column);
      return at === undefined ? undefined : fields[at];
    };
    if (fields.length > places.size)
      return this.blame(line, `it has ${fields.length} fields where the first line has ${places.size}`);
    if (this.layout === null) {
      this.layout = layoutOfRow(cells, this.mapping);
      this.rows = new (this.layout === 'turns' ? TurnsReader : RowsReader)(this.builder, this.mapping);
    }
    const why = this.rows!.take(cells, line);
    if (why !== null) this.blame(line, why);
    this.tell();
  }

  private tell(): void {
    const { isFull, size } = this.builder;
    if (isFull) this.isCut = true;
    if (size < this.told + TOLD_EVERY) return;
    this.told = size;
    this.options.onSteps?.(size);
  }

  private blame(line: number, why: string): void {
    this.bad.count++;
    if (this.bad.first.length < MOST_BAD) this.bad.first.push({ file: this.file, line, why });
  }
}

const needsEpisode = (columns: readonly string[]): string =>
  `No column says which ${ROLE_WORDS.episode} a row belongs to. The columns are ${columns
    .slice(0, 12)
    .map((name) => `“${shown(name, 30)}”`)
    .join(', ')}; name the right one.`;

/** A list of records: the value itself, or the only list of objects in it. */
function listIn(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (!isFields(value) || layoutOf(value) !== 'rows' || mappingOf(Object.keys(value)).episode !== undefined)
    return null;
  const lists = Object.keys(value).filter((name) => {
    const list = value[name];
    return Array.isArray(list) && list.length > 0 && isFields(list[0]);
  });
  return lists.length === 1 ? (value[lists[0]!] as readonly unknown[]) : null;
}

/** True where the first line is a JSON object by itself: then so are the others. */
async function firstLineIsWhole(file: LogFile): Promise<boolean> {
  let isWhole = false;
  await eachLine(file, (text) => {
    if (text.trim() === '') return true;
    try {
      isWhole = isFields(JSON.parse(text));
    } catch {
      isWhole = false;
    }
    return false;
  });
  return isWhole;
}
