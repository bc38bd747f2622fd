import { updateNumber } from '../../core/counting.ts';
import { useEffect } from 'react';
import { estimators, objectives, optimizers } from '../../slots/methods.ts';
import type { WalkCheck, WalkedUpdate } from '../../worker/protocol.ts';
import { unless } from '../focus.ts';
import { value } from '../format.ts';
import { isTyping } from '../keys.ts';
import { useRunConfig } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';
import { RewardStop, RolloutStop } from './EpisodeStops.tsx';
import { AdvantageStop, ObjectiveStop, OptimizerStopView } from './LearningStops.tsx';
import {
  advantageSentence,
  objectiveSentence,
  optimizerSentence,
  rewardSentence,
  rolloutSentence,
  SLOTS,
  stopsOf,
  type Stop,
} from './stops.ts';
import { begin, finish, go, leave, next, useWalk } from './walk.ts';
import './update.css';

/** One update, slot by slot: what was played, paid, credited, asked for and moved. */
export function UpdatePanel() {
  const { walk, isBusy, why } = useWalk();
  const state = useRun((r) => r.state);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.key.toLowerCase() !== 'd') return;
      if (!useView.getState().keysOn || isTyping(event.target as HTMLElement | null)) return;
      if (useWalk.getState().walk) next();
      else void begin();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  if (walk) return <Walk walk={walk} />;
  const waits = state === 'ready' || state === 'paused';
  return (
    <div className="walk">
      <h2>One update, slot by slot</h2>
      <p>
        Watch one update from the inside. It stops after each of its five slots: <b>rollout</b> (the policy plays),{' '}
        <b>reward</b> (the world pays), <b>advantage</b> (which steps deserve credit), <b>objective</b> (what should
        change) and <b>optimizer</b> (how far it changes). The result is the same as that of an update done at once.
      </p>
      {why !== null && <p role="status">{why}</p>}
      <div className="walkbuttons">
        <button type="button" className="primary" {...unless(!waits || isBusy, () => void begin())}>
          {isBusy ? 'Computing' : 'Walk through the next update'}
        </button>
        <span className="quiet">
          {waits ? 'Key: D' : state === 'running' ? 'Pause the run first.' : 'Reset the run first.'}
        </span>
      </div>
    </div>
  );
}

function Walk({ walk }: { walk: WalkedUpdate }) {
  const { at, isBusy, check } = useWalk();
  const stops = stopsOf(walk);
  const stop = stops[at]!;
  const { snapshot } = walk;
  const here = SLOTS.findIndex((s) => s.slot === stop.slot);
  const of = walk.stops.length > 1 && here >= 3 ? `, optimizer step ${stop.k + 1} of ${walk.stops.length}` : '';
  return (
    <div className="walk">
      <div className="walkhead">
        <ol className="walkslots" aria-label="Slots of the update">
          {SLOTS.map(({ slot, title }, k) => (
            <li key={slot} aria-current={k === here ? 'step' : undefined}>
              <button
                type="button"
                disabled={at < stops.findIndex((s) => s.slot === slot)}
                onClick={() => go(stops.findIndex((s) => s.slot === slot))}
              >
                {k + 1} {title}
              </button>
            </li>
          ))}
        </ol>
        <div className="walkbuttons">
          {check ? (
            <button type="button" className="primary" onClick={() => void leaveAndBegin()}>
              Walk through the next one
            </button>
          ) : (
            <>
              <button type="button" className="primary" {...unless(isBusy || at === stops.length - 1, next)}>
                Next slot
              </button>
              <button type="button" {...unless(isBusy, () => void finish())}>
                Finish update
              </button>
            </>
          )}
          <button type="button" {...unless(isBusy, leave)}>
            {check ? 'Close' : 'Leave'}
          </button>
          <span className="quiet">Key: D</span>
        </div>
      </div>
      <h2>
        Update {updateNumber(snapshot.update)}: {SLOTS[here]!.title.toLowerCase()}
        {of}
      </h2>
      <Said walk={walk} stop={stop} />
      {check && <Checked check={check} />}
      <Shown walk={walk} stop={stop} />
    </div>
  );
}

async function leaveAndBegin(): Promise<void> {
  leave();
  await begin();
}

/** Titles of the methods of the run, and whether other weights play than learn because they are rounded. */
function useTitles(): { method: string; objective: string; optimizer: string; isRounded: boolean } {
  const config = useRunConfig();
  const title = (list: readonly { id: string; title: string }[], id: string | undefined): string =>
    list.find((m) => m.id === id)?.title ?? 'The method';
  return {
    method: title(estimators, config?.advantage.method),
    objective: title(objectives, config?.objective.method),
    optimizer: title(optimizers, config?.optimizer.method),
    isRounded: config !== null && config.rollout['rolloutPrecision'] !== 'f32' && !config.rollout['unifiedPrecision'],
  };
}

/** What just happened, in sentences that a screen reader hears too. */
function Said({ walk, stop }: { walk: WalkedUpdate; stop: Stop }) {
  const titles = useTitles();
  const { snapshot } = walk;
  const backend = useRun((r) => r.backend);
  const sentence = {
    rollout: () => rolloutSentence(snapshot, titles.isRounded),
    reward: () => rewardSentence(snapshot),
    advantage: () => advantageSentence(snapshot, titles.method),
    objective: () => objectiveSentence(walk.stops[stop.k]!, walk, titles.objective),
    optimizer: () => optimizerSentence(walk.stops[stop.k]!, walk, titles.optimizer),
  }[stop.slot]();
  return (
    <>
      <p role="status">{sentence}</p>
      {walk.bad !== null && (
        <p className="issue error">In the {walk.bad} slot a number was not finite: this update would stop the run.</p>
      )}
      {backend === 'webgpu' && stop.slot === 'rollout' && (
        <p className="quiet">
          Computed on the CPU from the exact state of the run; the GPU makes the same update up to its rounding.
        </p>
      )}
    </>
  );
}

function Shown({ walk, stop }: { walk: WalkedUpdate; stop: Stop }) {
  const { method } = useTitles();
  const { snapshot } = walk;
  switch (stop.slot) {
    case 'rollout':
      return <RolloutStop snapshot={snapshot} />;
    case 'reward':
      return <RewardStop snapshot={snapshot} />;
    case 'advantage':
      return <AdvantageStop snapshot={snapshot} method={method} />;
    case 'objective':
      return <ObjectiveStop stop={walk.stops[stop.k]!} snapshot={snapshot} />;
    case 'optimizer':
      return <OptimizerStopView stop={walk.stops[stop.k]!} walk={walk} />;
  }
}

function Checked({ check }: { check: WalkCheck | 'elsewhere' }) {
  if (check === 'elsewhere') return <p role="status">The run had already continued, so this update was only shown.</p>;
  const told = check.isSame
    ? 'The run has made this update. Its parameters are identical, bit for bit, to those shown here.'
    : `The run has made this update. Its parameters differ from the ones shown here by at most ${value(check.largest)}${check.backend === 'webgpu' ? ', because the GPU rounds differently' : ''}.`;
  return (
    <p className="walkdone" role="status">
      {told}
    </p>
  );
}
