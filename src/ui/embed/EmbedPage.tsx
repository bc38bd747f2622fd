import { useEffect, useRef } from 'react';
import { actionOf, isTyping } from '../keys.ts';
import { LiveRegions } from '../notices/LiveRegions.tsx';
import { step } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { look, type Theme } from '../stores/view.ts';
import { EmbedBar } from './EmbedBar.tsx';
import { EmbedTrouble } from './EmbedTrouble.tsx';
import './embed.css';
import { connectHost } from './host.ts';
import { useEmbed } from './embedStore.ts';
import { followSight, rest, runInSight, watchSight } from './sight.ts';
import { views } from './views.tsx';

/** One view of one experiment, in a frame of another page. It starts nothing before a part of it is in sight. */
export function EmbedPage() {
  const box = useRef<HTMLDivElement>(null);
  const { controls, height } = useEmbed((e) => e.options);
  const view = useEmbed((e) => e.view);
  const trouble = useEmbed((e) => e.trouble);
  useTheme();
  useKeys();
  useEffect(() => watchSight(box.current!), []);
  useEffect(() => followSight(), []);
  useEffect(() => connectHost(), []);
  const hasBegun = useEmbed((e) => e.hasBegun);
  const isFree = height === 'auto';
  const show = view && views[view];
  return (
    <div className={isFree ? 'embed free' : 'embed'} ref={box}>
      {trouble === null && <EmbedBar />}
      <main>
        {trouble !== null && <EmbedTrouble why={trouble} />}
        {/* before that, the world of another experiment would be shown */}
        {trouble === null && hasBegun && show?.({ hasControls: controls === 'full', isFree })}
      </main>
      <LiveRegions />
    </div>
  );
}

function useTheme(): void {
  const theme = useEmbed((e) => e.options.theme);
  useEffect(() => {
    const own: Theme = theme === 'auto' ? 'system' : theme;
    look({ theme: own });
    document.documentElement.dataset['theme'] = own;
  }, [theme]);
}

/** Space and S, as in the lab; the other keys of the lab have nothing to act on here. */
function useKeys(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const target = event.target as HTMLElement | null;
      if (isTyping(target) || useEmbed.getState().options.controls === 'none') return;
      const action = actionOf(event);
      if (action === 'toggle' && target?.closest('button, a, summary, [role="grid"]')) return;
      if (action !== 'toggle' && action !== 'step') return;
      event.preventDefault();
      const { state } = useRun.getState();
      if (action === 'toggle') void (state === 'running' ? rest() : runInSight());
      else if (state !== 'running') void step();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}
