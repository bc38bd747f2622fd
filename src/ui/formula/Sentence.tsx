import { useEffect, useState } from 'react';
import { lineOf } from '../../slots/advantage/formula/formula.ts';
import type { Fault, Reading } from './reading.ts';

/** Milliseconds without a key before the sentence changes: half a word is not a fault worth hearing of. */
const QUIET_MS = 800;

/** What the text says as a whole, or what is wrong first: in words, for eyes and for screen readers. */
export function Sentence({ reading, goTo }: { reading: Reading; goTo: (fault: Fault) => void }) {
  const [told, tell] = useState(reading);
  useEffect(() => {
    const timer = setTimeout(() => tell(reading), QUIET_MS);
    return () => clearTimeout(timer);
  }, [reading]);
  const fault = told.faults[0];
  const isSame = told === reading;
  return (
    <div className={`codesentence ${fault ? 'issue error' : 'quiet'}`}>
      <p role="status">{fault ? faultWords(told, fault) : told.sentence}</p>
      {fault && isSame && (
        <button type="button" onClick={() => goTo(fault)}>
          Go to the fault
        </button>
      )}
    </div>
  );
}

/** “Line 2, column 5: state is not known here; name it before.” */
function faultWords({ text }: Reading, { from, message, hint }: Fault): string {
  const { line, column } = lineOf(text, from);
  const words = `Line ${line}, column ${column}: ${message}${hint && `; ${hint}`}`;
  return /[.?…]$/.test(words) ? words : `${words}.`;
}
