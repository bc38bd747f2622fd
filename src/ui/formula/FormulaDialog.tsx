import { useCallback, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import { Modal, ModalText } from '../Modal.tsx';
import { compareWith, takeFormula } from './actions.ts';
import { CodeField, type CodeHandle } from './CodeField.tsx';
import './formula.css';
import { closeFormula, useFormula, used, write } from './formulaStore.ts';
import { readerOf } from './language.ts';
import { Preview } from './Preview.tsx';
import type { Told } from './reading.ts';
import { Sentence } from './Sentence.tsx';
import { Sliders } from './Sliders.tsx';
import { StartFrom } from './StartFrom.tsx';
import { useProblem } from './useProblem.ts';
import { useGoodText } from './usePreview.ts';
import { useReasons } from './useReasons.ts';

/** A credit formula that is typed, checked, and seen at work on the batch at hand. */
export function FormulaDialog() {
  const handle = useRef<CodeHandle>(null);
  return (
    <Modal
      title="Credit formula"
      closeLabel="Close the formula"
      className="dialog formuladialog"
      keepsOpen={() => handle.current?.dismiss() === true}
      close={closeFormula}
    >
      <Body handle={handle} />
    </Modal>
  );
}

const wordsOf = ({ name, type, doc }: Told): string => `${name}: ${type}. ${doc}`;

function Body({ handle }: { handle: React.RefObject<CodeHandle | null> }) {
  const rewrite = (to: string): void => handle.current?.write(to);
  const text = useFormula((f) => f.text);
  const taker = useFormula((f) => f.taker);
  const why = useReasons();
  const read = useMemo(() => readerOf(why), [why]);
  const reading = useMemo(() => read(text), [read, text]);
  const [told, tell] = useState<Told | null>(null);
  const helpId = useId();
  const good = useDeferredValue(useGoodText(reading));
  const isFaulty = reading.faults.length > 0;
  const [answer, setAnswer] = useState('');
  // the live region of the page is hidden behind the dialog; a space more, so that the same answer is said again
  const ask = useCallback((of: Told | null) => {
    const words = of ? wordsOf(of) : 'Nothing with a type is at the cursor.';
    setAnswer((before) => (before === words ? `${words} ` : words));
  }, []);
  const problem = useProblem(good);
  const isUsable = !isFaulty && text.trim() !== '' && problem === null;
  const take = (): void => {
    if (!taker) return takeFormula(text);
    taker.take(text);
    used();
  };
  return (
    <div className="formulabody">
      <div className="formulawriting">
        <ModalText className="quiet">
          A formula says how much credit each step gets. It is read as you type and never run as code, so a link can
          carry it.
        </ModalText>
        <StartFrom write={rewrite} />
        <CodeField
          label="Credit formula"
          describedBy={helpId}
          hint="normalize(outcome, task)"
          text={text}
          read={read}
          change={write}
          move={tell}
          ask={ask}
          handle={handle}
        />
        <Sentence reading={reading} goTo={({ from }) => handle.current?.goTo(from)} />
        {problem !== null && !isFaulty && (
          <p className="issue error" role="alert">
            {problem}
          </p>
        )}
        <p className="quiet codecursor">{told ? wordsOf(told) : 'What stands at the cursor is explained here.'}</p>
        <p className="visually-hidden" role="status">
          {answer}
        </p>
        <Sliders text={text} sliders={reading.sliders} change={rewrite} />
        <p className="quiet" id={helpId}>
          Typing or <kbd>Ctrl</kbd> <kbd>Space</kbd> suggests what fits, <kbd>Enter</kbd> takes it. <kbd>Ctrl</kbd>{' '}
          <kbd>I</kbd> reads out what stands at the cursor. <kbd>Tab</kbd> leaves the editor.
        </p>
        <div className="moves finish">
          <button type="button" className="primary" disabled={!isUsable} onClick={take}>
            {taker?.label ?? 'Use in this experiment'}
          </button>
          <button type="button" disabled={!isUsable} onClick={() => compareWith(text)}>
            Compare with…
          </button>
        </div>
      </div>
      <Preview good={good} isFaulty={isFaulty} />
    </div>
  );
}
