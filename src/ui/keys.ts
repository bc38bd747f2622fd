import { useEffect } from 'react';
import { compare } from './compare.ts';
import { newestSnapshot } from './frames.ts';
import { look, useView, type Overlay } from './stores/view.ts';
import { step, toggle } from './session.ts';
import { copyLink } from './share/copyLink.ts';
import { useRun } from './stores/run.ts';

// nobody needs it before a run has checkpoints
const story = () => import('./timeline/story.ts');

/** True where typing or choosing must not trigger page keys. */
export function isTyping(target: { tagName?: string; isContentEditable?: boolean } | null): boolean {
  return target?.isContentEditable === true || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target?.tagName ?? '');
}

/** The action of a key press, or null; single letters act only without modifiers and outside text fields. */
export function actionOf(event: {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey?: boolean;
}): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (event.shiftKey) return { ArrowLeft: 'before', ArrowRight: 'after' }[event.key] ?? letterOf(event.key);
  return event.key === ' ' ? 'toggle' : letterOf(event.key);
}

function letterOf(key: string): string | null {
  return { s: 'step', l: 'link', h: 'overlay', f: 'fork', c: 'runs', v: 'compare' }[key.toLowerCase()] ?? null;
}

export function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement | null;
      // letters mean nothing to a slider, arrows do
      const isSlider = target instanceof HTMLInputElement && target.type === 'range';
      if (!useView.getState().keysOn || (isTyping(target) && !isSlider)) return;
      const action = actionOf(event);
      if (isSlider && (action === 'before' || action === 'after')) return;
      // the space bar keeps its own meaning on buttons and links
      if (action === null || (action === 'toggle' && target?.closest('button, a, summary, [role="grid"]'))) return;
      event.preventDefault();
      if (action === 'toggle') void toggle();
      if (action === 'step' && useRun.getState().state !== 'running') void step();
      if (action === 'link') void copyLink();
      if (action === 'compare') compare();
      if (action === 'runs') location.assign(useView.getState().page === 'runs' ? '#/lab' : '#/runs');
      if (action === 'before') void story().then(({ move }) => move(-1));
      if (action === 'after') void story().then(({ move }) => move(1));
      if (action === 'fork') void story().then(({ beginFork }) => beginFork());
      if (action === 'overlay') {
        const shaped = newestSnapshot.get()?.judged?.shapedBy.length ? (['reward'] as const) : [];
        const order: readonly Overlay[] = ['policy', 'visits', 'credit', 'entropy', 'change', ...shaped, 'ahead'];
        look({ overlay: order[(order.indexOf(useView.getState().overlay) + 1) % order.length]! });
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
