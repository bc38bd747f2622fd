import type { Problem } from '../../core/problem.ts';

const KEY = 'horizon-lab-seen';
/** What does not change from visit to visit, and was understood once it was closed. */
const ONCE: readonly Problem['kind'][] = ['noWebGpu', 'softwareAdapter', 'storageShortLived'];

/** What is said of the device: on a phone a chip beside “Runs on” until it is opened. */
export const isOfDevice = ({ kind }: Problem): boolean => kind === 'softwareAdapter' || kind === 'noWebGpu';

const seen = (): string[] => localStorage.getItem(KEY)?.split(' ') ?? [];

/** True if a person has closed this notice on an earlier visit. */
export function isSeen(problem: Problem): boolean {
  try {
    return seen().includes(problem.kind);
  } catch {
    return false;
  }
}

/** A closed notice of the lasting kind is not shown on the next visit. */
export function remember(problem: Problem): void {
  if (!ONCE.includes(problem.kind)) return;
  try {
    localStorage.setItem(KEY, [...new Set([...seen(), problem.kind])].join(' '));
  } catch {
    // without storage it is said on every visit
  }
}
