import { X } from 'lucide-react';
import { useId } from 'react';
import type { Setting, SettingValue } from '../../core/settings.ts';
import { offeredEstimators } from '../../config/offered.ts';
import { estimators } from '../../slots/methods.ts';
import type { Asked } from '../../worker/protocol.ts';
import { openFormula } from '../formula/formulaStore.ts';
import { FormulaText } from '../formula/WriteFormula.tsx';
import { NumberInput } from '../form/NumberInput.tsx';
import { optionNames, wordsOf } from '../../config/words/wordsOf.ts';
import { Mark } from './Mark.tsx';
import { useSlot } from './slots.ts';

type Props = {
  at: number;
  asked: Asked;
  /** null: it cannot be taken away */
  remove: (() => void) | null;
  choose: (id: string) => void;
  set: (name: string, value: SettingValue) => void;
};

/** One estimator of the comparison: which, and with which settings. Changing them trains nothing. */
export function MethodPicker({ at, asked, remove, choose, set }: Props) {
  const id = useId();
  const record = estimators.find((e) => e.id === asked.id);
  const fields = Object.entries(record?.params ?? {}).filter(([, s]) => isShown(s, asked));
  const letter = String.fromCharCode(65 + useSlot()(at));
  return (
    <div className="methodpick">
      <div className="pickhead">
        <Mark at={at} />
        <label className="visually-hidden" htmlFor={id}>
          Estimator {letter}
        </label>
        <select id={id} value={asked.id} onChange={(event) => choose(event.target.value)}>
          {offeredEstimators.map((e) => (
            <option key={e.id} value={e.id}>
              {e.title}
            </option>
          ))}
        </select>
        {remove && (
          <button type="button" className="icon" aria-label={`Remove estimator ${letter}`} onClick={remove}>
            <X aria-hidden size={16} />
          </button>
        )}
      </div>
      {fields.length > 0 && (
        <details>
          <summary>
            Settings<span className="visually-hidden"> of estimator {letter}</span>
          </summary>
          {fields.map(([name, setting]) => (
            <SettingRow
              key={`${asked.id} ${name}`}
              setting={setting}
              value={asked.params[name]!}
              set={(value) => set(name, value)}
            />
          ))}
        </details>
      )}
    </div>
  );
}

function isShown(setting: Setting, { params }: Asked): boolean {
  const { when } = setting;
  return !when || when.is.includes(params[when.setting] as string | boolean);
}

type RowProps = { setting: Setting; value: SettingValue; set: (value: SettingValue) => void };

function SettingRow({ setting, value, set }: RowProps) {
  const id = useId();
  return (
    <div className={`field ${setting.kind}`}>
      <label htmlFor={id}>
        {setting.label} {setting.formula && <span className="formula">{setting.formula}</span>}
      </label>
      <div className="inputs">
        {(setting.kind === 'number' || setting.kind === 'integer') && (
          <NumberInput id={id} helpId={`${id}-help`} setting={setting} value={value as number} set={set} />
        )}
        {setting.kind === 'switch' && (
          <input id={id} type="checkbox" checked={value === true} onChange={(event) => set(event.target.checked)} />
        )}
        {setting.kind === 'text' && (
          <FormulaText
            id={id}
            helpId={`${id}-help`}
            text={String(value)}
            edit={() => openFormula(String(value), { label: 'Use in the comparison', take: set })}
          />
        )}
        {setting.kind === 'choice' && (
          <select id={id} value={String(value)} onChange={(event) => set(event.target.value)}>
            {optionNames(setting).map((name, k) => (
              <option key={setting.options[k]} value={setting.options[k]}>
                {name}
              </option>
            ))}
          </select>
        )}
      </div>
      <p className="help" id={`${id}-help`}>
        {wordsOf(setting.doc)}
      </p>
    </div>
  );
}
