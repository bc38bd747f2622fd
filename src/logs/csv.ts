/** Fields that a record may have. */
const MOST_FIELDS = 2000;
/** Lines that one quoted field may span. */
const MOST_LINES = 10_000;

/** Why a record is no record. */
export type BrokenRecord =
  'a quotation mark is never closed' | 'text follows a closing quotation mark' | 'it has too many fields';

/**
 * Records of separated values (RFC 4180), line by line: fields in quotation marks may hold separators, doubled marks and
 * line breaks. The separator is the one of comma, tab and semicolon that the first line has most of.
 */
export class CsvRecords {
  private readonly separator: string;
  private held = '';
  private lines = 0;

  constructor(header: string) {
    const count = (s: string): number => header.split(s).length;
    this.separator = [',', '\t', ';'].reduce((best, s) => (count(s) > count(best) ? s : best));
  }

  /** True while a quoted field continues on the next line. */
  get isOpen(): boolean {
    return this.lines > 0;
  }

  /** The fields of the record that ends with this line; null while it is open; a text where it is broken. */
  take(line: string): string[] | BrokenRecord | null {
    const text = this.lines > 0 ? `${this.held}\n${line}` : line;
    // an even number of marks: no field is open
    if (count(line) % 2 === (this.lines > 0 ? 0 : 1)) {
      this.held = text;
      this.lines++;
      if (this.lines <= MOST_LINES) return null;
      this.forget();
      return 'a quotation mark is never closed';
    }
    this.forget();
    return fieldsOf(text, this.separator);
  }

  /** The record that was open is given up. */
  forget(): void {
    this.held = '';
    this.lines = 0;
  }
}

function count(line: string): number {
  let n = 0;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) n++;
  return n;
}

function fieldsOf(text: string, separator: string): string[] | BrokenRecord {
  if (!text.includes('"')) {
    const fields = text.split(separator, MOST_FIELDS + 1);
    return fields.length > MOST_FIELDS ? 'it has too many fields' : fields;
  }
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (fields.length >= MOST_FIELDS) return 'it has too many fields';
    if (text[at] !== '"') {
      const end = text.indexOf(separator, at);
      fields.push(end < 0 ? text.slice(at) : text.slice(at, end));
      if (end < 0) return fields;
      at = end + 1;
      continue;
    }
    const parts: string[] = [];
    let from = at + 1;
    for (;;) {
      const mark = text.indexOf('"', from);
      if (mark < 0) return 'a quotation mark is never closed';
      parts.push(text.slice(from, mark));
      from = mark + 1;
      if (text[from] !== '"') break;
      parts.push('"');
      from++;
    }
    fields.push(parts.join(''));
    if (from >= text.length) return fields;
    if (text[from] !== separator) return 'text follows a closing quotation mark';
    at = from + 1;
  }
}

/** A field as it is written: in quotation marks where it has to be. */
export const csvField = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
