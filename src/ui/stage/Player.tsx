import { updateNumber } from '../../core/counting.ts';
import {
  ChevronDown,
  ChevronFirst,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  ChevronUp,
  Pause,
  Play,
} from 'lucide-react';
import { useState } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { part } from '../Part.tsx';
import { useRun } from '../stores/run.ts';
import { look, select, useView } from '../stores/view.ts';
import { batchOf, cameFrom, isBeside, type Beside } from './beside.ts';
import { episodeSentence, isDemonstration, isHinted, membersOf } from './episodes.ts';
import { useIsMoving } from './playback.ts';
import { showBatch } from './shown.ts';

// only who asks what the steps were paid needs it
const SignalStrips = part(
  () => import('../rewards/SignalStrips.tsx').then((m) => m.SignalStrips),
  <p className="quiet">One moment.</p>,
);

type Props = { snapshot: Snapshot; trajectory: number; step: number };

/** Walks through an episode, and chooses one: task, episode of its group, step. Never touches the training. */
export function Player({ snapshot, trajectory: i, step: t }: Props) {
  const isFollowing = useView((v) => v.isFollowing);
  const speed = useView((v) => v.speed);
  const isMoving = useIsMoving();
  const [isPaid, setPaid] = useState(false);
  const Chevron = isPaid ? ChevronUp : ChevronDown;
  const length = snapshot.length[i]!;
  const go = (to: number): void => select(i, Math.max(0, Math.min(length, to)));
  const play = (): void =>
    isMoving
      ? look({ isPlaying: false, isFollowing: false })
      : look({ isPlaying: true, isFollowing: false, trajectory: i, step: t >= length - 1 ? 0 : t });
  return (
    <div className="player" role="group" aria-label="Episode player">
      <div className="transport">
        <Icon label="First step" onClick={() => go(0)} icon={ChevronFirst} />
        <Icon label="Step back" onClick={() => go(t - 1)} icon={ChevronLeft} />
        <Icon
          label={isMoving ? 'Pause the episode' : 'Play the episode'}
          onClick={play}
          icon={isMoving ? Pause : Play}
        />
        <Icon label="Step forward" onClick={() => go(t + 1)} icon={ChevronRight} />
        <Icon label="Last step" onClick={() => go(length)} icon={ChevronLast} />
        <input
          type="range"
          aria-label="Step of the episode"
          aria-valuetext={`step ${t} of ${length}`}
          min={0}
          max={length}
          value={t}
          onChange={(event) => go(Number(event.target.value))}
        />
        <span className="number steps">
          {t} / {length}
        </span>
      </div>
      <div className="pick">
        {isBeside(snapshot) ? (
          <BesidePicker beside={snapshot} trajectory={i} />
        ) : (
          <Pickers snapshot={snapshot} trajectory={i} />
        )}
        <label className="inline">
          Speed{' '}
          <select value={speed} onChange={(event) => look({ speed: Number(event.target.value) as 1 | 4 | 16 })}>
            <option value={1}>1×</option>
            <option value={4}>4×</option>
            <option value={16}>16×</option>
          </select>
        </label>
        <button
          type="button"
          aria-pressed={isFollowing}
          title="Show episodes of the newest batch while training runs"
          onClick={() => look({ isFollowing: !isFollowing, isPlaying: false })}
        >
          Follow training
        </button>
        {!isBeside(snapshot) && (
          <button
            type="button"
            className="slimmore"
            aria-expanded={isPaid}
            title="What each step was paid, and what the world reported of it"
            onClick={() => setPaid(!isPaid)}
          >
            Rewards <Chevron aria-hidden size={16} />
          </button>
        )}
      </div>
      <Where snapshot={snapshot} trajectory={i} isFollowing={isFollowing} />
      {isPaid && !isBeside(snapshot) && <SignalStrips snapshot={snapshot} i={i} t={Math.min(t, length - 1)} />}
    </div>
  );
}

type IconProps = { label: string; onClick: () => void; icon: typeof Play };

function Icon({ label, onClick, icon: Shape }: IconProps) {
  return (
    <button type="button" className="icon" aria-label={label} title={label} onClick={onClick}>
      <Shape aria-hidden size={18} />
    </button>
  );
}

/** Task, then episode within the group of that task. */
function Pickers({ snapshot, trajectory: i }: Omit<Props, 'step'>) {
  const task = snapshot.taskIndex[i]!;
  const tasks = [...new Set(snapshot.taskIndex)].sort((a, b) => a - b);
  const members = membersOf(snapshot.taskIndex, task);
  return (
    <>
      <label className="inline">
        Task{' '}
        <select
          value={task}
          onChange={(event) => select(membersOf(snapshot.taskIndex, Number(event.target.value))[0]!, 0)}
        >
          {tasks.map((g) => (
            <option key={g} value={g}>
              {g + 1}
            </option>
          ))}
        </select>
      </label>
      <label className="inline">
        Episode{' '}
        <select value={i} onChange={(event) => select(Number(event.target.value), 0)}>
          {members.map((m, k) => (
            <option key={m} value={m}>
              {k + 1} of {members.length} {snapshot.success[m] === 1 ? '✓' : '✗'} {snapshot.length[m]} steps
              {isDemonstration(snapshot, m) && ', demonstration'}
              {isHinted(snapshot, m) && ', with a hint'}
              {(snapshot.repairs?.[m] ?? 0) > 0 && ', repaired'}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

/** One of the episodes that trained beside the batch, or back to those of the batch. */
function BesidePicker({ beside, trajectory: i }: { beside: Beside; trajectory: number }) {
  return (
    <>
      <label className="inline">
        Beside the batch{' '}
        <select value={i} onChange={(event) => select(Number(event.target.value), 0)}>
          {beside.rows.map((_, k) => (
            <option key={k} value={k}>
              {k + 1} of {beside.B} {beside.success[k] === 1 ? '✓' : '✗'} {beside.length[k]} steps,{' '}
              {cameFrom(beside, k)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" onClick={() => (select(0, 0), showBatch(batchOf(beside)))}>
        Back to the batch
      </button>
    </>
  );
}

/** Which batch this is, and whether training has gone on since. */
function Where({ snapshot, trajectory: i, isFollowing }: Omit<Props, 'step'> & { isFollowing: boolean }) {
  const update = useRun((r) => r.update);
  const behind = update - updateNumber(snapshot.update);
  return (
    <p className="quiet where">
      {episodeSentence(snapshot, i)}
      {!isFollowing && behind > 0 && <strong> Kept while you look: training is {behind} updates ahead.</strong>}
    </p>
  );
}
