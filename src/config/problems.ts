import { updateNumber } from '../core/counting.ts';
import type { LinkReason, Problem } from '../core/problem.ts';

/** A trouble in words: what happened, what it means for the run, what can be done. */
export type ProblemText = { readonly title: string; readonly sentence: string; readonly way: string };

const LINK: Readonly<Record<LinkReason, string>> = {
  cut: 'The link is cut or damaged',
  tooLong: 'The link is too long',
  notALink: 'This is not a link of the lab',
  newerVersion: 'The link comes from a newer version of the lab',
  tooLarge: 'The link unpacks to more than is allowed',
  tooDeep: 'The link holds more than an experiment',
  unknownField: 'The link sets something that does not exist here',
  badValue: 'The link holds an impossible value',
  tooExpensive: 'The link asks for more than this page can start',
};

const SLOT: Readonly<Record<string, string>> = {
  policy: 'the policy network',
  reward: 'the reward',
  advantage: 'the advantage',
  objective: 'the objective',
  optimizer: 'the optimizer',
};

const mib = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;

/** One sentence for people per kind of problem, with its cause and the way out. */
export function problemText(problem: Problem): ProblemText {
  switch (problem.kind) {
    case 'noWebGpu':
      return {
        title: 'Running on the CPU',
        sentence: `${problem.why} Everything works on the CPU path, only more slowly.`,
        way: 'For the GPU, use a current Chrome, Edge, Safari or Firefox on a device with a graphics chip.',
      };
    case 'gpuAsked':
      return {
        title: 'This experiment asks for the GPU',
        sentence: `It is set to “GPU (WebGPU)” under Run, and none of it was loaded. ${problem.why}`,
        way: 'The CPU path can train it, only more slowly.',
      };
    case 'softwareAdapter':
      return {
        title: 'Running on the CPU',
        sentence: `This browser offers only a software graphics device (${problem.name}), which is slower than the CPU path.`,
        way: 'Choose “GPU (WebGPU)” under Run if you want to use it anyway.',
      };
    case 'deviceDiffers': {
      const { name, found, isAsked } = problem;
      return {
        title: isAsked ? 'Training on a device that computes differently' : 'Running on the CPU',
        sentence: `The device check found a difference on ${name}: ${found}`,
        way: isAsked
          ? 'Results of this run may be wrong: choose “CPU” under Run, or check the device again.'
          : 'Choose “GPU (WebGPU)” under Run to train on it anyway, or check the device again.',
      };
    }
    case 'limitTooSmall':
      return {
        title: 'Too large for this graphics device',
        sentence: `The run needs ${problem.what} of ${problem.needed}, this device allows ${problem.available}.`,
        way: `Lower ${problem.field}, or run on the CPU.`,
      };
    case 'kernelRejected':
      return {
        title: 'The graphics driver refused a kernel',
        sentence: `This driver rejected the kernel ${problem.kernel}: ${problem.message}`,
        way: 'The CPU path can train it, only more slowly.',
      };
    case 'workRefused':
      return {
        title: 'The graphics device refused work',
        sentence: `The run stopped because the device did not do what an update asked of it (${problem.message.replace(/\.$/, '')}). The curves and checkpoints up to then are kept.`,
        way: 'Continue on the CPU, or go back to a checkpoint on the timeline; smaller batches may help as well.',
      };
    case 'deviceLost':
      return {
        title: 'The graphics device was lost',
        sentence: `It was reset at update ${problem.update}; your run continued from update ${problem.resumedFrom} on the ${problem.backend === 'cpu' ? 'CPU' : 'GPU'}; nothing is lost.`,
        way: problem.backend === 'cpu' ? 'Reset the run to try the GPU again.' : 'You do not have to do anything.',
      };
    case 'fellBack': {
      const { why, update, resumedFrom, now } = problem;
      const [goes, path] = [
        update > 0 ? `continues from update ${resumedFrom}` : 'trains',
        now === 'cpu' ? 'on the CPU path' : 'on the GPU with simpler kernels',
      ];
      return {
        title: now === 'cpu' ? 'Running on the CPU' : 'Running with simpler kernels',
        sentence: `${causeOf(why)}, so your run ${goes} ${path}; nothing is lost.`,
        way: now === 'cpu' ? 'Reset the run to try the GPU again.' : 'You do not have to do anything.',
      };
    }
    case 'outOfMemory':
      return {
        title: 'Not enough graphics memory',
        sentence: `The run asked for ${mib(problem.bytes)}; the largest part is ${problem.largest}.`,
        way: 'Lower seeds, tasks per batch or the step limit.',
      };
    case 'nonFinite':
      return {
        title: 'A number was no longer finite',
        sentence: `The run stopped at update ${updateNumber(problem.update)}: ${SLOT[problem.slot] ?? problem.slot} produced a number that is not finite. The weights are those from before this update.`,
        way: 'Lower the learning rate or switch on the gradient clip, then reset and run again.',
      };
    case 'workerCrashed':
      return {
        title: 'The training worker stopped',
        sentence: `The part of the page that trains stopped unexpectedly: ${problem.message.replace(/\.$/, '')}.`,
        way: 'Press Reset to start the experiment again; your settings are kept.',
      };
    case 'workerSilent':
      return {
        title: 'The training worker does not answer',
        sentence: 'The part of the page that trains had been silent for too long and was stopped.',
        way: 'Press Reset to start the experiment again; your settings are kept.',
      };
    case 'workerReplaced': {
      const { why, update, resumedFrom, goesOn } = problem;
      const from = resumedFrom > 0 ? `continues from update ${resumedFrom}` : 'repeats the run from its start';
      const waits = update > 0 ? `has taken over at update ${resumedFrom}` : 'has taken its place';
      return {
        title: 'The training worker was replaced',
        sentence: `${why.replace(/\.$/, '')} at update ${update}. A new one ${goesOn ? from : waits}, and the result will be the same.`,
        way: goesOn ? 'You do not have to do anything.' : 'Press Run to continue.',
      };
    }
    case 'workerMissing':
      return {
        title: 'The training worker could not be loaded',
        sentence: 'There is no connection, or the site has been updated since this page was opened.',
        way: 'Reload the page; your settings are kept.',
      };
    case 'partMissing':
      return {
        title: 'A part of the page could not be loaded',
        sentence:
          'There is no connection, or the site has been updated since this page was opened. What is already here keeps working.',
        way: 'Reload the page; your settings are kept.',
      };
    case 'unexpected':
      return {
        title: 'Something in this page went wrong',
        sentence: `It said: ${problem.message.replace(/\.$/, '')}. A run in progress continues.`,
        way: 'If something no longer responds, reload the page; your settings are kept.',
      };
    case 'storageFull':
      return {
        title: 'This browser stores nothing',
        sentence: 'The storage is full or blocked, so drafts last only until this page is closed.',
        way: 'Copy the link to keep the experiment.',
      };
    case 'storageCleared':
      return {
        title: 'What this page had stored was deleted',
        sentence: 'The browser, or someone using it, has cleared the storage. What is on the screen is untouched.',
        way: 'The draft is stored again; copy the link to keep the experiment elsewhere.',
      };
    case 'storageShortLived':
      return {
        title: 'This browser deletes stored pages',
        sentence:
          'It deletes what a page has stored once the page has not been opened for seven days, drafts included.',
        way: 'Copy the link to keep an experiment, or add the page to the home screen.',
      };
    case 'updateWaits':
      return {
        title: 'A newer version of the lab waits',
        sentence: 'This page and its run continue as they are.',
        way: 'To use the newer version, close every tab of the lab and open it again.',
      };
    case 'draftRejected':
      return {
        title: 'Your last draft could not be read',
        sentence: `${problem.detail} The default experiment is shown; the old draft is kept as it was.`,
        way: 'Download it to inspect or repair it, or delete it.',
      };
    case 'loadCrashed':
      return {
        title: 'The page stopped while it loaded an experiment',
        sentence: 'The experiment is kept, but was not loaded, because the page might stop again.',
        way: 'Load it anyway, or continue with what is on the screen.',
      };
    case 'runLost':
      return {
        title: `The last run stopped at update ${problem.update}`,
        sentence: `Its page was closed or crashed before update ${problem.updates}. Settings, curves and state are kept.`,
        way: 'Resume it: the result is the same as if it had never stopped.',
      };
    case 'runRefused':
      return {
        title: 'The run could not be resumed',
        sentence: problem.why,
        way: 'Its curves are in the list of runs, and its settings repeat it from the start.',
      };
    case 'checkpointDamaged':
      return {
        title: 'The newest checkpoint is damaged',
        sentence: `${problem.why} The run continues from the one before it, at update ${problem.update}.`,
        way: 'You do not have to do anything: what came after it is trained again, with the same result.',
      };
    case 'backendChanged': {
      const [before, now] = problem.backend === 'cpu' ? ['GPU', 'CPU'] : ['CPU', 'GPU'];
      return {
        title: `The run continues on the ${now}`,
        sentence: `It was trained on the ${before} up to update ${problem.update}, and the ${now} rounds differently: its digest is that of no run on one of them alone.`,
        way: 'Reset it to train all of it in one place.',
      };
    }
    case 'runNotKept':
      return {
        title: 'This run is no longer stored',
        sentence: 'The storage is full or blocked. The run continues, but a reload returns to what was stored before.',
        way: 'Export what you need, or delete something under Storage.',
      };
    case 'curvesInMemory':
      return {
        title: 'All curves of this run stay in memory',
        sentence:
          'This browser has no room to move the older curves of a long run out of memory. The run continues and nothing is lost, but its memory grows.',
        way: 'Delete something under Storage, or train fewer updates or seeds.',
      };
    case 'curvesUnread':
      return {
        title: 'Older curves of this run can no longer be read',
        sentence:
          'The browser deleted or damaged the file that held them. The run continues to the same digest; charts and tables are empty there.',
        way: 'Reset the run to have them again: it repeats every number.',
      };
    case 'recordsRejected':
      return {
        title: problem.count === 1 ? 'A stored run could not be read' : 'Some stored runs could not be read',
        sentence: `${problem.why} What was found is put aside as it is; all other runs are in the list.`,
        way: 'Export all, under Storage, hands it out.',
      };
    case 'checkpointsRemoved':
      return {
        title: 'The storage was full',
        sentence: 'The checkpoint of the oldest finished run was deleted; its curves and results are kept.',
        way: 'You do not have to do anything.',
      };
    case 'marksRemoved':
      return {
        title: 'The storage was full',
        sentence:
          'The earlier checkpoints of the oldest run were deleted from its timeline; the run itself and its curves are kept.',
        way: 'You do not have to do anything.',
      };
    case 'marksNotKept':
      return {
        title: 'The timeline of this run is not stored completely',
        sentence:
          'There is no room for all of its checkpoints: the earliest are gone after a reload. The run itself is stored and continues.',
        way: 'Fork from them now if you need them, or delete something under Storage.',
      };
    case 'marksDamaged':
      return {
        title: 'Checkpoints of the timeline could not be read',
        sentence:
          problem.count === null
            ? 'The run continues from its newest checkpoint; the timeline begins there.'
            : `The run continues; ${problem.count === 1 ? 'one earlier checkpoint is' : `${problem.count} earlier checkpoints are`} damaged and missing from its timeline.`,
        way: 'You do not have to do anything: the settings and seed repeat the run from its start.',
      };
    case 'linkRejected':
      return {
        title: LINK[problem.reason],
        sentence: problem.detail,
        way:
          problem.reason === 'tooExpensive'
            ? 'Nothing was started; it is open as a draft that you can make smaller or discard.'
            : 'Ask for the link again, or start from your own draft, which is unchanged.',
      };
    case 'levelRejected':
      return {
        title: 'The level cannot be read',
        sentence: `Line ${problem.line}, column ${problem.column}: ${problem.detail}`,
        way: 'Correct this place in the level text.',
      };
    case 'configRejected': {
      const first = problem.issues[0];
      const more = problem.issues.length > 1 ? ` (and ${problem.issues.length - 1} more)` : '';
      return {
        title: 'A setting is impossible',
        sentence: first
          ? `The field ${first.path || 'config'} ${first.message}${more}.`
          : 'The settings do not fit together.',
        way: first?.repair ? `Repair: ${first.repair.label}.` : 'Change this field and try again.',
      };
    }
  }
}

/** Why a device could not be used as it should, as the beginning of a sentence. */
function causeOf(problem: Problem): string {
  switch (problem.kind) {
    case 'kernelRejected':
      return `The graphics driver rejected the kernel ${problem.kernel} (${problem.message.replace(/\.$/, '')})`;
    case 'workRefused':
      return `The graphics device refused work (${problem.message.replace(/\.$/, '')})`;
    case 'outOfMemory':
      return `The graphics device has no room for ${mib(problem.bytes)} (${problem.largest})`;
    case 'limitTooSmall':
      return `The run needs ${problem.what} of ${problem.needed}, and the graphics device allows ${problem.available}`;
    default:
      return problemText(problem).title;
  }
}

/** Worded for a terminal or a report: title, sentence and way out on one line. */
export function problemLine(problem: Problem): string {
  const { title, sentence, way } = problemText(problem);
  return `${title}. ${sentence} ${way}`;
}
