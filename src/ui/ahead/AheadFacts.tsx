import { lookahead } from '../../lab/analysis/lookahead.ts';
import type { Decision } from '../../worker/protocol.ts';
import { percent, value, many } from '../format.ts';
import { useIsMoving } from '../stage/playback.ts';
import { AheadChoices } from './AheadChoices.tsx';
import { chooseAhead, useAhead } from './store.ts';
import { decided } from './words.ts';
import './ahead.css';

const { depth: range } = lookahead.params;

/** The lookahead of the step on the stage in numbers, and how far it goes. */
export function AheadFacts({ actions }: { actions: readonly string[] }) {
  const { depth, answer } = useAhead();
  const isMoving = useIsMoving();
  const found = answer?.decision;
  return (
    <section className="ahead" aria-label="Lookahead">
      <label className="inline" title={range.doc}>
        <span>Steps ahead</span>
        <input
          type="range"
          min={range.min}
          max={range.max}
          value={depth}
          aria-valuetext={`${many(depth, 'step')} ahead`}
          onChange={(event) => chooseAhead({ depth: Number(event.target.value) })}
        />
        <span className="number">{depth}</span>
      </label>
      {/* who plays an episode is not told every step */}
      <p className="quiet" aria-live={isMoving ? 'off' : 'polite'}>
        {answer?.why ?? (found ? decided(found) : 'Choose a step of an episode.')}
      </p>
      {found && <Values found={found} actions={actions} />}
      <p className="choices">
        <AheadChoices off={false} />
      </p>
    </section>
  );
}

const worth = (q: number): string => (q === -Infinity ? '–' : value(q));

function Values({ found: { probs, near, Q, best, depth }, actions }: { found: Decision; actions: readonly string[] }) {
  return (
    <table className="number">
      <caption className="visually-hidden">
        Value of each action in this state, by the steps that are looked ahead
      </caption>
      <thead>
        <tr>
          <th scope="col">action</th>
          <th scope="col">policy</th>
          <th scope="col">1 step</th>
          {depth > 1 && <th scope="col">{depth} steps</th>}
        </tr>
      </thead>
      <tbody>
        {actions.map((name, a) => (
          <tr key={name} className={a === best ? 'chosen' : undefined}>
            <th scope="row">
              {name}
              {a === best && <span className="visually-hidden">, chosen</span>}
            </th>
            <td>{probs ? percent(probs[a]!) : '–'}</td>
            <td>{worth(near[a]!)}</td>
            {depth > 1 && <td>{worth(Q[a]!)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
