import type { Field } from '../../config/schema.ts';
import { varyThis } from '../compare.ts';

/** From a setting to a comparison of several of its values. Texts, and what every comparison decides, have none. */
export function VaryThis({ field, label }: { readonly field: Field; readonly label: string }) {
  if (field.slot.id === 'run' || field.setting?.kind === 'text') return null;
  return (
    <button
      type="button"
      className="inword varythis"
      aria-label={`Vary this: ${label}`}
      title="Compare several values of this setting"
      onClick={() => void varyThis(field)}
    >
      Vary this
    </button>
  );
}
