import { useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type Ref } from 'react';
import type { CodeView } from './codeMirror.ts';
import type { Reading, Told } from './reading.ts';

/** What a parent may do with the field, whichever of the two it is. */
export type CodeHandle = {
  /** Another text in place of this one, as if it had been typed. */
  write(text: string): void;
  goTo(place: number): void;
  dismiss(): boolean;
};

type Props = {
  label: string;
  describedBy: string;
  hint: string;
  text: string;
  read: (text: string) => Reading;
  change: (text: string) => void;
  move: (told: Told | null) => void;
  ask: (told: Told | null) => void;
  handle: Ref<CodeHandle>;
};

/** A plain text field that works at once, and the editor in its place as soon as that has come. */
export function CodeField(props: Props) {
  const { text, read, handle } = props;
  const box = useRef<HTMLDivElement>(null);
  const plain = useRef<HTMLTextAreaElement>(null);
  const [view, setView] = useState<CodeView | null>(null);
  const [isMissing, setMissing] = useState(false);
  const [tries, setTries] = useState(0);
  const now = useRef(props);
  // before the dialog looks for something to focus
  useLayoutEffect(() => plain.current?.focus(), []);
  useEffect(() => void (now.current = props));
  useEffect(() => {
    let isOver = false;
    let made: CodeView | null = null;
    const open = async (): Promise<void> => {
      const { openCode } = await import('./codeMirror.ts');
      if (isOver || !box.current) return;
      const { label, describedBy, hint, text: first } = now.current;
      const field = plain.current;
      const cursor = document.activeElement === field ? (field?.selectionEnd ?? 0) : null;
      made = openCode({
        ...{ parent: box.current, text: first, label, describedBy, hint },
        read: (of) => now.current.read(of),
        changed: (to) => now.current.change(to),
        moved: (told) => now.current.move(told),
        asked: (told) => now.current.ask(told),
      });
      setView(made);
      if (cursor !== null) made.goTo(cursor);
    };
    open().catch(() => !isOver && setMissing(true));
    return () => {
      isOver = true;
      made?.destroy();
    };
  }, [tries]);
  useEffect(() => view?.readAgain(), [view, read]);
  useImperativeHandle(
    handle,
    () =>
      view ?? {
        write: (to) => now.current.change(to),
        goTo(place) {
          plain.current?.focus();
          plain.current?.setSelectionRange(place, place);
        },
        dismiss: () => false,
      },
    [view],
  );
  return (
    <>
      <div ref={box} className="code" />
      {view === null && (
        <textarea
          ref={plain}
          className="code"
          aria-label={props.label}
          aria-describedby={props.describedBy}
          rows={6}
          spellCheck={false}
          autoCapitalize="off"
          placeholder={props.hint}
          value={text}
          onChange={(event) => props.change(event.target.value)}
          onSelect={(event) => props.move(read(text).at(event.currentTarget.selectionEnd))}
        />
      )}
      {isMissing && (
        <p className="quiet">
          The editor with suggestions could not be loaded; this plain field takes the same text.{' '}
          <button
            type="button"
            className="inword"
            onClick={() => {
              setMissing(false);
              setTries(tries + 1);
            }}
          >
            Try again
          </button>
        </p>
      )}
    </>
  );
}
