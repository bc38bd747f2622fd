import { fromMarkdown } from 'mdast-util-from-markdown';

/** The part of Markdown that texts of lessons have. Everything else stays what was typed. */
export type TextNode =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'term'; readonly id: string; readonly words: string | null }
  | { readonly kind: 'em' | 'strong'; readonly children: readonly TextNode[] }
  | { readonly kind: 'break' };
export type TextBlock =
  | { readonly kind: 'paragraph'; readonly children: readonly TextNode[] }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly TextBlock[])[] };

/**
 * Off, so that their marks are letters like any others: everything that makes HTML, links, pictures, headings and quotes,
 * and references to characters, whose names a browser could only look up by writing HTML.
 */
const OFF = [
  ...['htmlFlow', 'htmlText', 'autolink', 'definition', 'labelStartLink', 'labelStartImage', 'labelEnd'],
  ...['headingAtx', 'setextUnderline', 'blockQuote', 'thematicBreak', 'codeIndented', 'codeFenced'],
  ...['characterReference'],
];

type Found = {
  readonly type: string;
  readonly value?: string;
  readonly ordered?: boolean | null;
  readonly children?: readonly Found[];
};

/** Reads a text of a lesson into a tree without any markup. */
export function textBlocks(text: string): readonly TextBlock[] {
  const tree = fromMarkdown(text, { extensions: [{ disable: { null: OFF } }] }) as Found;
  return (tree.children ?? []).map(blockOf);
}

function blockOf(node: Found): TextBlock {
  const children = node.children ?? [];
  if (node.type !== 'list') return { kind: 'paragraph', children: children.flatMap(nodesOf) };
  return {
    kind: 'list',
    isOrdered: node.ordered === true,
    items: children.map((item) => (item.children ?? []).map(blockOf)),
  };
}

function nodesOf(node: Found): readonly TextNode[] {
  const children = (node.children ?? []).flatMap(nodesOf);
  if (node.type === 'emphasis') return [{ kind: 'em', children }];
  if (node.type === 'strong') return [{ kind: 'strong', children }];
  if (node.type === 'inlineCode') return [{ kind: 'code', text: node.value! }];
  if (node.type === 'break') return [{ kind: 'break' }];
  return termsIn(node.value ?? '');
}

/** `[[id]]` or `[[id|words]]` within a text. */
function termsIn(text: string): readonly TextNode[] {
  const nodes: TextNode[] = [];
  let at = 0;
  for (const match of text.matchAll(/\[\[([^\][|\n]{1,40})(?:\|([^\][|\n]{1,80}))?\]\]/g)) {
    if (match.index > at) nodes.push({ kind: 'text', text: text.slice(at, match.index) });
    nodes.push({ kind: 'term', id: match[1]!.trim(), words: match[2]?.trim() ?? null });
    at = match.index + match[0].length;
  }
  if (at < text.length) nodes.push({ kind: 'text', text: text.slice(at) });
  return nodes;
}
