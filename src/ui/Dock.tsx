import { Tabs } from 'radix-ui';
import { part } from './Part.tsx';
import { EpisodeList } from './stage/EpisodeList.tsx';
import { useRun } from './stores/run.ts';
import { look, useView, type View } from './stores/view.ts';

// Most visits look at neither; they come when they are opened.
const GraphPanel = part(
  () => import('./graph/GraphPanel.tsx').then((m) => m.GraphPanel),
  <p className="quiet">The graph is loading.</p>,
);
const ProfilePanel = part(
  () => import('./profile/ProfilePanel.tsx').then((m) => m.ProfilePanel),
  <p className="quiet">The profiler is loading.</p>,
);
const UpdatePanel = part(
  () => import('./update/UpdatePanel.tsx').then((m) => m.UpdatePanel),
  <p className="quiet">The view of one update is loading.</p>,
);

const InsidePanel = part(
  () => import('./inside/InsidePanel.tsx').then((m) => m.InsidePanel),
  <p className="quiet">The view of the policy is loading.</p>,
);

function Log() {
  const log = useRun((r) => r.log);
  if (log.length === 0) return <p className="quiet">Events of the run appear here.</p>;
  return (
    <ol className="log" tabIndex={0} aria-label="Log of this page">
      {log.map((entry, k) => (
        <li key={k}>
          <time>{new Date(entry.at).toLocaleTimeString('en')}</time> {entry.text}
        </li>
      ))}
    </ol>
  );
}

/** Episodes of the newest batch, and what happened to the run. */
export function Dock() {
  const dock = useView((v) => v.dock);
  return (
    <section className="dock" aria-label="Episodes and log">
      <Tabs.Root value={dock} onValueChange={(to) => look({ dock: to as View['dock'] })}>
        <Tabs.List className="tabs" aria-label="Episodes and log">
          <Tabs.Trigger value="episodes">Episodes</Tabs.Trigger>
          <Tabs.Trigger value="graph">Graph</Tabs.Trigger>
          <Tabs.Trigger value="update">One update</Tabs.Trigger>
          <Tabs.Trigger value="inside">Inside the policy</Tabs.Trigger>
          <Tabs.Trigger value="profile">Profile</Tabs.Trigger>
          <Tabs.Trigger value="log">Log</Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="episodes">
          <EpisodeList />
        </Tabs.Content>
        <Tabs.Content value="graph">
          <GraphPanel />
        </Tabs.Content>
        <Tabs.Content value="update">
          <UpdatePanel />
        </Tabs.Content>
        <Tabs.Content value="inside">
          <InsidePanel />
        </Tabs.Content>
        <Tabs.Content value="profile">
          <ProfilePanel />
        </Tabs.Content>
        <Tabs.Content value="log">
          <Log />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}
