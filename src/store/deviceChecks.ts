import { differenceIn, withDifference } from '../core/keptDifferences.ts';
import { forget, open } from './database.ts';

const STORE = 'drafts';
const KEY = 'device-check';

/** What a check with this version of the lab found on this adapter, one sentence; null: nothing, or there was none. */
export async function differenceOf(adapter: string, version?: string): Promise<string | null> {
  try {
    return differenceIn(await (await open()).get(STORE, KEY), adapter, version);
  } catch {
    // without storage nothing is known of earlier checks
    forget();
    return null;
  }
}

/** Keeps what a check has found on this adapter; null: nothing differs. False where nothing can be kept. */
export async function keepDifference(adapter: string, sentence: string | null, version?: string): Promise<boolean> {
  try {
    const store = await open();
    await store.put(STORE, withDifference(await store.get(STORE, KEY), adapter, sentence, version), KEY);
    return true;
  } catch {
    forget();
    return false;
  }
}
