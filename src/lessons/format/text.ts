import { CAPS } from './lesson.ts';
import { readLesson, type ReadLesson } from './read.ts';

const no = (sentence: string): ReadLesson => ({ ok: false, issues: [sentence] });

/**
 * Reads the file of a lesson: YAML without tags and aliases, or JSON. Nothing in it is run, fetched or started. A text that
 * cannot be read gives the sentences of what is wrong; it never throws.
 */
export async function readLessonText(text: string): Promise<ReadLesson> {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > CAPS.bytes)
    return no(`The file has ${Math.ceil(bytes / 1000)} kB; a lesson has at most ${CAPS.bytes / 1000} kB.`);
  const { isAlias, isNode, parseDocument, visit } = await import('yaml');
  let raw: unknown;
  try {
    const document = parseDocument(text, { schema: 'core', version: '1.2', merge: false, logLevel: 'error' });
    const [error] = document.errors;
    if (error) return no(`The file could not be read as YAML: ${firstLine(error.message)}`);
    let strange: string | null = null;
    visit(document, (_, node) => {
      if (isAlias(node)) strange = 'an alias (*name)';
      else if (isNode(node) && node.tag) strange = `a tag (${node.tag.slice(0, 40)})`;
      return strange === null ? undefined : visit.BREAK;
    });
    if (strange !== null) return no(`The file holds ${String(strange)}; a lesson is written without.`);
    raw = document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    const why = error instanceof RangeError ? 'it is nested too deeply' : firstLine(String(error));
    return no(`The file could not be read as YAML: ${why}.`);
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return no('The file holds no lesson: it must begin with “format: 1”.');
  return readLesson(raw);
}

const firstLine = (message: string): string => message.split('\n')[0]!.replace(/:$/, '').slice(0, 200);
