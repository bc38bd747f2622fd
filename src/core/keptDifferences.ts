import { LAB_COMMIT, LAB_VERSION } from './version.ts';

/** Kernels change: what was found with another version of the lab says nothing of this one. */
const VERSION = `${LAB_VERSION} ${LAB_COMMIT ?? ''}`;

/** What checks with one version of the lab have found on this machine, by adapter: one sentence. */
export type Kept = { readonly version: string; readonly differs: Readonly<Record<string, string>> };

/** Of anything that was kept only what is one, and of this version. */
function readKept(found: unknown, version: string): Kept['differs'] {
  const { version: of, differs } = (found ?? {}) as Partial<Kept>;
  return of === version && typeof differs === 'object' && differs !== null ? differs : {};
}

/** What a check with this version of the lab found on this adapter, one sentence; null: nothing, or there was none. */
export function differenceIn(found: unknown, adapter: string, version = VERSION): string | null {
  const differs = readKept(found, version);
  const sentence = Object.hasOwn(differs, adapter) ? differs[adapter] : null;
  return typeof sentence === 'string' ? sentence : null;
}

/** The same with what a check has found on this adapter; null: nothing differs. */
export function withDifference(found: unknown, adapter: string, sentence: string | null, version = VERSION): Kept {
  const { [adapter]: _before, ...others } = readKept(found, version);
  return { version, differs: sentence === null ? others : { ...others, [adapter]: sentence } };
}
