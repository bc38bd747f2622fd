import { lazy, Suspense } from 'react';
import { CreditStrips } from './credit/CreditStrips.tsx';
import { Form } from './form/Form.tsx';
import { useKeys } from './keys.ts';
import { LiveRegions } from './notices/LiveRegions.tsx';
import { Notices } from './notices/Notices.tsx';
import { LinkStrip } from './notices/LinkStrip.tsx';
import { useHealth } from './monitor/healthStore.ts';
import { RunBar } from './runbar/RunBar.tsx';
import { Dock } from './Dock.tsx';
import { Header } from './Header.tsx';
import { Stage } from './stage/Stage.tsx';
import { useDraft } from './stores/draft.ts';
import { useRun } from './stores/run.ts';
import { look, useView, type View } from './stores/view.ts';

// recharts is the largest part of the page; text and controls do not wait for it.
const Charts = lazy(() => import('./charts/Charts.tsx').then((m) => ({ default: m.Charts })));

// Healthy runs need no strip.
const HealthStrip = lazy(() => import('./monitor/HealthStrip.tsx').then((m) => ({ default: m.HealthStrip })));

// Most visits need no editor.
const LevelEditor = lazy(() => import('./editor/LevelEditor.tsx').then((m) => ({ default: m.LevelEditor })));

// There is nothing to go back to before the first update.
const Timeline = lazy(() => import('./timeline/Timeline.tsx').then((m) => ({ default: m.Timeline })));
const ForkStrip = lazy(() => import('./timeline/ForkStrip.tsx').then((m) => ({ default: m.ForkStrip })));

const TABS: readonly { id: View['tab']; label: string }[] = [
  { id: 'setup', label: 'Setup' },
  { id: 'watch', label: 'Watch' },
  { id: 'charts', label: 'Charts' },
  { id: 'episodes', label: 'Episodes' },
];

/** The Lab: setup on the left, the world in the middle, charts on the right; one column on a phone. */
export function App() {
  useKeys();
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
      <Notices />
      {hasAlarms && (
        <Suspense>
          <HealthStrip />
        </Suspense>
      )}
      <LinkStrip />
      {isFork && (
        <Suspense>
          <ForkStrip />
        </Suspense>
      )}
      <main className="columns">
        <section className="setup" aria-label="Setup">
          <Form />
        </section>
        <section className="center" aria-label="Stage">
          <Stage />
          {isBegun && (
            <Suspense>
              <Timeline />
            </Suspense>
          )}
          <CreditStrips />
        </section>
        <section className="charts" aria-label="Charts">
          <Suspense fallback={<p className="quiet">Charts are loading.</p>}>
            <Charts />
          </Suspense>
        </section>
        <Dock />
      </main>
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
      {isEditing && (
        <Suspense>
          <LevelEditor />
        </Suspense>
      )}
      <LiveRegions />
    </div>
  );
}
