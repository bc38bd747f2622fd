import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, Pause, Play } from 'lucide-react';
import { useEffect, type KeyboardEvent } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { useRun } from '../stores/run.ts';
import { look, select, useView } from '../stores/view.ts';
import { useIsStill } from '../useTheme.ts';

type Props = { snapshot: Snapshot | null; trajectory: number; step: number };

const STEP_MS = 400;

/** Episode to watch next when following: the next one with success, else simply the next. */
export function nextEpisode(success: Uint32Array, after: number): number {
  for (let k = 1; k <= success.length; k++) {
    const i = (after + k) % success.length;
    if (success[i] === 1) return i;
  }
  return (after + 1) % success.length;
}

/** Walks through an episode. Display speed never touches the training. */
export function Player({ snapshot, trajectory: i, step: t }: Props) {
  const isFollowing = useView((v) => v.isFollowing);
  const isPlaying = useView((v) => v.isPlaying);
  const speed = useView((v) => v.speed);
  const isRunning = useRun((r) => r.state === 'running');
  const isStill = useIsStill();
  const length = snapshot ? snapshot.length[i]! : 0;
  const moves = isPlaying || (isFollowing && isRunning && !isStill);

  useEffect(() => {
    if (!snapshot || !moves) return;
    const timer = setInterval(() => {
      const view = useView.getState();
      const end = snapshot.length[Math.min(view.trajectory, snapshot.B - 1)]!;
      if (view.step < end) look({ step: view.step + 1 });
      else if (view.isFollowing) look({ trajectory: nextEpisode(snapshot.success, view.trajectory), step: 0 });
      else look({ isPlaying: false });
    }, STEP_MS / speed);
    return () => clearInterval(timer);
  }, [snapshot, moves, speed]);

  if (!snapshot) return null;
  const go = (to: number): void => select(i, Math.max(0, Math.min(length, to)));
  const onKey = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: t - 1, ArrowRight: t + 1, Home: 0, End: length }[event.key];
    if (to === undefined || (event.target as HTMLElement).tagName === 'INPUT') return;
    event.preventDefault();
    go(to);
  };
  return (
    <div className="player" role="group" aria-label="Episode player" onKeyDown={onKey}>
      <button type="button" className="icon" aria-label="First step" onClick={() => go(0)}>
        <ChevronFirst aria-hidden size={18} />
      </button>
      <button type="button" className="icon" aria-label="Step back" onClick={() => go(t - 1)}>
        <ChevronLeft aria-hidden size={18} />
      </button>
      <button
        type="button"
        className="icon"
        aria-label={moves ? 'Hold the episode' : 'Play the episode'}
        onClick={() =>
          moves
            ? look({ isPlaying: false, isFollowing: false })
            : look({ isPlaying: true, isFollowing: false, step: t >= length ? 0 : t })
        }
      >
        {moves ? <Pause aria-hidden size={18} /> : <Play aria-hidden size={18} />}
      </button>
      <button type="button" className="icon" aria-label="Step forward" onClick={() => go(t + 1)}>
        <ChevronRight aria-hidden size={18} />
      </button>
      <button type="button" className="icon" aria-label="Last step" onClick={() => go(length)}>
        <ChevronLast aria-hidden size={18} />
      </button>
      <input
        type="range"
        aria-label="Step of the episode"
        min={0}
        max={length}
        value={t}
        onChange={(event) => go(Number(event.target.value))}
      />
      <span className="number">
        episode {i + 1} of {snapshot.B}, step {t} of {length}
      </span>
      <label className="inline">
        <span className="visually-hidden">Speed</span>
        <select value={speed} onChange={(event) => look({ speed: Number(event.target.value) as 1 | 4 | 16 })}>
          <option value={1}>1×</option>
          <option value={4}>4×</option>
          <option value={16}>16×</option>
        </select>
      </label>
      <button
        type="button"
        aria-pressed={isFollowing}
        onClick={() => look({ isFollowing: !isFollowing, isPlaying: false })}
      >
        Follow training
      </button>
    </div>
  );
}
