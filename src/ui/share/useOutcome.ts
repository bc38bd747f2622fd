import { useState } from 'react';
import { toClipboard } from './toClipboard.ts';

/** What the last press came to, in a sentence, and what to do to get one: a failure says its reason. */
export function useOutcome(): readonly [words: string, act: (doing: Promise<string>) => void] {
  const [words, setWords] = useState('');
  const act = (doing: Promise<string>): void => {
    void doing
      .then(setWords)
      .catch((error: unknown) => setWords(error instanceof Error ? error.message : String(error)));
  };
  return [words, act];
}

/** Puts a text into the clipboard; the sentence that says so. `name`: what it is, as in “The link”. */
export async function copied(text: string | Promise<string>, name: string): Promise<string> {
  try {
    await toClipboard(Promise.resolve(text));
    return `${name} is in the clipboard.`;
  } catch {
    return 'The browser did not allow copying; select the text and copy it instead.';
  }
}
