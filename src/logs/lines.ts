import type { LogFile } from './types.ts';

/** A line longer than this is not read: no step of an agent is, and a text of any size must not fill the memory. */
export const LONGEST_LINE = 32 * 2 ** 20;

/** What a reader does with a line; false ends the reading. `isWhole`: false of a line that is too long. */
export type OnLine = (text: string, line: number, isWhole: boolean) => boolean;

/**
 * The lines of a file, one after the other, in pieces as they arrive. A byte order mark is dropped, bytes that are no
 * UTF-8 become �, and lines end with a line feed, with or without a carriage return before it.
 * @returns the number of lines, −1 where `act` ended the reading
 */
export async function eachLine(file: LogFile, act: OnLine, most = LONGEST_LINE): Promise<number> {
  const decoder = new TextDecoder();
  let [line, rest, isWhole] = [0, '', true];
  const end = (text: string): boolean => {
    line++;
    const whole = isWhole;
    isWhole = true;
    return act(whole ? (text.endsWith('\r') ? text.slice(0, -1) : text) : '', line, whole);
  };
  const take = (piece: string): boolean => {
    let from = 0;
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', from)) {
      if (rest.length + at - from > most) [isWhole, rest] = [false, ''];
      const text = rest + piece.slice(from, at);
      rest = '';
      from = at + 1;
      if (!end(text)) return false;
    }
    if (rest.length + piece.length - from > most) [isWhole, rest] = [false, ''];
    else if (isWhole) rest += piece.slice(from);
    return true;
  };
  for await (const bytes of file.bytes()) if (!take(decoder.decode(bytes, { stream: true }))) return -1;
  if (!take(decoder.decode())) return -1;
  if ((rest !== '' || !isWhole) && !end(rest)) return -1;
  return line;
}

/** The whole text of a file, null where it has more bytes than `most`. */
export async function wholeText(file: LogFile, most: number): Promise<string | null> {
  if (file.size > most) return null;
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  for await (const bytes of file.bytes()) {
    size += bytes.length;
    if (size > most) return null;
    parts.push(decoder.decode(bytes, { stream: true }));
  }
  parts.push(decoder.decode());
  return parts.join('');
}

/** The first bytes of a file. */
export async function firstBytes(file: LogFile, count: number): Promise<Uint8Array> {
  const found = new Uint8Array(count);
  let size = 0;
  for await (const bytes of file.bytes()) {
    const part = bytes.subarray(0, count - size);
    found.set(part, size);
    size += part.length;
    if (size === count) break;
  }
  return found.subarray(0, size);
}
