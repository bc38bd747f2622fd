import { useEffect } from 'react';
import { CreditStrips, OfTheRun } from './credit/CreditStrips.tsx';
import { Form } from './form/Form.tsx';
import { useKeys } from './keys.ts';
import { LiveRegions } from './notices/LiveRegions.tsx';
import { Notices } from './notices/Notices.tsx';
import { LinkStrip } from './notices/LinkStrip.tsx';
import { useHealth } from './monitor/healthStore.ts';
import { RunBar } from './runbar/RunBar.tsx';
import { Dock } from './Dock.tsx';
import { Header } from './Header.tsx';
import { part } from './Part.tsx';
import { Stage } from './stage/Stage.tsx';
import { useDraft } from './stores/draft.ts';
import { useRun } from './stores/run.ts';
import { look, useView, type View } from './stores/view.ts';
import { useDrawer } from './useDrawer.ts';

// recharts is the largest part of the page; text and controls do not wait for it.
const Charts = part(
  () => import('./charts/Charts.tsx').then((m) => m.Charts),
  <p className="quiet">Charts are loading.</p>,
);

// Healthy runs need no strip.
const HealthStrip = part(() => import('./monitor/HealthStrip.tsx').then((m) => m.HealthStrip));

// Most visits need no editor.
const LevelEditor = part(() => import('./editor/LevelEditor.tsx').then((m) => m.LevelEditor));

// There is nothing to go back to before the first update.
const Timeline = part(() => import('./timeline/Timeline.tsx').then((m) => m.Timeline));
const ForkStrip = part(() => import('./timeline/ForkStrip.tsx').then((m) => m.ForkStrip));

/** What every run needs as soon as it trains. */
const SOON = [Timeline, HealthStrip, OfTheRun];
// Safari has no idle callbacks
const whenIdle = globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1000));
const closeEditor = (): void => look({ editing: null });

const TABS: readonly { id: View['tab']; label: string }[] = [
  { id: 'setup', label: 'Setup' },
  { id: 'watch', label: 'Watch' },
  { id: 'charts', label: 'Charts' },
  { id: 'episodes', label: 'Episodes' },
];

/** The Lab: setup on the left, the world in the middle, charts on the right; one column on a phone. */
export function App() {
  useKeys();
  useDrawer();
  useEffect(() => void whenIdle(() => SOON.forEach((p) => p.prefetch())), []);
  const tab = useView((v) => v.tab);
  const isSetupOpen = useView((v) => v.isSetupOpen);
  const isBegun = useRun((r) => r.update > 0);
  const isFork = useDraft((d) => d.fork !== null);
  const hasAlarms = useHealth((h) => h.alarms.length > 0);
  const isEditing = useView((v) => v.editing !== null);
  return (
    <div className="app" data-tab={tab} data-setup={isSetupOpen ? 'open' : 'closed'}>
      <Header />
      <RunBar />
      <LinkStrip />
      {isFork && <ForkStrip />}
      <main>
        <div className="columns">
          <section className="setup" aria-label="Setup">
            <Form />
          </section>
          <section className="center" aria-label="Stage">
            <Stage />
            {isBegun && <Timeline />}
            <CreditStrips />
          </section>
          <section className="charts" aria-label="Charts">
            <Charts />
          </section>
        </div>
        <Dock />
      </main>
      <div className="foot">
        {hasAlarms && <HealthStrip />}
        <Notices />
      </div>
      <nav className="tabbar" aria-label="Parts of the page">
        {TABS.map(({ id, label }) => (
          <button
            key={id}
            type="button"
            aria-current={tab === id ? 'page' : undefined}
            onClick={() => look({ tab: id })}
          >
            {label}
          </button>
        ))}
      </nav>
      {isEditing && <LevelEditor close={closeEditor} />}
      <LiveRegions />
    </div>
  );
}
