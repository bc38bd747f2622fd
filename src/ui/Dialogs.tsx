import { part } from './Part.tsx';
import { look, useView } from './stores/view.ts';

// Most visits need neither; they come when they are opened.
const LevelEditor = part(() => import('./editor/LevelEditor.tsx').then((m) => m.LevelEditor));
const FormulaDialog = part(() => import('./formula/FormulaDialog.tsx').then((m) => m.FormulaDialog));

const closeEditor = (): void => look({ editing: null });

/** What opens over the page from several of its parts. */
export function Dialogs() {
  const isEditing = useView((v) => v.editing !== null);
  const isWriting = useView((v) => v.isWriting);
  return (
    <>
      {isEditing && <LevelEditor close={closeEditor} />}
      {isWriting && <FormulaDialog />}
    </>
  );
}
