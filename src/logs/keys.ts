import type { KeyRule } from './types.ts';
import { patternOf } from './pattern.ts';
import { Clusters } from '../core/likeness.ts';

/** What of a text decides whether two states are the same. */
export type Keying = {
  /** the text that is compared; of a task where states are compared by likeness */
  keyOf(text: string, task: number): string;
  /** what had to be given up, in sentences */
  notes(): string[];
};

/** White space as single spaces, without case. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase();

/** How states are told apart under a rule; a sentence where the rule cannot be used. */
export function keyingOf(rule: KeyRule): Keying | string {
  const none = (): string[] => [];
  switch (rule.kind) {
    case 'exact':
      return { keyOf: (text) => text, notes: none };
    case 'spaces':
      return { keyOf: plain, notes: none };
    case 'digits':
      return { keyOf: (text) => plain(text).replace(/\d+/g, '#'), notes: none };
    case 'pattern': {
      const pattern = patternOf(rule.pattern);
      if (!pattern.ok) return `${pattern.sentence} Write another one, or compare states by their whole text.`;
      let missed = 0;
      return {
        keyOf(text) {
          const found = pattern.find(text);
          if (found === null) missed++;
          // a text without the pattern is compared as a whole, and never with what a pattern found
          return found === null ? `\u0000${text}` : found;
        },
        notes: () =>
          missed === 0
            ? []
            : [`The pattern was not found in ${missed} states; these are compared by their whole text.`],
      };
    }
    case 'similar': {
      const clusters = new Clusters(Math.min(1, Math.max(0.5, rule.threshold)));
      return {
        keyOf: (text, task) => clusters.headOf(task, plain(text)),
        notes: () =>
          clusters.isCut
            ? [
                'There are too many different states to compare all of them by likeness; further ones count as the same only where their texts are equal.',
              ]
            : [],
      };
    }
  }
}

/** Names of the rules, for menus and sentences. */
export const KEY_WORDS: Readonly<Record<KeyRule['kind'], string>> = {
  exact: 'the same text',
  spaces: 'the same text, whatever its white space and case',
  digits: 'the same text, whatever its numbers',
  pattern: 'the same match of a pattern',
  similar: 'similar texts',
};
