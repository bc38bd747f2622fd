import { Pause, Play, RotateCcw, SkipForward, Square, Undo2 } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { focusOn, RUN_BUTTON, unless } from '../focus.ts';
import { part } from '../Part.tsx';
import { useIsNarrow } from '../useTheme.ts';
import { count, short } from '../format.ts';
import { errorsOf, useDraft } from '../stores/draft.ts';
import { useRun, type RunInfo } from '../stores/run.ts';
import { look, useView } from '../stores/view.ts';
import { restart } from '../restart.ts';
import { isStale, pause, reset, start, step, stop, undo } from '../session.ts';
import { nameOf, useBefore } from '../before.ts';
import { isOfDevice } from '../notices/seen.ts';
import { Pace } from './Pace.tsx';

// nothing is known of the time before the worker has measured it
const Cost = part(() => import('./Cost.tsx').then((m) => m.Cost), '');

// most runs do not choose, or have not yet
const Choice = part(() => import('./Choice.tsx').then((m) => m.Choice));

// most pages are isolated
const OneCore = part(() => import('./OneCore.tsx').then((m) => m.OneCore));

// most experiments have nothing to mend
const ToFix = part(() => import('./ToFix.tsx').then((m) => m.ToFix));

function Progress() {
  const update = useRun((r) => r.update);
  const updates = useRun((r) => r.updates);
  return (
    <div className="progress">
      <span className="number">
        {count(update)} / {count(updates)}
      </span>
      <progress value={update} max={Math.max(1, updates)} aria-label="Updates done" />
      <span className="number left">
        <Cost />
      </span>
    </div>
  );
}

/** What the run does, or what the page is just doing about it. */
function stateWords({ state, doing, waits }: RunInfo): string {
  if (doing !== null) return `${doing}…`;
  if (state !== 'empty') return state;
  return waits === 'large' ? 'waits for Run' : waits === 'refused' ? 'not loaded' : 'loading…';
}

function Status() {
  const state = useRun(stateWords);
  const isTold = useRun((r) => r.problems.some(isOfDevice));
  const isNarrow = useIsNarrow();
  const backend = useRun((r) => r.backend);
  const name = useRun((r) => r.backendName);
  const stepsPerSecond = useRun((r) => r.stepsPerSecond);
  return (
    <dl className="status">
      <div>
        <dt>State</dt>
        <dd>{state}</dd>
      </div>
      <div>
        <dt>Runs on</dt>
        <dd title={name}>
          {isTold && isNarrow && backend === 'cpu' ? (
            <button
              type="button"
              className="chip"
              aria-label="CPU? Why it runs there"
              onClick={() => look({ isCpuTold: true })}
            >
              CPU?
            </button>
          ) : (
            <a href="#/check" aria-label={`${backend === 'cpu' ? 'CPU' : 'GPU'}: check this device`}>
              {backend === 'cpu' ? 'CPU' : 'GPU'}
            </a>
          )}
        </dd>
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
    <label className="seed" title="The seed on the stage">
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

/**
 * Choosing another experiment, Reset and loading take nothing away: what was there before comes back. Its place is there
 * from the start, so that nothing moves when it comes.
 */
function UndoButton() {
  const before = useBefore((b) => b.before);
  const isBusy = useRun((r) => r.doing !== null);
  const name = before ? `Undo: back to ${nameOf(before)}` : undefined;
  const button = useRef<HTMLButtonElement>(null);
  // out of sight nothing keeps the focus
  useLayoutEffect(() => {
    if (!before && document.activeElement === button.current) focusOn(RUN_BUTTON);
  }, [before]);
  return (
    <button
      ref={button}
      type="button"
      className={before ? undefined : 'nothingyet'}
      {...unless(isBusy, () => void undo())}
      aria-label={name}
      title={name}
    >
      <Undo2 aria-hidden size={16} /> <span className="only-wide">Undo</span>
    </button>
  );
}

// phones only
const Sparkline = part(() => import('./Sparkline.tsx').then((m) => m.Sparkline));

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
  const updates = useRun((r) => r.updates);
  const isNarrow = useIsNarrow();
  const config = useDraft((d) => d.config);
  const isFork = useDraft((d) => d.fork !== null);
  // what is wrong with a fork does not keep its parent from training
  const hasErrors = useDraft((d) => d.fork === null && errorsOf(d.issues).length > 0);
  const isRunning = state === 'running';
  const isOver = state === 'finished' || state === 'failed';
  const isLoading = useRun((r) => r.state === 'empty' && r.doing === null && r.waits === null);
  const isLarge = useRun((r) => r.waits === 'large' && r.doing === null);
  // a press can be taken back before its run has begun
  const isStarting = useRun((r) => r.doing === 'starting');
  const isChoosing = useRun((r) => r.choice !== null);
  const isStuck = isLoading || hasErrors;
  return (
    <section className="runbar" aria-label="Run" ref={tellHeight}>
      {isRunning || isStarting ? (
        <button type="button" className="primary" onClick={() => void pause()}>
          <Pause aria-hidden size={16} /> Pause
        </button>
      ) : (
        <button
          type="button"
          className="primary"
          disabled={isStuck || (isOver && state === 'failed')}
          onClick={() => void (isOver ? restart() : start())}
        >
          <Play aria-hidden size={16} /> {update === 0 ? 'Run' : isOver ? 'Run again' : 'Resume'}
        </button>
      )}
      {hasErrors && <ToFix />}
      <button type="button" {...unless(isStuck || isRunning || isOver, () => void step())} aria-label="Step one update">
        <SkipForward aria-hidden size={16} /> <span className="only-wide">Step</span>
      </button>
      <button type="button" {...unless(!isRunning && state !== 'paused', () => void stop())} aria-label="Stop">
        <Square aria-hidden size={16} /> <span className="only-wide">Stop</span>
      </button>
      <button type="button" disabled={hasErrors} onClick={() => void reset()} aria-label="Reset">
        <RotateCcw aria-hidden size={16} /> <span className="only-wide">Reset</span>
      </button>
      <UndoButton />
      <Pace />
      <Progress />
      <Seed />
      <Status />
      {isNarrow && update > 0 && <Sparkline update={update} updates={updates} />}
      {isChoosing && <Choice />}
      {!crossOriginIsolated && isRunning && <OneCore />}
      {isLarge && <p className="stale">This experiment is large: it is prepared when you press Run.</p>}
      {!isFork && !hasErrors && isStale(config, update) && (
        <p className="stale">Settings have changed: they take effect after Reset.</p>
      )}
    </section>
  );
}
