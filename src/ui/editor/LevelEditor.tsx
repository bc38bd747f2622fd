import { Redo2, Undo2 } from 'lucide-react';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { unless } from '../focus.ts';
import { isTyping } from '../keys.ts';
import { Modal, ModalText } from '../Modal.tsx';
import { reset } from '../session.ts';
import { useSolution } from '../solve/useSolution.ts';
import { changeAll, useDraft } from '../stores/draft.ts';
import { look, useView, type View } from '../stores/view.ts';
import { BoardEditor } from './BoardEditor.tsx';
import { ownLevelOf, problemWith, sourceWith, textToEdit, type OwnLevel } from './draftLevel.ts';
import { begin, change, redo, undo } from './history.ts';
import { RoomsEditor } from './RoomsEditor.tsx';
import { Verdict } from './Verdict.tsx';

/** Milliseconds without a change after which a solution is looked for. */
const QUIET_MS = 250;

/** The level of the draft under the pencil, in a dialog. Nothing changes outside before “Use this level”. */
export function LevelEditor({ close }: { close: () => void }) {
  const editing = useView((v) => v.editing);
  const own = useDraft((d) => d.config.task.method);
  const level = editing === null ? null : ownLevelOf(useDraft.getState().config);
  const isPlaying = useRef(false);
  if (!level || !editing) return null;
  const returnsFocus = (): boolean => !isPlaying.current;
  return (
    <Modal
      title="Level editor"
      closeLabel="Close the editor"
      className="dialog editor"
      returnsFocus={returnsFocus}
      close={close}
    >
      <Body key={own} own={level} from={editing} close={close} play={() => (isPlaying.current = true)} />
    </Modal>
  );
}

type BodyProps = { own: OwnLevel; from: NonNullable<View['editing']>; close: () => void; play: () => void };

function Body({ own, from, close, play }: BodyProps) {
  const config = useDraft((d) => d.config);
  const [history, setHistory] = useState(() => {
    // the stage may still show the run of other settings; a level of another environment cannot be edited here
    const shown = from.config?.task.method === config.task.method ? from.config : config;
    return begin(textToEdit(shown, own, from.levelSeed));
  });
  const id = useId();
  const text = history.now;
  const kind = own.env.editor;
  const isTooLong = text.length > own.maxLength;
  const problem = useMemo(() => problemWith(config, own, text), [config, own, text]);
  const source = useMemo(() => (problem ? null : sourceWith(config, own, text)), [problem, config, own, text]);
  const solution = useSolution(source, QUIET_MS);
  const set = (next: string, stroke?: string): void => setHistory((h) => change(h, next, stroke));
  const use = (isHuman: boolean): void => {
    const path = `task.${own.env.id}`;
    changeAll([
      { path: `${path}.${own.choice}`, value: own.value },
      { path: `${path}.${own.text}`, value: text },
    ]);
    look({ isHuman, tab: 'watch', layer: null });
    void reset();
    if (isHuman) play();
    close();
  };
  const onKey = (event: KeyboardEvent): void => {
    // a text field has its own undo
    if (!(event.ctrlKey || event.metaKey) || isTyping(event.target as HTMLElement)) return;
    const key = event.key.toLowerCase();
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    setHistory(key === 'y' || event.shiftKey ? redo : undo);
  };
  return (
    <div className="editorbody" role="group" aria-label="Level" onKeyDown={onKey}>
      <ModalText className="quiet">
        {kind.form === 'board' && 'Paint with the pointer, or move with the arrow keys and press the key of a brush.'}
        {kind.form === 'rooms' && 'Choose a room on the map, then its exits and what is in it.'} The level is part of
        the link.
      </ModalText>
      <div className="moves">
        <button type="button" {...unless(history.past.length === 0, () => setHistory(undo))}>
          <Undo2 aria-hidden size={16} /> Undo
        </button>
        <button type="button" {...unless(history.future.length === 0, () => setHistory(redo))}>
          <Redo2 aria-hidden size={16} /> Redo
        </button>
      </div>
      {isTooLong ? (
        <p className="issue error" role="status">
          The level text has {text.length} characters; a link can hold at most {own.maxLength}.
        </p>
      ) : (
        <Verdict problem={problem} solution={solution} />
      )}
      {kind.form === 'board' && (
        <BoardEditor text={text} kind={kind} problem={problem} maxLength={own.maxLength} change={set} />
      )}
      {kind.form === 'rooms' && <RoomsEditor text={text} kind={kind} change={set} />}
      <details open={kind === null}>
        <summary>Level as text</summary>
        <label className="visually-hidden" htmlFor={id}>
          Level text
        </label>
        <textarea
          id={id}
          rows={Math.min(16, text.split('\n').length + 1)}
          spellCheck={false}
          value={text}
          onChange={(event) => set(event.target.value, 'typing')}
        />
      </details>
      <div className="moves finish">
        <button type="button" className="primary" disabled={problem !== null || isTooLong} onClick={() => use(false)}>
          Use this level
        </button>
        <button type="button" disabled={problem !== null || isTooLong} onClick={() => use(true)}>
          Use it and play
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </div>
  );
}
