import type { Snapshot } from '../../worker/protocol.ts';
import type { World } from './world.ts';

type Seen = Pick<Snapshot, 'state' | 'T' | 'words' | 'length' | 'action' | 'actions'>;

/** A step of an episode whose policy writes notes: what it sees of the last and the next one, and what it writes; null: it moves. */
export type Written = { readonly note: string; readonly draft: string; readonly writes: string | null };

/** The steps of episode i; empty where nobody writes notes. */
export function writtenIn({ env, level }: World, seen: Seen, i: number): Written[] {
  const { notebook } = env;
  if (!notebook) return [];
  const { T, words, state, action, actions } = seen;
  return Array.from({ length: seen.length[i]! }, (_, t) => {
    const at = (i * (T + 1) + t) * words;
    const { note, draft } = env.scene(level, state, at).note ?? { note: '', draft: '' };
    const name = actions[action[i * T + t]!] ?? '';
    return { note, draft, writes: notebook.isDue(state, at) ? name : null };
  });
}

/** Whole notes of an episode, each with the step that wrote its last symbol. */
export function notesOf(steps: readonly Written[]): { readonly text: string; readonly step: number }[] {
  const found: { text: string; step: number }[] = [];
  let text = '';
  steps.forEach(({ writes }, t) => {
    if (writes === null) return;
    text += writes.slice(-1);
    if ((steps[t + 1]?.writes ?? null) !== null) return;
    found.push({ text, step: t });
    text = '';
  });
  return found;
}

/** Most notes that a sentence tells. */
const MOST = 12;

/** All notes of an episode in words. */
export function notesWords(steps: readonly Written[]): string {
  const all = notesOf(steps);
  if (all.length === 0) return 'No note was written.';
  const told = all.slice(0, MOST).map(({ text, step }) => `“${text}” in step ${step + 1}`);
  const rest = all.length - told.length;
  return `Notes: ${told.join(', ')}${rest > 0 ? `, and ${rest} more` : ''}.`;
}

/** One step in words. */
export function noteSentence(t: number, steps: readonly Written[]): string {
  const { note, draft, writes } = steps[t]!;
  const seen = note === '' ? 'it has no note yet' : `its note says “${note}”`;
  const next = draft === '' ? '' : `, the next one so far “${draft}”`;
  return `Step ${t + 1}: ${seen}${next}${writes === null ? '' : `, and it writes “${writes.slice(-1)}”`}`;
}

/** A step of an episode with a store: which slots are filled, and which the step writes or reads; null: none. */
export type Kept = {
  readonly filled: readonly boolean[];
  readonly writes: number | null;
  readonly reads: number | null;
};

/** The steps of episode i; empty where there is no store. */
export function storeIn({ env, level }: World, seen: Seen, i: number): Kept[] {
  const { T, words, state, action, actions } = seen;
  const slotOf = (name: string, verb: string): number | null =>
    name.startsWith(`${verb} `) ? Number(name.slice(verb.length + 1)) - 1 : null;
  return Array.from({ length: seen.length[i]! }, (_, t) => {
    const store = env.scene(level, state, (i * (T + 1) + t) * words).store;
    const name = actions[action[i * T + t]!] ?? '';
    return store ? [{ filled: store.filled, writes: slotOf(name, 'write'), reads: slotOf(name, 'read') }] : [];
  }).flat();
}

/** One step in words. */
export function storeSentence(t: number, steps: readonly Kept[]): string {
  const { filled, writes, reads } = steps[t]!;
  if (writes !== null) return `Step ${t + 1}: it keeps what it sees in slot ${writes + 1}`;
  if (reads !== null)
    return `Step ${t + 1}: it reads slot ${reads + 1}${filled[reads] ? '' : ', which is empty, so nothing happens'}`;
  const full = filled.flatMap((isFilled, k) => (isFilled ? [k + 1] : []));
  return `Step ${t + 1}: ${full.length === 0 ? 'nothing is kept' : `slot ${full.join(', ')} filled`}`;
}
