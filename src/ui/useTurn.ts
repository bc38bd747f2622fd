import { startTransition, useEffect, useState } from 'react';

type Asking = { readonly go: () => void };

/** Who waits to be drawn for the first time, in the order of asking. */
const waiting: Asking[] = [];
let isTaken = false;

function next(): void {
  const first = waiting.shift();
  isTaken = first !== undefined;
  first?.go();
}

/** The next one begins after the browser has shown this one. */
const passOn = (): void => void setTimeout(next);

/**
 * False until it is this part's turn to be drawn: of parts that appear together each is drawn in its own task, so
 * that none of them keeps the page from answering. It stays true. While nothing is `wanted` nobody waits.
 */
export function useTurn(wanted = true): boolean {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    if (!wanted || isOn) return;
    const asking: Asking = { go: () => startTransition(() => setOn(true)) };
    waiting.push(asking);
    if (!isTaken) {
      isTaken = true;
      passOn();
    }
    return () => {
      const at = waiting.indexOf(asking);
      // one that goes in its turn hands it on, as one does that has been drawn
      if (at >= 0) waiting.splice(at, 1);
      else passOn();
    };
  }, [wanted, isOn]);
  return isOn;
}
