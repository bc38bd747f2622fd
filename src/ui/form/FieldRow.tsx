import { RotateCcw } from 'lucide-react';
import { useId } from 'react';
import { defaultConfig, getValue, sameValue, type Field } from '../../config/schema.ts';
import { shownValue } from '../../config/diff.ts';
import { openFormula, TEXT } from '../formula/formulaStore.ts';
import { FormulaText } from '../formula/WriteFormula.tsx';
import { Formula } from '../glossary/Formula.tsx';
import { look } from '../stores/view.ts';
import { wordsOf } from '../../config/words/wordsOf.ts';
import { useFieldValue } from '../timeline/live.ts';
import { Issues } from './Issues.tsx';
import { Input } from './Input.tsx';
import { VaryThis } from './VaryThis.tsx';

const defaults = defaultConfig();

/** One setting: label, unit, value, reset when changed, help with formula. */
export function FieldRow({ field }: { field: Field }) {
  const id = useId();
  const helpId = `${id}-help`;
  const { value, isLive, set } = useFieldValue(field);
  const setting = field.setting!;
  const fallback = getValue(defaults, field.path);
  const isChanged = !sameValue(value, fallback);
  return (
    <div className={`field ${setting.kind}`} data-path={field.path}>
      <label htmlFor={id}>
        {setting.label}
        {setting.unit && <span className="unit"> ({setting.unit})</span>}
        {setting.live && (
          <span className="badge" title="Can be changed while the run trains">
            {' live'}
          </span>
        )}
      </label>
      <div className="inputs">
        {field.path === TEXT ? (
          <FormulaText id={id} helpId={helpId} text={String(value)} edit={() => openFormula(String(value))} />
        ) : (
          <Input path={field.path} setting={setting} value={value} id={id} helpId={helpId} set={set} />
        )}
        <button
          type="button"
          className="icon undo"
          aria-label={`Reset ${setting.label} to ${shownValue(field, fallback)}`}
          disabled={!isChanged}
          onClick={() => set(fallback)}
        >
          <RotateCcw aria-hidden size={14} />
        </button>
      </div>
      <p id={helpId} className="help">
        {wordsOf(setting.doc)}
        {setting.formula && (
          <span className="formula">
            {' '}
            <Formula text={setting.formula} path={field.path} />
          </span>
        )}
        {isLive && ' Live: a change takes effect with the next update, and the run continues.'}{' '}
        <VaryThis field={field} label={setting.label} />
      </p>
      {setting.kind === 'text' && field.slot.id === 'task' && (
        <button type="button" onClick={() => look({ editing: { levelSeed: 1, config: null } })}>
          Open the level editor
        </button>
      )}
      <Issues path={field.path} />
    </div>
  );
}
