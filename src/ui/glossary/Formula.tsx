import { Fragment, type ReactNode } from 'react';
import { wordsOf } from '../../config/words/wordsOf.ts';
import { piecesOf } from './find.ts';
import { Meaning } from './Meaning.tsx';
import { settingOf, stretchesOf, type Stretch } from './scripts.ts';

/** A formula whose symbols are buttons; `path` says to which method or setting it belongs, and so what its letters mean. */
export function Formula({ text, path }: { text: string; path: string }) {
  const formula = wordsOf(text);
  const set = settingOf(formula);
  let at = 0;
  return piecesOf(formula, path).map((piece, k) => {
    const stretches = stretchesOf(formula, set, at, (at += piece.text.length)).map((one, n) => (
      <Fragment key={n}>{setIn(one)}</Fragment>
    ));
    return <Fragment key={k}>{piece.term ? <Meaning term={piece.term}>{stretches}</Meaning> : stretches}</Fragment>;
  });
}

/** Raised and lowered letters; a copy of the formula keeps the marks that say so. */
function setIn({ text, ways, isMark }: Stretch): ReactNode {
  if (isMark) return <span className="visually-hidden">{text}</span>;
  return ways.reduceRight<ReactNode>((inner, Way) => <Way>{inner}</Way>, text);
}
