/** What was, is and will be again: every text of an editing session. */
export type History = {
  readonly past: readonly string[];
  readonly now: string;
  readonly future: readonly string[];
  /** changes with the same name follow each other as one, e.g. the cells of one stroke */
  readonly stroke: string;
};

const MOST = 300;

export const begin = (text: string): History => ({ past: [], now: text, future: [], stroke: '' });

/** A change; with the `stroke` of the last one it is undone together with it. */
export function change(history: History, text: string, stroke = ''): History {
  if (text === history.now) return history;
  const goesOn = stroke !== '' && stroke === history.stroke;
  const past = goesOn ? history.past : [...history.past, history.now].slice(-MOST);
  return { past, now: text, future: [], stroke };
}

export function undo({ past, now, future }: History): History {
  const before = past.at(-1);
  return before === undefined
    ? { past, now, future, stroke: '' }
    : { past: past.slice(0, -1), now: before, future: [now, ...future], stroke: '' };
}

export function redo({ past, now, future }: History): History {
  const [next, ...rest] = future;
  return next === undefined
    ? { past, now, future, stroke: '' }
    : { past: [...past, now], now: next, future: rest, stroke: '' };
}
