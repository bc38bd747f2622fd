import { useId, useState } from 'react';
import type { WordInside } from '../../worker/protocol.ts';
import { css, inkOn, viridis } from '../color.ts';
import { percent } from '../format.ts';
import { Matrix } from './Matrix.tsx';
import { cueWords, readingWords, sharesOf } from './words.ts';

const TITLES = {
  words: 'Attention: heads by words, as the first word is written',
  steps: 'Attention: heads by the steps that are looked back at, this one last',
};

/** What every head of a transformer reads when it writes the first word, or at a step, and the weights behind it. */
export function ReadingPictures({ inside }: { inside: WordInside }) {
  const { words, layers, heads, attention, tensors } = inside;
  const id = useId();
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState('');
  const place = Math.min(at, layers * heads - 1);
  const [layer, head] = [Math.floor(place / heads), place % heads];
  const shares = sharesOf(inside, layer, head);
  const most = Math.max(...shares);
  const weights = tensors?.filter((x) => x.rows > 1) ?? [];
  const W = weights.find((x) => x.name === shown) ?? weights[0];
  return (
    <>
      <Matrix
        rows={layers * heads}
        cols={words.length}
        values={attention}
        title={TITLES[inside.kind]}
        kind="share"
        marked={place}
      />
      <label htmlFor={id}>
        Head{' '}
        <select id={id} value={place} onChange={(event) => setAt(Number(event.target.value))}>
          {Array.from({ length: layers * heads }, (_, k) => (
            <option key={k} value={k}>
              layer {Math.floor(k / heads) + 1}, head {(k % heads) + 1}
            </option>
          ))}
        </select>
      </label>
      <p className="reading">
        {words.map((word, k) => {
          const color = viridis(shares[k]! / most);
          return (
            <span
              key={k}
              title={percent(shares[k]!)}
              className={inside.cues?.includes(k) ? 'iscue' : undefined}
              style={{ background: css(color), color: inkOn(color) }}
            >
              {inside.cues?.includes(k) ? `${word}, cue` : word}
            </span>
          );
        })}
      </p>
      <p>
        Attends most to: {readingWords(inside, layer, head)}. {cueWords(inside, layer, head)}
      </p>
      <details>
        <summary>What each head attends to most</summary>
        <ul>
          {Array.from({ length: layers * heads }, (_, k) => (
            <li key={k}>
              Layer {Math.floor(k / heads) + 1}, head {(k % heads) + 1}:{' '}
              {readingWords(inside, Math.floor(k / heads), k % heads)}
            </li>
          ))}
        </ul>
      </details>
      {W && (
        <>
          <label className="inline">
            Weights{' '}
            <select value={W.name} onChange={(event) => setShown(event.target.value)}>
              {weights.map((x) => (
                <option key={x.name}>{x.name}</option>
              ))}
            </select>
          </label>
          <Matrix rows={W.rows} cols={W.cols} values={W.values} title={`Weights ${W.name}`} kind="signed" />
        </>
      )}
    </>
  );
}
