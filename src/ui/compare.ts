import type { Field } from '../config/schema.ts';
import { useDraft } from './stores/draft.ts';

/** Opens the dialog that compares settings; it comes when it is asked for. */
export const compare = (): void => void import('./sweeps/compareStore.ts').then((m) => m.openCompare());

/** The same with one setting chosen, and values around that of the experiment. */
export async function varyThis(field: Field): Promise<void> {
  const [{ openCompare }, { valuesAround }] = await Promise.all([
    import('./sweeps/compareStore.ts'),
    import('./sweeps/describe.ts'),
  ]);
  openCompare({ path: field.path, values: valuesAround(field, useDraft.getState().config) });
}
