import { X } from 'lucide-react';
import { useState } from 'react';
import { problemText } from '../../config/problems.ts';
import type { Problem } from '../../core/problem.ts';
import { loadOffered } from '../address.ts';
import { download } from '../download.ts';
import { deleteRejected, rejectedText } from '../drafts.ts';
import { leaveTo, RUN_BUTTON } from '../focus.ts';
import { changeAll } from '../stores/draft.ts';
import { dismiss, useRun } from '../stores/run.ts';
import { look, useView } from '../stores/view.ts';
import { forgetOffered } from '../safeStart.ts';
import { lab, reset } from '../session.ts';
import { toClipboard } from '../share/toClipboard.ts';
import { say } from './say.ts';
import { isOfDevice, remember } from './seen.ts';

const QUIET: readonly Problem['kind'][] = [
  'noWebGpu',
  'softwareAdapter',
  'deviceDiffers',
  'storageFull',
  'storageCleared',
  'storageShortLived',
  'updateWaits',
  'draftRejected',
  'loadCrashed',
  'runLost',
  'runRefused',
  'checkpointDamaged',
  'backendChanged',
  'runNotKept',
  'curvesInMemory',
  'curvesUnread',
  'recordsRejected',
  'checkpointsRemoved',
  'marksRemoved',
  'marksNotKept',
  'marksDamaged',
];

/** What only informs: nothing has gone wrong that anybody has to do something about. */
const isInformation = (problem: Problem): boolean =>
  (problem.kind === 'fellBack' && problem.now === 'plain') ||
  (QUIET.includes(problem.kind) && !('isAsked' in problem && problem.isAsked));

/** What a graphics device would not do, for a run that asks for one. */
const OF_DEVICE: readonly Problem['kind'][] = ['kernelRejected', 'workRefused', 'outOfMemory', 'limitTooSmall'];

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

const left = () => import('../kept/leftRun.ts');

function close(problem: Problem): void {
  if (problem.kind === 'runLost') void left().then((m) => m.forgetLeft(problem.id));
  remember(problem);
  dismiss(problem);
}

async function downloadRejected(): Promise<void> {
  download('horizon-lab-draft.json', await rejectedText(), 'application/json');
}

async function forget(problem: Problem): Promise<void> {
  await deleteRejected();
  leave(() => dismiss(problem));
}

/** Does what a notice offers, which takes the notice away. */
const leave = (act: () => void): void => leaveTo(act, '.notices .icon', RUN_BUTTON);

function repair(problem: Problem, set: readonly { readonly path: string; readonly value: unknown }[]): void {
  leave(() => {
    dismiss(problem);
    changeAll(set);
  });
}

function takeCpu(): void {
  leave(() => {
    changeAll([{ path: 'run.backend', value: 'cpu' }]);
    void reset();
  });
}

/** The run itself goes on, from its last complete state. */
function continueOnCpu(problem: Problem): void {
  leave(() => {
    dismiss(problem);
    void lab().takeCpu();
  });
}

function deleteOffered(problem: Problem): void {
  forgetOffered();
  leave(() => dismiss(problem));
}

const repairOf = (problem: Problem) =>
  problem.kind === 'linkRejected'
    ? problem.repair
    : problem.kind === 'configRejected'
      ? problem.issues[0]?.repair
      : undefined;

/** Before the run the CPU path is another setting; a run that was stopped goes on there. */
function CpuWay({ problem }: { problem: Problem }) {
  const isStopped = useRun((run) => run.state === 'failed' && run.backend === 'webgpu');
  return (
    <button type="button" onClick={() => (isStopped ? continueOnCpu(problem) : takeCpu())}>
      {isStopped ? 'Continue on the CPU' : 'Run it on the CPU'}
    </button>
  );
}

/** The ways out that a notice offers besides being closed. */
function Ways({ problem }: { problem: Problem }) {
  if (problem.kind === 'draftRejected')
    return (
      <>
        <button type="button" onClick={() => void downloadRejected()}>
          Download the old draft
        </button>
        <button type="button" onClick={() => void forget(problem)}>
          Delete it
        </button>
      </>
    );
  if (problem.kind === 'partMissing' || problem.kind === 'unexpected' || problem.kind === 'workerMissing')
    return (
      <button type="button" onClick={() => location.reload()}>
        Reload the page
      </button>
    );
  if (problem.kind === 'runLost')
    return (
      <>
        <button type="button" onClick={() => leave(() => void left().then((m) => m.resumeLeft(problem.id)))}>
          Resume the run
        </button>
        <button type="button" onClick={() => leave(() => void left().then((m) => m.startOver(problem.id)))}>
          Start over
        </button>
      </>
    );
  if (problem.kind === 'noWebGpu' || problem.kind === 'softwareAdapter' || problem.kind === 'deviceDiffers')
    return <a href="#/check">Check this device</a>;
  if (problem.kind === 'gpuAsked' || OF_DEVICE.includes(problem.kind)) return <CpuWay problem={problem} />;
  if (problem.kind === 'loadCrashed')
    return (
      <>
        <button type="button" onClick={() => void loadOffered()}>
          Load it anyway
        </button>
        <button type="button" onClick={() => deleteOffered(problem)}>
          Delete it
        </button>
      </>
    );
  const found = repairOf(problem);
  if (!found) return null;
  return (
    <button type="button" onClick={() => repair(problem, found.set)}>
      Repair: {found.label}
    </button>
  );
}

/**
 * One trouble. What only informs is a chip in a narrow window until it is opened; that of the device is in the header, and
 * on a phone in the run bar.
 */
export function Notice({ problem }: { problem: Problem }) {
  const [isOpened, open] = useState(false);
  const isTold = useView((v) => v.isCpuTold);
  const isInBar = isOfDevice(problem);
  const isOpen = isInBar ? isTold : isOpened;
  const toggle = (): void => (isInBar ? look({ isCpuTold: !isOpen }) : open(!isOpen));
  const { title, sentence, way } = problemText(problem);
  const isQuiet = isInformation(problem);
  return (
    <div
      className={isQuiet ? `notice quietly${isInBar ? ' inbar' : ''}` : 'notice serious'}
      data-open={isOpen}
      role={isQuiet ? 'note' : 'alert'}
    >
      <p>
        <strong>{title}.</strong>{' '}
        <span className="noticerest">
          {sentence} {way}
        </span>
      </p>
      {isQuiet && (
        <button type="button" className="inword more" aria-expanded={isOpen} onClick={toggle}>
          What this means
        </button>
      )}
      <span className="noticerest ways">
        <Ways problem={problem} />
        {!isQuiet && (
          <button type="button" onClick={() => void copyReport(problem)}>
            Copy report
          </button>
        )}
      </span>
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
}
