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
