import { isEmbed } from '../isEmbed.ts';
import { useRun } from '../stores/run.ts';
import { reportUnexpected } from '../notices/unexpected.ts';
import { savesData } from '../savesData.ts';
import { isStillNow } from '../useTheme.ts';
import { openArm, show, useDrive } from './drive.ts';
import { openLesson } from './lessonActions.ts';
import { useLesson } from './lessonStore.ts';

/** True where the reader has asked for little data, or for nothing that moves, and in a frame of another page. */
const isQuiet = (): boolean => isEmbed || isStillNow() || savesData() || matchMedia('(max-width: 760px)').matches;

/**
 * Opens a lesson. One of the lab brings its first experiment onto the stage, and something moves where its first button
 * says so; a run that is there stays. Nothing of a lesson from a file starts by itself.
 */
export async function begin(id: string): Promise<void> {
  try {
    useDrive.setState({ beside: 'watch', at: null, problem: null });
    await openLesson(id);
    const { lesson, isOwn, state } = useLesson.getState();
    if (state !== 'open' || isOwn || useRun.getState().update > 0 || useRun.getState().state === 'running') return;
    const first = lesson!.blocks.find((block) => 'show' in block);
    const arm = lesson!.arms.find((one) => one.id === first?.show.arm) ?? lesson!.arms[0]!;
    if (first?.show.run && !isQuiet()) await show({ ...first.show, arm: arm.id });
    else await openArm(arm);
  } catch (error) {
    reportUnexpected(error);
  }
}
