import { useId, useState, type KeyboardEvent } from 'react';
import { matching, meant } from './commands.ts';
import { actionOfKey, NO_COMMAND } from './play.ts';

type Props = {
  names: readonly string[];
  possible: readonly boolean[];
  isDone: boolean;
  run: (action: number, typed: string) => void;
  undo: () => void;
};

const MOST = 6;

/** A line for commands: the first letters of its words are enough; on the empty line the arrow keys walk. */
export function CommandLine({ names, possible, isDone, run, undo }: Props) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(-1);
  const found = typed.trim() === '' ? [] : matching(typed, names, possible).slice(0, MOST);
  const send = (action: number): void => {
    run(action, action === NO_COMMAND ? typed.trim().slice(0, 60) : names[action]!);
    setTyped('');
    setChosen(-1);
  };
  const enter = (): void => {
    if (typed.trim() === '') return;
    const action = found[chosen] ?? meant(typed, names, possible);
    // several commands begin like this: the list shows them, and a second Enter takes the first
    if (action < 0 && found.length > 0) return setChosen(0);
    send(action < 0 ? NO_COMMAND : action);
  };
  const onKey = (event: KeyboardEvent): void => {
    const move = typed === '' ? actionOfKey(event.key.length > 1 ? event.key : '', names) : -1;
    if (move >= 0) send(move);
    else if (event.key === 'Enter') enter();
    else if (event.key === 'ArrowDown' && found.length > 0) setChosen((chosen + 1) % found.length);
    else if (event.key === 'ArrowUp' && found.length > 0)
      setChosen((chosen + found.length - 1 + (chosen < 0 ? 1 : 0)) % found.length);
    else if (event.key === 'Escape' && typed !== '') setTyped('');
    else if (event.key === 'Backspace' && typed === '') undo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="commandline">
      <label htmlFor={id}>Your command</label>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen >= 0 && chosen < found.length ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={60}
        disabled={isDone}
        placeholder="go east, take …, look"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(-1);
        }}
        onKeyDown={onKey}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Matching commands" hidden={found.length === 0}>
        {found.map((a, k) => (
          <div
            key={a}
            id={`${id}-${k}`}
            role="option"
            aria-selected={k === chosen}
            tabIndex={-1}
            onPointerDown={(event) => {
              event.preventDefault();
              send(a);
            }}
          >
            {names[a]}
            {!possible[a] && <span className="quiet"> not possible here</span>}
          </div>
        ))}
      </div>
    </div>
  );
}
