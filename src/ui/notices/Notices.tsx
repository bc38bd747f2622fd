import { X } from 'lucide-react';
import { problemText } from '../../config/problems.ts';
import type { Problem } from '../../core/problem.ts';
import { leaveTo, RUN_BUTTON } from '../focus.ts';
import { useDraft } from '../stores/draft.ts';
import { dismiss, useRun } from '../stores/run.ts';
import { toClipboard } from '../share/toClipboard.ts';
import { say } from './say.ts';
import { remember } from './seen.ts';

const QUIET = ['noWebGpu', 'softwareAdapter', 'storageFull', 'runLost'];

/** What to send to whoever helps: versions, device and the experiment, nothing personal. */
async function reportOf(problem: Problem): Promise<string> {
  const { linkOf } = await import('../share/linkOf.ts');
  const { backendName, update, device } = useRun.getState();
  return JSON.stringify(
    { problem, update, backend: backendName, adapter: device?.adapter, browser: navigator.userAgent, link: linkOf() },
    null,
    1,
  );
}

async function copyReport(problem: Problem): Promise<void> {
  await toClipboard(reportOf(problem));
  say('The report is in the clipboard.');
}

function close(problem: Problem): void {
  remember(problem);
  dismiss(problem);
}

/** Every trouble in words: what happened, what it means, what can be done. */
export function Notices() {
  // who has chosen the software device knows of it
  const wantsGpu = useDraft((d) => d.config.run['backend'] === 'webgpu');
  const problems = useRun((r) => r.problems).filter((p) => !(wantsGpu && p.kind === 'softwareAdapter'));
  return (
    <section className="notices" aria-label="Notices">
      {problems.map((problem) => {
        const { title, sentence, way } = problemText(problem);
        const isQuiet = QUIET.includes(problem.kind);
        return (
          <div key={problem.kind} className={isQuiet ? 'notice' : 'notice serious'} role={isQuiet ? 'note' : 'alert'}>
            <p>
              <strong>{title}.</strong> {sentence} {way}
            </p>
            {!isQuiet && (
              <button type="button" onClick={() => void copyReport(problem)}>
                Copy report
              </button>
            )}
            <button
              type="button"
              className="icon"
              aria-label={`Close: ${title}`}
              onClick={() => leaveTo(() => close(problem), '.notices .icon', RUN_BUTTON)}
            >
              <X aria-hidden size={16} />
            </button>
          </div>
        );
      })}
    </section>
  );
}
