import { useEffect, useState } from 'react';

/**
 * The answer to a question to the worker, asked again when what it is about changes; the last one stays until the next is
 * there. `failed`: it could not be answered.
 * @param about what the question depends on; null: there is nothing to ask
 */
export function useAnswer<T>(
  ask: () => Promise<T>,
  about: string | null,
): { readonly answer: T | null; readonly isOld: boolean; readonly failed: boolean } {
  const [held, hold] = useState<{ about: string; answer: T | null; failed: boolean } | null>(null);
  useEffect(() => {
    if (about === null) return undefined;
    let isWanted = true;
    void ask().then(
      (answer) => isWanted && hold({ about, answer, failed: false }),
      () => isWanted && hold({ about, answer: null, failed: true }),
    );
    return () => void (isWanted = false);
    // the question is what it is about
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `ask` is made anew by every drawing
  }, [about]);
  if (about === null || !held) return { answer: null, isOld: about !== null, failed: false };
  return { answer: held.answer, isOld: held.about !== about, failed: held.failed };
}
