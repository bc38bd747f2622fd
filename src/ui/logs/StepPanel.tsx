import { ActionsTable } from '../inspector/ActionsTable.tsx';
import { Terms } from '../inspector/Terms.tsx';
import type { Opened } from '../../logs/desk.ts';
import type { ToldStep } from '../../logs/stepOf.ts';
import { signed } from '../format.ts';
import { desk } from './desk.ts';
import { useLogs } from './logStore.ts';
import { STEP_HEADING } from './showStep.ts';
import { useAnswer } from './useAnswer.ts';

/** Characters of a text that are shown at first. */
const CUT = 900;

/** One step in every detail: its words, its credit by each estimator, how one of them came about, and who else was there. */
export function StepPanel({ opened }: { opened: Opened }) {
  const { pinned, told, chosen, given, reading } = useLogs();
  const id = chosen.includes(told) ? told : (chosen[0] ?? told);
  const about = JSON.stringify([given.length, reading, pinned, id, chosen]);
  const { answer: step } = useAnswer(() => desk().step(pinned, id, chosen), about);
  const titles = new Map(opened.offered.map((o) => [o.id, o.title]));
  return (
    <section className="inspector logstep" aria-label="One step">
      <h2 id={STEP_HEADING} tabIndex={-1}>
        One step
      </h2>
      {!step ? (
        <p className="quiet">The worker is computing it.</p>
      ) : (
        <>
          <p className="sees">{sentenceOf(step)}</p>
          <Words name="State before the step" text={step.state} />
          <Words name="Action" text={step.action} />
          {step.said !== step.action && <Words name="What was said" text={step.said} />}
          <label className="inline">
            Credit by{' '}
            <select value={id} onChange={({ target }) => useLogs.setState({ told: target.value })}>
              {chosen.map((name) => (
                <option key={name} value={name}>
                  {titles.get(name)}
                </option>
              ))}
            </select>
          </label>
          {step.A !== null && <Terms answer={{ explanation: step.explanation, A: step.A, parts: [], why: null }} />}
          <Choices step={step} />
        </>
      )}
    </section>
  );
}

function sentenceOf(step: ToldStep): string {
  const ends = step.isSuccess ? 'succeeded' : 'did not succeed';
  const credit = step.credit
    .map(({ title, A }) => `${title} ${A > 0 ? '▲' : A < 0 ? '▼' : '·'} ${signed(A)}`)
    .join(', ');
  return (
    `Step ${step.t + 1} of ${step.length} of episode “${step.episode.slice(0, 80)}” (line ${step.line}), which ${ends} ` +
    `with outcome ${signed(step.outcome)}; reward of this step ${signed(step.reward)}. Credit: ${credit}.`
  );
}

/** A text of the log, as text. */
function Words({ name, text }: { name: string; text: string }) {
  if (text === '') return null;
  const [first, rest] = [text.slice(0, CUT), text.slice(CUT)];
  return (
    <div className="logwords">
      <h3>{name}</h3>
      <pre tabIndex={0}>{first}</pre>
      {rest !== '' && (
        <details className="more">
          <summary>{rest.length} more characters</summary>
          <pre tabIndex={0}>{rest}</pre>
        </details>
      )}
    </div>
  );
}

function Choices({ step }: { step: ToldStep }) {
  const { choices, visits } = step;
  if (visits === 0) return null;
  return (
    <section className="members">
      <h3>Who else was in this state?</h3>
      <p className="quiet">
        {visits === 1
          ? 'No other step of this task began in this state, so there is nothing to compare it with.'
          : `${visits} steps of this task began in this state${choices.length === 1 ? ', and all did the same' : ''}.`}
      </p>
      {visits > 1 && choices[0]!.action !== '' && (
        <div className="tablebox" tabIndex={0} role="region" aria-label="Actions in this state">
          <ActionsTable rows={choices.map((c) => ({ ...c, action: c.action.slice(0, 120), judged: null }))} />
        </div>
      )}
    </section>
  );
}
