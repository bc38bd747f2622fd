import { useEffect } from 'react';
import { look, useView } from './stores/view.ts';
import { step, toggle } from './session.ts';
import { copyLink } from './share/copyLink.ts';
import { useRun } from './stores/run.ts';

/** Keys and what they do, for the help dialog. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['Space', 'run or pause'],
  ['S', 'one update'],
  ['L', 'copy the link'],
  ['H', 'show credit, visits or policy on the map'],
  ['← →', 'previous or next step of the episode (on the player)'],
  ['U, R', 'while you play: a step back, from the start'],
  ['D', 'next slot of one update (tab “One update”)'],
  ['Esc', 'close what is open'],
];

/** True where typing or choosing must not trigger page keys. */
export function isTyping(target: { tagName?: string; isContentEditable?: boolean } | null): boolean {
  return target?.isContentEditable === true || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target?.tagName ?? '');
}

/** The action of a key press, or null; single letters act only without modifiers and outside text fields. */
export function actionOf(event: { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean }): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  return { ' ': 'toggle', s: 'step', l: 'link', h: 'overlay' }[event.key.toLowerCase()] ?? null;
}

export function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement | null;
      if (!useView.getState().keysOn || isTyping(target)) return;
      const action = actionOf(event);
      // the space bar keeps its own meaning on buttons and links
      if (action === null || (action === 'toggle' && target?.closest('button, a, summary, [role="grid"]'))) return;
      event.preventDefault();
      if (action === 'toggle') void toggle();
      if (action === 'step' && useRun.getState().state !== 'running') void step();
      if (action === 'link') void copyLink();
      if (action === 'overlay') {
        const order = ['policy', 'visits', 'credit'] as const;
        look({ overlay: order[(order.indexOf(useView.getState().overlay) + 1) % order.length]! });
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
