/**
 * Expected troubles. Each is a value, never an exception that someone forgets to catch;
 * each has one sentence for people (`problemText`) and one test that causes it.
 */
export type Problem =
  | { kind: 'noWebGpu'; why: string }
  | { kind: 'gpuAsked'; why: string }
  | { kind: 'softwareAdapter'; name: string }
  | { kind: 'deviceDiffers'; name: string; found: string; isAsked: boolean }
  | { kind: 'limitTooSmall'; what: string; needed: string; available: string; field: string }
  | { kind: 'kernelRejected'; kernel: string; message: string }
  | { kind: 'workRefused'; message: string }
  | { kind: 'deviceLost'; update: number; resumedFrom: number; backend: 'webgpu' | 'cpu' }
  | { kind: 'outOfMemory'; bytes: number; largest: string }
  | { kind: 'fellBack'; why: Problem; update: number; resumedFrom: number; now: 'plain' | 'cpu' }
  | { kind: 'nonFinite'; slot: string; update: number; lastGood: number }
  | { kind: 'workerCrashed'; message: string }
  | { kind: 'workerMissing' }
  | { kind: 'workerSilent' }
  | { kind: 'workerReplaced'; why: string; update: number; resumedFrom: number; goesOn: boolean }
  | { kind: 'partMissing' }
  | { kind: 'unexpected'; message: string }
  | { kind: 'storageFull' }
  | { kind: 'storageCleared' }
  | { kind: 'storageShortLived' }
  | { kind: 'updateWaits' }
  | { kind: 'draftRejected'; detail: string }
  | { kind: 'loadCrashed' }
  | { kind: 'runLost'; id: string; update: number; updates: number }
  | { kind: 'runRefused'; why: string }
  | { kind: 'checkpointDamaged'; why: string; update: number }
  | { kind: 'backendChanged'; update: number; backend: 'cpu' | 'webgpu' }
  | { kind: 'runNotKept' }
  | { kind: 'curvesInMemory' }
  | { kind: 'curvesUnread' }
  | { kind: 'recordsRejected'; count: number; why: string }
  | { kind: 'checkpointsRemoved'; runs: number }
  | { kind: 'marksRemoved' }
  | { kind: 'marksNotKept' }
  | { kind: 'marksDamaged'; count: number | null }
  | { kind: 'linkRejected'; reason: LinkReason; detail: string; repair?: ConfigIssue['repair'] }
  | { kind: 'levelRejected'; code: string; line: number; column: number; detail: string }
  | { kind: 'configRejected'; issues: readonly ConfigIssue[] };

export type LinkReason =
  | 'cut'
  | 'tooLong'
  | 'notALink'
  | 'newerVersion'
  | 'tooLarge'
  | 'tooDeep'
  | 'unknownField'
  | 'badValue'
  | 'tooExpensive';

/** One thing wrong with a config: which field, why, and, where there is one, the value that repairs it. */
export type ConfigIssue = {
  readonly path: string;
  readonly message: string;
  readonly repair?: { readonly label: string; readonly set: readonly { path: string; value: unknown }[] };
};

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };

/** A result that is there. */
export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
/** A result that is not there, and why. */
export const fail = (problem: Problem): Result<never> => ({ ok: false, problem });

/** The result itself, where failing would be a mistake in our own text: for results that hold something by another name. */
export function mustSucceed<R extends { readonly ok: boolean }>(result: R): Extract<R, { readonly ok: true }> {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result as Extract<R, { readonly ok: true }>;
}

/** The value, where a problem would be a mistake in our own text and not in someone's input. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.problem));
  return result.value;
}
