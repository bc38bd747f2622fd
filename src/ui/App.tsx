import { useEffect, type CSSProperties } from 'react';
import './bundles/drop.ts';
import { CreditStrips, OfTheRun } from './credit/CreditStrips.tsx';
import { useKeys } from './keys.ts';
import { LiveRegions } from './notices/LiveRegions.tsx';
import { Notices } from './notices/Notices.tsx';
import { useHealth } from './monitor/healthStore.ts';
import { RunBar } from './runbar/RunBar.tsx';
import { Header } from './Header.tsx';
import { Splitter } from './layout/Splitter.tsx';
import { prepareWorlds } from '../config/level.ts';
import { loadRest, part } from './Part.tsx';
import { savesData } from './savesData.ts';
import { preloadWorker } from './session.ts';
import { Stage } from './stage/Stage.tsx';
import { Invitations } from './start/Invitations.tsx';
import { useDraft } from './stores/draft.ts';
import { useRun } from './stores/run.ts';
import { look, useView, type View } from './stores/view.ts';
import { useDrawer } from './useDrawer.ts';

// recharts is the largest part of the page; text and controls do not wait for it.
const Charts = part(
  () => import('./charts/Charts.tsx').then((m) => m.Charts),
  <p className="quiet chartsroom">Charts are loading.</p>,
);

// The form is closed at first; below the fold lie episodes, graph and log.
const Form = part(
  () => import('./form/Form.tsx').then((m) => m.Form),
  <p className="quiet">The settings are loading.</p>,
);
const Dock = part(
  () => import('./Dock.tsx').then((m) => m.Dock),
  <section className="dock" aria-label="Episodes and log">
    <p className="quiet">Episodes and log are loading.</p>
  </section>,
);

// Healthy runs need no strip.
const HealthStrip = part(() => import('./monitor/HealthStrip.tsx').then((m) => m.HealthStrip));

// Nothing opens before the first paint.
const Dialogs = part(() => import('./Dialogs.tsx').then((m) => m.Dialogs));

// There is nothing to go back to before the first update.
const BEFORE = <div className="timeline before quiet">The timeline starts with the first update.</div>;
const Timeline = part(() => import('./timeline/Timeline.tsx').then((m) => m.Timeline), BEFORE);
// few visits begin with a link
const LinkStrip = part(() => import('./notices/LinkStrip.tsx').then((m) => m.LinkStrip));
const ForkStrip = part(() => import('./timeline/ForkStrip.tsx').then((m) => m.ForkStrip));

/** What every run needs as soon as it trains. */
const SOON = [Dock, Form, Timeline, HealthStrip, OfTheRun];
/** No parts of their own, but needed by keys, links and changes during a run. */
const REST = [
  () => import('./timeline/story.ts'),
  () => import('./share/linkOf.ts'),
  () => import('./bundles/openDropped.ts'),
  () => import('./start/breaks.ts'),
  () => import('../config/link.ts'),
  () => import('../config/presets.ts'),
  () => import('../slots/metrics/metrics.ts'),
  prepareWorlds,
];
const loadAll = (): void => {
  SOON.forEach((p) => p.prefetch());
  if (savesData()) return;
  void loadRest([...REST, preloadWorker, () => import('./offline.ts').then((m) => m.keepSite())]);
};
// Safari has no idle callbacks
const whenIdle = globalThis.requestIdleCallback ?? ((act: () => void) => setTimeout(act, 1000));
// The table of all kept runs is another page.
const Runs = part(
  () => import('./runs/RunsPage.tsx').then((m) => m.RunsPage),
  <main className="quiet">The runs are loading.</main>,
);
// So are the logs of other agents.
const Trajectories = part(() => import('./logs/TrajectoriesPage.tsx').then((m) => m.TrajectoriesPage));
// And so are the lessons, one of them with the lab beside it, and what is printed of one.
const Lessons = part(() => import('./lessons/LessonPages.tsx').then((m) => m.LessonPages));
// What this device computes is looked at by few.
const DeviceCheck = part(() => import('./check/CheckPage.tsx').then((m) => m.CheckPage));
// comparisons are kept, and one may wait to be continued
const Sweeps = part(() => import('./sweeps/Sweeps.tsx').then((m) => m.Sweeps));

const TABS: readonly { id: View['tab']; label: string }[] = [
  { id: 'setup', label: 'Setup' },
  { id: 'watch', label: 'Watch' },
  { id: 'charts', label: 'Charts' },
  { id: 'episodes', label: 'Episodes' },
];

let highest = 0;

/** How high the notices over the lower edge are: what scrolls can be brought above them. The room stays when they go. */
function tellFoot(foot: HTMLElement | null): (() => void) | undefined {
  if (!foot) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    highest = Math.max(highest, foot.offsetHeight);
    style.setProperty('--foot', `${highest}px`);
    style.setProperty('--footnow', `${foot.offsetHeight}px`);
  });
  observer.observe(foot);
  return () => observer.disconnect();
}

/** Widths that a person has chosen, for the style sheet; never more than half of the window. */
function useWidths(): CSSProperties {
  const setup = useView((v) => v.setupWidth);
  const charts = useView((v) => v.chartsWidth);
  const track = (width: number | null): string | undefined => (width === null ? undefined : `min(${width}px, 50vw)`);
  return { '--setup': track(setup), '--charts': track(charts) } as CSSProperties;
}

/** The Lab: setup on the left, the world in the middle, charts on the right; one column on a phone. */
function Lab() {
  const isSetupOpen = useView((v) => v.isSetupOpen);
  const tab = useView((v) => v.tab);
  const isBegun = useRun((r) => r.update > 0);
  const isFork = useDraft((d) => d.fork !== null);
  const isLink = useDraft((d) => d.own !== null);
  const widths = useWidths();
  return (
    <>
      <Invitations />
      {isLink && <LinkStrip />}
      {isFork && <ForkStrip />}
      <main>
        <div className="columns" style={widths}>
          <section className="setup" aria-label="Setup">
            {(isSetupOpen || tab === 'setup') && <Form />}
          </section>
          <section className="center" aria-label="Stage">
            <Stage />
            {isBegun ? <Timeline /> : BEFORE}
            <CreditStrips />
            {isSetupOpen && <Splitter column="setup" />}
            <Splitter column="charts" />
          </section>
          <section className="charts" aria-label="Charts">
            <Charts />
          </section>
        </div>
        <Dock />
      </main>
    </>
  );
}

/** On a phone: one tab for every part of the lab, one for the runs, and one for the lessons. */
function TabBar() {
  const page = useView((v) => v.page);
  const tab = useView((v) => v.tab);
  const open = (id: View['tab']): void => {
    look({ tab: id });
    if (page !== 'lab') location.assign('#/lab');
  };
  return (
    <nav className="tabbar" aria-label="Parts of the page">
      {TABS.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          aria-current={page === 'lab' && tab === id ? 'page' : undefined}
          onClick={() => open(id)}
        >
          {label}
        </button>
      ))}
      <a href="#/runs" aria-current={page === 'runs' ? 'page' : undefined}>
        Runs
      </a>
      <a href="#/lessons" aria-current={page.startsWith('lesson') ? 'page' : undefined}>
        Learn
      </a>
    </nav>
  );
}

/** Header, run bar and notices around the lab or the runs. */
export function App() {
  useKeys();
  useDrawer();
  useEffect(() => void whenIdle(loadAll), []);
  const page = useView((v) => v.page);
  const tab = useView((v) => v.tab);
  const isSetupOpen = useView((v) => v.isSetupOpen);
  const isRunning = useRun((r) => r.state === 'running');
  const hasAlarms = useHealth((h) => h.alarms.length > 0);
  const large = useView((v) => v.large);
  return (
    <div
      className="app"
      data-page={page}
      data-tab={tab}
      data-setup={isSetupOpen ? 'open' : 'closed'}
      data-large={large ?? undefined}
      data-running={isRunning}
    >
      <Header />
      <RunBar />
      {
        {
          runs: <Runs />,
          logs: <Trajectories />,
          lessons: <Lessons />,
          lesson: <Lessons />,
          print: <Lessons />,
          check: <DeviceCheck />,
          lab: <Lab />,
        }[page]
      }
      <div className="foot" ref={tellFoot}>
        {hasAlarms && <HealthStrip />}
        <Sweeps />
        <Notices />
      </div>
      <TabBar />
      <Dialogs />
      <LiveRegions />
    </div>
  );
}
