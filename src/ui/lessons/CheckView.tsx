import { Check, X } from 'lucide-react';
import type { CheckSpec } from '../../lessons/format/lesson.ts';
import { expectedWords, shownValue, SOURCE_WORDS } from '../../lessons/format/words.ts';
import { unless } from '../focus.ts';
import { runArms } from './lessonActions.ts';
import { unanswered, useLesson, type Judged } from './lessonStore.ts';

/** A claim of the lesson, by number: what it has come to on this run, and what was expected. */
export function CheckView({ id }: { readonly id: string }) {
  const check = useLesson((l) => l.lesson!.checks.find((one) => one.id === id)!);
  const judged = useLesson((l) => l.judged[id]);
  // the claim would give away what is asked before it
  const isHidden = useLesson((l) => {
    const k = l.lesson!.blocks.findIndex((block) => 'check' in block && block.check === id);
    return !judged && unanswered(l.lesson!.blocks, k, l.answers).length > 0;
  });
  const state = !judged ? 'open' : judged.passed ? 'passed' : 'failed';
  return (
    <div className="checkblock" data-check={id} data-passed={state}>
      <p>
        <span className="blockname">Check</span>{' '}
        {isHidden ? <span className="quiet">It is shown once you have predicted.</span> : check.says}
      </p>
      {!isHidden && <Verdict check={check} judged={judged} />}
      {judged && !judged.passed && <RunAgain id={id} />}
      {!isHidden && (
        <p className="quiet">
          Expected: {expectedWords(check)}. Where that comes from: {SOURCE_WORDS[check.source]}.
        </p>
      )}
    </div>
  );
}

/** Passed, or not on this run; never more than that. */
export function Verdict({ check, judged }: { readonly check: CheckSpec; readonly judged: Judged | undefined }) {
  if (!judged) return <p className="quiet">Judged by number after the run.</p>;
  const { passed, value, problem, isBefore } = judged;
  const when = isBefore ? 'on your last visit' : 'on this run';
  return (
    <p className="lessonverdict" data-passed={passed} role="status">
      {passed ? <Check aria-hidden size={16} /> : <X aria-hidden size={16} />}
      <span>
        {problem === null ? (
          <>
            {passed ? 'It happened' : 'It did not happen'} {when}: the value is <strong>{shownValue(value)}</strong>,
            expected {expectedWords(check)}.
          </>
        ) : (
          `It could not be judged: ${problem}`
        )}
      </span>
    </p>
  );
}

/** The same arms with other seeds: chance may have had a hand in it, or the claim is wrong. */
function RunAgain({ id }: { readonly id: string }) {
  const arms = useLesson((l) => l.armsOf[id]);
  const isBusy = useLesson((l) => l.training !== null);
  const lesson = useLesson((l) => l.lesson!);
  if (!arms || arms.length === 0) return null;
  const k = lesson.blocks.findIndex((block) => 'run' in block && block.run.some((arm) => arms.includes(arm)));
  const block = lesson.blocks[k];
  const chart = block && 'run' in block ? block.chart : ['success'];
  const all = block && 'run' in block ? [...new Set([...block.run, ...arms])] : arms;
  return (
    <p>
      <button type="button" {...unless(isBusy, () => void runArms(`block ${k}`, all, chart, true))}>
        Run again with other seeds
      </button>
    </p>
  );
}
