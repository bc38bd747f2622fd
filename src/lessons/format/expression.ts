import { parseFormula } from '../../slots/advantage/formula/parse.ts';
import type { Fault, Node } from '../../slots/advantage/formula/syntax.ts';

/** An expression as it was written, or where it cannot be read and why. */
export type Read = { readonly node: Node } | { readonly fault: Fault };

/**
 * Reads the expression of a check or a live value: numbers, + − × ÷, comparisons, and calls. The language is that of
 * credit formulas, of which this takes one line without names of its own.
 */
export function readExpression(written: string | number): Read {
  const text = String(written);
  if (typeof written === 'number') return { node: { kind: 'number', at: [0, text.length], value: written } };
  const { lines, fault } = parseFormula(text);
  if (fault) return { fault };
  const [line, second] = lines;
  if (line?.kind !== 'result' || second)
    return { fault: { at: [0, text.length], message: 'one expression is expected' } };
  return { node: line.node };
}

const SHOWN = 40;
const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/** Where and why an expression cannot be read, as words that follow its name. */
export function faultWords(text: string, { at: [from, to], message, hint }: Fault): string {
  const piece = text.slice(from, to).trim();
  const place = piece === '' ? 'at its end' : `at letter ${from + 1} (“${shortened(piece)}”)`;
  return `cannot be read ${place}: ${message}${hint ? ` (${hint})` : ''}`;
}

/** All names that an expression uses, those of calls included. */
export function namesIn(node: Node): readonly string[] {
  if (node.kind === 'number') return [];
  if (node.kind === 'name') return [node.name];
  return [node.name, ...node.args.flatMap((arg) => namesIn(arg.node))];
}
