import type { Block } from './format/blocks.ts';

/** A text, its formulas and its terms stand with what comes after them. */
const leadsOn = (block: Block): boolean => 'say' in block || 'formula' in block || 'terms' in block;

/**
 * Numbers of the blocks that a room sees at once: what is said, and one thing to do or to look at. Every block is on exactly
 * one slide, in order.
 */
export function slidesOf(blocks: readonly Block[]): readonly (readonly number[])[] {
  const slides: number[][] = [];
  let isOpen = false;
  for (const [k, block] of blocks.entries()) {
    if (isOpen) slides.at(-1)!.push(k);
    else slides.push([k]);
    isOpen = leadsOn(block);
  }
  return slides;
}
