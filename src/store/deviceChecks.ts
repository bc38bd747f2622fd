import { LAB_COMMIT, LAB_VERSION } from '../core/version.ts';
import { forget, open } from './database.ts';

const STORE = 'drafts';
const KEY = 'device-check';
/** Kernels change: what was found with another version of the lab says nothing of this one. */
const VERSION = `${LAB_VERSION} ${LAB_COMMIT ?? ''}`;

/** What checks with one version of the lab have found on this device, by adapter: one sentence. */
type Kept = { readonly version: string; readonly differs: Readonly<Record<string, string>> };

function readKept(found: unknown, version: string): Kept['differs'] {
  const { version: of, differs } = (found ?? {}) as Partial<Kept>;
  return of === version && typeof differs === 'object' && differs !== null ? differs : {};
}

/** What a check with this version of the lab found on this adapter, one sentence; null: nothing, or there was none. */
export async function differenceOf(adapter: string, version = VERSION): Promise<string | null> {
  try {
    const found = readKept(await (await open()).get(STORE, KEY), version);
    const sentence = Object.hasOwn(found, adapter) ? found[adapter] : null;
    return typeof sentence === 'string' ? sentence : null;
  } catch {
    // without storage nothing is known of earlier checks
    forget();
    return null;
  }
}

/** Keeps what a check has found on this adapter; null: nothing differs. False where nothing can be kept. */
export async function keepDifference(adapter: string, sentence: string | null, version = VERSION): Promise<boolean> {
  try {
    const store = await open();
    const { [adapter]: _before, ...others } = readKept(await store.get(STORE, KEY), version);
    const differs = sentence === null ? others : { ...others, [adapter]: sentence };
    await store.put(STORE, { version, differs } satisfies Kept, KEY);
    return true;
  } catch {
    forget();
    return false;
  }
}
