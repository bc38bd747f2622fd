import { useId, useMemo } from 'react';
import { offeredEstimators } from '../../config/offered.ts';
import type { Config } from '../../config/slots.ts';
import { formulaOf } from '../../slots/advantage/formula/library.ts';
import { askedOf } from '../credit/compareStore.ts';
import { useDraft } from '../stores/draft.ts';
import { useFormula } from './formulaStore.ts';

type Entry = { readonly id: string; readonly title: string; readonly text: string };

/** Every estimator that can be said as a formula, with the settings that the experiment has for it. */
export const entriesOf = (config: Config): readonly Entry[] =>
  offeredEstimators.flatMap(({ id, title }) => {
    const text = formulaOf(id, askedOf(config, id).params);
    return text === null ? [] : [{ id, title, text }];
  });

/** Puts a text into the editor to begin with: an estimator, or what was typed there before. */
export function StartFrom({ write }: { write: (text: string) => void }) {
  const id = useId();
  const config = useDraft((d) => d.config);
  const before = useFormula((f) => f.before);
  const entries = useMemo(() => entriesOf(config), [config]);
  const choose = (chosen: string): void => {
    const text = chosen === '' ? before : entries.find((e) => e.id === chosen)?.text;
    if (typeof text === 'string') write(text);
  };
  return (
    <div className="field startfrom">
      <label htmlFor={id}>Start from</label>
      <select id={id} value="none" onChange={(event) => choose(event.target.value)}>
        <option value="none">an estimator, written as a formula…</option>
        {before !== null && <option value="">What you typed before</option>}
        {entries.map((e) => (
          <option key={e.id} value={e.id}>
            {e.title}
          </option>
        ))}
      </select>
    </div>
  );
}
