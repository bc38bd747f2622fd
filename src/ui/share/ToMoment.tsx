import type { Moment } from '../../config/moment.ts';
import { reset, runConfig, start } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { look } from '../stores/view.ts';
import { lookAround, useShared } from './shownMoment.ts';

/** True where the run on the page is another one, or past the update. */
function startsOver(wanted: number): boolean {
  const { update } = useRun.getState();
  return update > wanted || (update > 0 && useDraft.getState().config !== runConfig());
}

/** Trains to the update of the moment, from the start where the run is past it, then shows what its sender saw there. */
async function goTo(moment: Moment): Promise<void> {
  const { update, replica, trajectory, step } = moment;
  if (startsOver(update)) await reset();
  const left = update - useRun.getState().update;
  if (left > 0) {
    await start(left);
    await new Promise<void>((done) => {
      const stop = useRun.subscribe(({ state, update: now }) => {
        if (state === 'running' || now < update) return;
        stop();
        done();
      });
    });
  }
  look({ replica, trajectory, step, isFollowing: false, isPlaying: false });
  lookAround(moment);
}

/** The moment that a link holds: where its sender was, and the way there. */
export function ToMoment() {
  const moment = useShared((s) => s.moment);
  const isOpen = useDraft((d) => d.own !== null);
  const update = useRun((r) => r.update);
  if (!moment || !isOpen) return null;
  const run = `un to update ${moment.update}`;
  const words = startsOver(moment.update) ? `Start over and r${run}` : update < moment.update ? `R${run}` : 'Show it';
  return (
    <p>
      It shows update {moment.update}, step {moment.step} of episode {moment.trajectory + 1}.{' '}
      <button type="button" onClick={() => void goTo(moment)}>
        {words}
      </button>
    </p>
  );
}
