import { Fragment } from 'react';
import { wordsOf } from '../../config/words/wordsOf.ts';
import { piecesOf } from './find.ts';
import { Meaning } from './Meaning.tsx';

/** A formula whose symbols are buttons; `path` says to which method or setting it belongs, and so what its letters mean. */
export function Formula({ text, path }: { text: string; path: string }) {
  return piecesOf(wordsOf(text), path).map((piece, k) => (
    <Fragment key={k}>{piece.term ? <Meaning term={piece.term}>{piece.text}</Meaning> : piece.text}</Fragment>
  ));
}
