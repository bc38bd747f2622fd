import { formulaIn, openFormula } from './formulaStore.ts';
import { useDraft } from '../stores/draft.ts';
import './formula.css';

/** Opens the dialog in which a credit formula is written. */
export function WriteFormula() {
  const config = useDraft((d) => d.config);
  return (
    <button
      type="button"
      className="inword writeformula"
      aria-haspopup="dialog"
      onClick={() => openFormula(formulaIn(config))}
    >
      Write your own formula
    </button>
  );
}

type Props = { id: string; helpId: string; text: string; edit: () => void };

/** A formula where settings stand: to be read there, and written in its dialog. */
export function FormulaText({ id, helpId, text, edit }: Props) {
  return (
    <div className="formulatext">
      <output id={id} aria-describedby={helpId}>
        {text}
      </output>
      <button type="button" aria-haspopup="dialog" onClick={edit}>
        Edit formula
      </button>
    </div>
  );
}
