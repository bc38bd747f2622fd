import type { Problem } from '../../core/problem.ts';
import { part } from '../Part.tsx';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { useIsRoomy } from '../useTheme.ts';
import { isOfDevice } from './seen.ts';

// the words for all that may go wrong are many; most visits need none, or those about their device
const Notice = part(() => import('./Notice.tsx').then((m) => m.Notice));

function useProblems(ofHeader: boolean): readonly Problem[] {
  // who has chosen the software device knows of it, and without any device the experiment is refused with its own notice
  const wantsGpu = useDraft((d) => d.config.run['backend'] === 'webgpu');
  const isRoomy = useIsRoomy();
  return useRun((r) => r.problems).filter((p) => (isOfDevice(p) ? !wantsGpu && isRoomy === ofHeader : !ofHeader));
}

/** What most people learn of their device on their first visit: in the header, where it covers nothing. */
export function DeviceNotice() {
  return useProblems(true).map((problem) => (
    <div key={problem.kind} className="headnotice">
      <Notice problem={problem} />
    </div>
  ));
}

/** Every trouble in words: what happened, what it means, what can be done. */
export function Notices() {
  const problems = useProblems(false);
  return (
    <section className="notices" aria-label="Notices">
      {problems.map((problem) => (
        <Notice key={problem.kind} problem={problem} />
      ))}
    </section>
  );
}
