import { Pause, Play, RotateCcw, SkipForward, Square } from 'lucide-react';
import { unless } from '../focus.ts';
import { count, duration, short } from '../format.ts';
import { errorsOf, useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { look, useView } from '../stores/view.ts';
import { isStale, pause, reset, start, step, stop } from '../session.ts';

function Progress() {
  const update = useRun((r) => r.update);
  const updates = useRun((r) => r.updates);
  const secondsLeft = useRun((r) => r.secondsLeft);
  return (
    <div className="progress">
      <span className="number">
        {count(update)} / {count(updates)}
      </span>
      <progress value={update} max={Math.max(1, updates)} aria-label="Updates done" />
      <span className="number left">{secondsLeft === null ? '' : `${duration(secondsLeft)} left`}</span>
    </div>
  );
}

function Status() {
  const state = useRun((r) => r.state);
  const backend = useRun((r) => r.backend);
  const name = useRun((r) => r.backendName);
  const stepsPerSecond = useRun((r) => r.stepsPerSecond);
  return (
    <dl className="status">
      <div>
        <dt>State</dt>
        <dd>{state === 'empty' ? 'loading' : state}</dd>
      </div>
      <div>
        <dt>Runs on</dt>
        <dd title={name}>{backend === 'cpu' ? 'CPU' : 'GPU'}</dd>
      </div>
      <div>
        <dt>Steps/s</dt>
        <dd className="number">{stepsPerSecond === null ? '–' : short(stepsPerSecond)}</dd>
      </div>
    </dl>
  );
}

function Seed() {
  const replica = useView((v) => v.replica);
  const seeds = useDraft((d) => d.config.run['seeds'] as number);
  const first = useDraft((d) => d.config.run['seed'] as number);
  return (
    <label className="seed">
      <span>Watching</span>
      <select value={replica} onChange={(event) => look({ replica: Number(event.target.value) })}>
        {Array.from({ length: seeds }, (_, r) => (
          <option key={r} value={r}>
            seed {first + r}
          </option>
        ))}
      </select>
    </label>
  );
}

/** How high the bar is, for what stays below it. */
function tellHeight(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--bar', `${bar.offsetHeight}px`));
  observer.observe(bar);
  return () => observer.disconnect();
}

/** Run, pause, step, stop, reset; how far the run is, where it runs and how fast. The same in every layout. */
export function RunBar() {
  const state = useRun((r) => r.state);
  const update = useRun((r) => r.update);
  const config = useDraft((d) => d.config);
  const isFork = useDraft((d) => d.fork !== null);
  // what is wrong with a fork does not keep its parent from training
  const hasErrors = useDraft((d) => d.fork === null && errorsOf(d.issues).length > 0);
  const isRunning = state === 'running';
  const isOver = state === 'finished' || state === 'failed';
  const isStuck = state === 'empty' || hasErrors;
  return (
    <section className="runbar" aria-label="Run" ref={tellHeight}>
      {isRunning ? (
        <button type="button" className="primary" onClick={() => void pause()}>
          <Pause aria-hidden size={16} /> Pause
        </button>
      ) : (
        <button
          type="button"
          className="primary"
          disabled={isStuck || (isOver && state === 'failed')}
          onClick={() => void (isOver ? reset().then(start) : start())}
        >
          <Play aria-hidden size={16} /> {update > 0 && !isOver ? 'Resume' : 'Run'}
        </button>
      )}
      <button type="button" {...unless(isStuck || isRunning || isOver, () => void step())} aria-label="Step one update">
        <SkipForward aria-hidden size={16} /> <span className="only-wide">Step</span>
      </button>
      <button type="button" {...unless(!isRunning && state !== 'paused', () => void stop())} aria-label="Stop">
        <Square aria-hidden size={16} /> <span className="only-wide">Stop</span>
      </button>
      <button type="button" disabled={state === 'empty' || hasErrors} onClick={() => void reset()} aria-label="Reset">
        <RotateCcw aria-hidden size={16} /> <span className="only-wide">Reset</span>
      </button>
      <Progress />
      <Seed />
      <Status />
      {!isFork && isStale(config, update) && <p className="stale">Settings have changed: they count after Reset.</p>}
    </section>
  );
}
