import { Pause, Play, RotateCcw, SkipForward } from 'lucide-react';
import { problemText } from '../../config/problems.ts';
import { unless } from '../focus.ts';
import { count } from '../format.ts';
import { isOfDevice } from '../notices/seen.ts';
import { restart } from '../restart.ts';
import { reset, step } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { useEmbed } from './embedStore.ts';
import { OpenInLab } from './OpenInLab.tsx';
import { rest, runInSight } from './sight.ts';

/** Name of the experiment, what can be done with it, and how far it is. */
export function EmbedBar() {
  const { controls, run } = useEmbed((e) => e.options);
  const title = useDraft((d) => d.title || d.baseTitle);
  const hasRun = controls !== 'none' || run;
  return (
    <header className="embedbar">
      <h1>{title}</h1>
      {hasRun && <RunButton />}
      {controls === 'full' && <StepAndReset />}
      <Progress />
      {controls !== 'none' && <OpenInLab />}
      <Notes />
    </header>
  );
}

function RunButton() {
  const state = useRun((r) => r.state);
  const update = useRun((r) => r.update);
  const doing = useRun((r) => r.doing);
  const waits = useRun((r) => r.waits);
  const isOver = state === 'finished' || state === 'failed';
  const isLoading = state === 'empty' && (doing !== null || waits === null);
  if (state === 'running' || doing === 'starting')
    return (
      <button type="button" className="primary" onClick={() => void rest()}>
        <Pause aria-hidden size={16} /> Pause
      </button>
    );
  return (
    <button type="button" className="primary" {...unless(isLoading, () => void (isOver ? restart() : runInSight()))}>
      <Play aria-hidden size={16} /> {update === 0 ? 'Run' : isOver ? 'Run again' : 'Resume'}
    </button>
  );
}

function StepAndReset() {
  const state = useRun((r) => r.state);
  const update = useRun((r) => r.update);
  const isAtRest = state === 'ready' || state === 'paused';
  return (
    <>
      <button type="button" aria-label="Step one update" {...unless(!isAtRest, () => void step())}>
        <SkipForward aria-hidden size={16} />
      </button>
      <button type="button" aria-label="Reset" {...unless(update === 0, () => void reset())}>
        <RotateCcw aria-hidden size={16} />
      </button>
    </>
  );
}

function Progress() {
  const hasBegun = useEmbed((e) => e.hasBegun);
  const update = useRun((r) => r.update);
  const updates = useRun((r) => r.updates);
  const state = useRun((r) => r.state);
  const waits = useRun((r) => r.waits);
  const words = state === 'empty' && waits === 'large' ? 'large: prepared when you press Run' : state;
  return (
    <span className="number embedprogress" title="Updates done">
      {!hasBegun || (state === 'empty' && waits === null)
        ? 'preparing…'
        : `${count(update)} / ${count(updates)} · ${words}`}
    </span>
  );
}

/** What a reader has to know about the run: troubles, and why it has not started by itself. */
function Notes() {
  const problems = useRun((r) => r.problems);
  const whyNot = useEmbed((e) => e.whyNot);
  const shown = problems.filter((problem) => !isOfDevice(problem));
  return (
    <>
      {whyNot !== '' && <p className="quiet embednote">{whyNot}</p>}
      {shown.map((problem) => {
        const { title, sentence, way } = problemText(problem);
        return (
          <p key={problem.kind} className="embednote" role="alert">
            <strong>{title}.</strong> {sentence} {way}
          </p>
        );
      })}
    </>
  );
}
