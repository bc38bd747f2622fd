/** A turn of a conversation that was written into one text. */
export type WrittenTurn = { readonly who: string; readonly text: string };

/** Turns of one text. */
const MOST_TURNS = 2000;

/** What marks a turn: chat templates with special tokens, and tags around what a tool has answered. */
const START = '<|im_start|>';
const END = '<|im_end|>';
const TOOLS = ['tool_response', 'information', 'observation', 'result', 'output'];
const ROLES: ReadonlySet<string> = new Set(['user', 'assistant', 'tool', 'system', 'model', 'environment']);

/**
 * The turns of an answer of several turns. Three forms are recognized: a chat template that was decoded with its special
 * tokens (`<|im_start|>role … <|im_end|>`) or without them (a line that holds only the role), and tags around what a tool
 * has answered (`<tool_response>`, `<information>`, `<observation>`, `<result>`). Anything else is one turn of the agent.
 * `first`: what was asked, without the marks of the template.
 */
export function turnsIn(
  input: string,
  output: string,
): { readonly first: string; readonly turns: readonly WrittenTurn[] } {
  const first = lastOf(input);
  if (output.includes(START)) return { first, turns: byTemplate(output) };
  const byLines = byRoleLines(output);
  if (byLines.length > 1) return { first, turns: byLines };
  return { first, turns: byTags(output) };
}

/** The last thing that was asked: without system prompt and marks where the template can be seen. */
function lastOf(input: string): string {
  if (!input.includes(START)) {
    const asked = byRoleLines(input).filter(({ who }) => who === 'user' || who === 'tool');
    return asked.at(-1)?.text ?? input.trim();
  }
  const asked = byTemplate(input).filter(({ who }) => who !== 'system' && who !== 'assistant');
  return asked.at(-1)?.text ?? input.trim();
}

function byTemplate(text: string): WrittenTurn[] {
  const turns: WrittenTurn[] = [];
  // what comes before the first mark is the agent's: the mark of its turn ended the input
  text.split(START, MOST_TURNS).forEach((piece, k) => {
    const content = piece.split(END, 1)[0]!;
    const line = content.indexOf('\n');
    const role = k === 0 ? 'assistant' : (line < 0 ? content : content.slice(0, line)).trim();
    const words = (k === 0 ? content : line < 0 ? '' : content.slice(line + 1)).trim();
    if (words !== '') turns.push({ who: ROLES.has(role) ? role : 'tool', text: words });
  });
  return turns;
}

function byRoleLines(text: string): WrittenTurn[] {
  const turns: WrittenTurn[] = [];
  let who = 'assistant';
  let words: string[] = [];
  const end = (): void => {
    const joined = words.join('\n').trim();
    if (joined !== '') turns.push({ who, text: joined });
    words = [];
  };
  for (const line of text.split('\n')) {
    if (!ROLES.has(line.trim()) || turns.length >= MOST_TURNS) words.push(line);
    else {
      end();
      who = line.trim();
    }
  }
  end();
  return turns;
}

function byTags(text: string): WrittenTurn[] {
  const turns: WrittenTurn[] = [];
  const put = (who: string, words: string): void =>
    void (words.trim() !== '' && turns.push({ who, text: words.trim() }));
  let at = 0;
  while (turns.length < MOST_TURNS) {
    let [from, tag] = [-1, ''];
    for (const name of TOOLS) {
      const found = text.indexOf(`<${name}>`, at);
      if (found >= 0 && (from < 0 || found < from)) [from, tag] = [found, name];
    }
    const end = from < 0 ? -1 : text.indexOf(`</${tag}>`, from);
    if (end < 0) break;
    put('assistant', text.slice(at, from));
    put('tool', text.slice(from + tag.length + 2, end));
    at = end + tag.length + 3;
  }
  put('assistant', text.slice(at));
  return turns;
}
