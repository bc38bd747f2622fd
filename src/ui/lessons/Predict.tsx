import { useId, useState } from 'react';
import type { Prediction } from '../../lessons/format/blocks.ts';
import { answer } from './lessonActions.ts';
import { useLesson } from './lessonStore.ts';

/** A question before the run. The answer is kept; once the run has shown what is right, it stands. */
export function Predict({ prediction, k }: { readonly prediction: Prediction; readonly k: number }) {
  const given = useLesson((l) => l.answers[prediction.id]);
  // what comes next has been run, or runs: a prediction afterwards would be none
  const isOver = useLesson((l) => {
    const next = l.lesson!.blocks.slice(k).find((block) => 'run' in block);
    return next?.run.some((arm) => l.trained[arm] || l.training?.arms.some(({ id }) => id === arm)) ?? false;
  });
  return (
    <fieldset className="predict" disabled={isOver}>
      <legend>
        <span className="blockname">Predict</span> {prediction.question}
      </legend>
      {prediction.choices ? (
        prediction.choices.map((choice, c) => (
          <label key={c} className="predictchoice">
            <input
              type="radio"
              name={`predict-${prediction.id}`}
              checked={given === c}
              onChange={() => answer(prediction.id, c)}
            />
            <span>{choice}</span>
          </label>
        ))
      ) : (
        <NumberAnswer prediction={prediction} given={given} />
      )}
      {isOver && <p className="quiet">Your answer stands: the run has begun.</p>}
    </fieldset>
  );
}

function NumberAnswer({ prediction, given }: { readonly prediction: Prediction; readonly given: number | undefined }) {
  const id = useId();
  const [typed, type] = useState<string | null>(null);
  const { min, max, unit } = prediction.number!;
  const read = (text: string): number | null => {
    const n = text.trim() === '' ? NaN : Number(text);
    return n >= min && n <= max ? n : null;
  };
  const isBad = typed !== null && read(typed) === null;
  return (
    <p className="numberanswer">
      <label htmlFor={id}>
        Your answer, from {min} to {max}
        {unit && ` ${unit}`}
      </label>{' '}
      <input
        id={id}
        type="number"
        step="any"
        min={min}
        max={max}
        value={typed ?? (given === undefined ? '' : String(given))}
        aria-invalid={isBad || undefined}
        aria-describedby={isBad ? `${id}-bad` : undefined}
        onBlur={() => type(null)}
        onChange={({ target }) => {
          type(target.value);
          const n = read(target.value);
          if (n !== null) answer(prediction.id, n);
        }}
      />
      {isBad && (
        <span id={`${id}-bad`} className="issue error" role="alert">
          {' '}
          A number from {min} to {max}, please.
        </span>
      )}
    </p>
  );
}
