import type { Judged } from './lessonStore.ts';

/** What a page that embeds the lab is told of a check. */
export type CheckReport = {
  readonly lesson: string;
  readonly id: string;
  readonly passed: boolean;
  readonly value: number | null;
};

const listeners = new Set<(report: CheckReport) => void>();

/** Calls `hear` for every check that is judged from now on; what comes back ends that. */
export function onCheck(hear: (report: CheckReport) => void): () => void {
  listeners.add(hear);
  return () => void listeners.delete(hear);
}

/** Tells whoever listens of checks that were judged on this run. */
export function reportChecks(lesson: string, found: Readonly<Record<string, Judged>>): void {
  for (const [id, { passed, value }] of Object.entries(found))
    for (const hear of listeners) hear({ lesson, id, passed, value });
}
