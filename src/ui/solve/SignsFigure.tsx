import type { OptionSigns } from '../../lab/analysis/optionSigns.ts';
import { Axes } from '../charts/Axes.tsx';
import { Figure } from '../charts/Figure.tsx';
import { HEIGHT, pathOf, scaleOf, WIDTH } from '../charts/frame.ts';
import { value } from '../format.ts';
import { optionNames, signsSentence } from './horizonWords.ts';

const DOC =
  'The advantage of a subgoal four steps ahead on the solver’s way, from a table of distances with an error of half a step in every entry, of 48 tables. Options of n steps (OTA, arXiv 2505.12737) divide the backups between a state and its goal by n. Nothing is trained.';
const DASHES = ['', '6 3', '2 2'];

/** How often the sign of a high-level advantage is right, against the distance to the goal, by the length of options. */
export function SignsFigure({ signs }: { signs: OptionSigns }) {
  const { distance, states, right } = signs;
  const [low, high] = [distance[0]!, distance.at(-1)!];
  const least = Math.min(0.5, ...right.flat());
  const scale = scaleOf([low, high], [least, 1]);
  const sentence = signsSentence(signs);
  return (
    <Figure
      title="Does the sign of an advantage reach that far?"
      unit="share of tables"
      doc={DOC}
      sentence={sentence}
      file="option-signs"
      table={{
        columns: ['steps to the goal', 'states', ...optionNames],
        rows: distance.map((d, k) => [d, states[k]!, ...right.map((line) => value(line[k]!))]),
      }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={sentence}>
        <Axes
          scale={scale}
          x={[...new Set([low, Math.round((low + high) / 2), high])].map((d) => [d, String(d)])}
          y={[...new Set([least, 0.75, 1])].map((share) => [share, value(share)])}
          name="steps to the goal"
        />
        {right.map((line, n) => (
          <path
            key={optionNames[n]}
            d={pathOf(line.map((share, k) => [scale.x(distance[k]!), scale.y(share)]))}
            className="signline"
            strokeDasharray={DASHES[n]}
            data-line={n}
          />
        ))}
      </svg>
      <p className="quiet signkey">
        {optionNames.map((name, n) => (
          <span key={name}>
            <svg viewBox="0 0 24 8" width="24" height="8" aria-hidden>
              <path d="M0 4H24" className="signline" strokeDasharray={DASHES[n]} data-line={n} />
            </svg>{' '}
            {name}
          </span>
        ))}
      </p>
    </Figure>
  );
}
