import { useId } from 'react';
import { fieldAt, methodOf } from '../../config/schema.ts';
import type { Slot } from '../../config/slots.ts';
import { WriteFormula } from '../formula/WriteFormula.tsx';
import { change, useDraft } from '../stores/draft.ts';
import { Issues } from './Issues.tsx';
import { VaryThis } from './VaryThis.tsx';

/** Which method a slot works with. */
export function MethodRow({ slot }: { slot: Slot }) {
  const id = useId();
  const chosen = useDraft((d) => methodOf(d.config, slot.id));
  const method = slot.modules.find((m) => m.id === chosen)!;
  // one that no run can have yet is only there when a link named it
  const offered = slot.modules.filter((m) => m.withheld === undefined || m === method);
  const path = `${slot.id}.method`;
  return (
    <div className="field" data-path={path}>
      <label htmlFor={id}>{slot.title} method</label>
      <select id={id} value={method.id} onChange={(event) => change(path, event.target.value)}>
        {offered.map((m) => (
          <option key={m.id} value={m.id}>
            {m.title}
          </option>
        ))}
      </select>
      <p className="help methodways">
        <VaryThis field={fieldAt(path)!} label={`${slot.title} method`} />
        {slot.id === 'advantage' && method.id !== 'formula' && <WriteFormula />}
      </p>
      <Issues path={path} />
    </div>
  );
}
