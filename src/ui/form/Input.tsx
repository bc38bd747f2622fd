import { optionNames } from '../../config/words/wordsOf.ts';
import type { Setting } from '../../core/settings.ts';
import { IntegersInput, NumberInput } from './NumberInput.tsx';

type InputProps = {
  /** of a field of the draft; elsewhere what is refused goes when the field is left */
  path?: string;
  setting: Setting;
  value: unknown;
  id: string;
  helpId: string;
  set: (value: unknown) => void;
};

/** The control that a setting asks for by its kind. */
export function Input({ path, setting, value, id, helpId, set }: InputProps) {
  const where = path === undefined ? {} : { path };
  switch (setting.kind) {
    case 'number':
    case 'integer':
      return <NumberInput {...{ id, helpId, setting, set }} {...where} value={value as number} />;
    case 'integers':
      return <IntegersInput {...{ id, helpId, set }} {...where} value={value as number[]} />;
    case 'switch':
      return (
        <input
          id={id}
          aria-describedby={helpId}
          type="checkbox"
          checked={value === true}
          onChange={(e) => set(e.target.checked)}
        />
      );
    case 'choice':
      return (
        <select id={id} aria-describedby={helpId} value={String(value)} onChange={(e) => set(e.target.value)}>
          {optionNames(setting).map((name, k) => (
            <option key={setting.options[k]} value={setting.options[k]}>
              {name}
            </option>
          ))}
        </select>
      );
    case 'text':
      return (
        <textarea
          id={id}
          aria-describedby={helpId}
          rows={6}
          spellCheck={false}
          maxLength={setting.maxLength}
          value={String(value)}
          onChange={(e) => set(e.target.value)}
        />
      );
  }
}
