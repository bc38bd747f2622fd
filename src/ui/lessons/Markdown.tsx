import { useMemo } from 'react';
import { Meaning } from '../glossary/Meaning.tsx';
import { TERMS } from '../glossary/terms.ts';
import { WORDS } from '../glossary/words.ts';
import { textBlocks, type TextBlock, type TextNode } from './markdown.ts';

/** A text of a lesson. Its marks become elements, never HTML. */
export function Markdown({ text }: { readonly text: string }) {
  const blocks = useMemo(() => textBlocks(text), [text]);
  return <Blocks blocks={blocks} />;
}

function Blocks({ blocks }: { readonly blocks: readonly TextBlock[] }) {
  return blocks.map((block, k) => {
    if (block.kind === 'paragraph')
      return (
        <p key={k}>
          <Nodes nodes={block.children} />
        </p>
      );
    const List = block.isOrdered ? 'ol' : 'ul';
    return (
      <List key={k}>
        {block.items.map((item, j) => (
          <li key={j}>
            <Blocks blocks={item} />
          </li>
        ))}
      </List>
    );
  });
}

function Nodes({ nodes }: { readonly nodes: readonly TextNode[] }) {
  return nodes.map((node, k) => {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'code':
        return <code key={k}>{node.text}</code>;
      case 'break':
        return <br key={k} />;
      case 'term':
        return <TermButton key={k} id={node.id} words={node.words} />;
      case 'em':
        return (
          <em key={k}>
            <Nodes nodes={node.children} />
          </em>
        );
      case 'strong':
        return (
          <strong key={k}>
            <Nodes nodes={node.children} />
          </strong>
        );
    }
  });
}

/** A word of the text that opens its entry in the glossary; one that has no entry is only a word. */
export function TermButton({ id, words = null }: { readonly id: string; readonly words?: string | null }) {
  const term = [...TERMS, ...WORDS].find((one) => one.id === id);
  if (!term) return words ?? id;
  return <Meaning term={term}>{words ?? term.name}</Meaning>;
}
