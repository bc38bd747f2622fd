import * as v from 'valibot';
import { parse } from '../../core/settings.ts';
import { forget, open } from '../../store/database.ts';
import { isEmbed } from '../isEmbed.ts';

/** What a reader has come to in a lesson, as it is kept in the browser. */
export type Kept = {
  /** by prediction: number of the choice, or the number that was given */
  readonly answers: Readonly<Record<string, number>>;
  /** by check or goal: what it came to when it was last judged */
  readonly outcomes: Readonly<Record<string, { readonly passed: boolean; readonly value: number | null }>>;
};

const keptSchema: v.GenericSchema<unknown, Kept> = v.strictObject({
  answers: v.record(v.string(), v.pipe(v.number(), v.finite())),
  outcomes: v.record(v.string(), v.strictObject({ passed: v.boolean(), value: v.nullable(v.number()) })),
});
const NOTHING: Kept = { answers: {}, outcomes: {} };
const STORE = 'drafts';
const keyOf = (lesson: string): string => `lesson ${lesson}`;
/** The text of the file that was opened last. */
const FILE = 'lesson file';

/** What is kept of a lesson; nothing where there is no storage, or something else stands there. */
export async function keptOf(lesson: string): Promise<Kept> {
  const read = parse(keptSchema, await get(keyOf(lesson)));
  return read.ok ? read.value : NOTHING;
}

/** False where it could not be kept: it then lasts as long as the page. */
export const keep = (lesson: string, kept: Kept): Promise<boolean> => put(keyOf(lesson), kept);

export async function keptFile(): Promise<string | null> {
  const text = await get(FILE);
  return typeof text === 'string' ? text : null;
}
export const keepFile = (text: string): Promise<boolean> => put(FILE, text);

async function get(key: string): Promise<unknown> {
  if (isEmbed) return undefined;
  try {
    return await (await open()).get(STORE, key);
  } catch {
    forget();
    return undefined;
  }
}

async function put(key: string, value: unknown): Promise<boolean> {
  if (isEmbed) return false;
  try {
    await (await open()).put(STORE, value, key);
    return true;
  } catch {
    forget();
    return false;
  }
}
