import { expect, test } from 'vitest';
import { textBlocks, type TextBlock, type TextNode } from './markdown.ts';

const plain = (nodes: readonly TextNode[]): string =>
  nodes
    .map((node) => {
      if (node.kind === 'text') return node.text;
      if (node.kind === 'code') return `⟨${node.text}⟩`;
      if (node.kind === 'term') return `{${node.id}${node.words ? `=${node.words}` : ''}}`;
      if (node.kind === 'break') return '↵';
      return 'children' in node ? `${node.kind}(${plain(node.children)})` : '';
    })
    .join('');
const outline = (block: TextBlock): string =>
  block.kind === 'paragraph'
    ? plain(block.children)
    : `[${block.items.map((item) => item.map(outline).join('/')).join('; ')}]`;
const read = (text: string): string[] => textBlocks(text).map(outline);

test('paragraphs, emphasis, lists, code and terms', () => {
  expect(read('One *two* **three** `four`.\n\nFive [[A]], [[π|the policy]].')).toEqual([
    'One em(two) strong(three) ⟨four⟩.',
    'Five {A}, {π=the policy}.',
  ]);
  expect(read('- a\n- *b*\n\n1. c\n2. d')).toEqual(['[a; em(b)]', '[c; d]']);
});

test.each([
  '<script>alert(1)</script>',
  'a <b onclick="x()">b</b>',
  '[click](javascript:alert(1))',
  '![x](https://example.com/x.png)',
  '<https://example.com>',
  'a &copy; &lt;b&gt; &#60;',
  '# not a heading',
  '> not a quote',
  '[x]: https://example.com',
  '---',
  'https://example.com',
  '[[A',
])('everything else stays what was typed: %s', (text) => {
  expect(read(text)).toEqual([text]);
});
