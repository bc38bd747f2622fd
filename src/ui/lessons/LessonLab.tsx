import { Tabs } from 'radix-ui';
import { CreditStrips } from '../credit/CreditStrips.tsx';
import { part } from '../Part.tsx';
import { Stage } from '../stage/Stage.tsx';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { look } from '../stores/view.ts';
import { useLoaded } from '../loaded.ts';
import { touch, useDrive, type Beside } from './drive.ts';

const Charts = part(
  () => import('../charts/Charts.tsx').then((m) => m.Charts),
  <p className="quiet">Charts are loading.</p>,
);
const Timeline = part(() => import('../timeline/Timeline.tsx').then((m) => m.Timeline));
const Dock = part(() => import('../Dock.tsx').then((m) => m.Dock));
const Form = part(() => import('../form/Form.tsx').then((m) => m.Form));

const TABS: readonly { readonly id: Beside; readonly label: string }[] = [
  { id: 'watch', label: 'Watch' },
  { id: 'credit', label: 'Credit' },
  { id: 'charts', label: 'Charts' },
  { id: 'episodes', label: 'Episodes' },
  { id: 'setup', label: 'Setup' },
];

/** The lab beside a lesson: the same run, one part of it at a time. Whatever is touched here is the reader's from then on. */
export function LessonLab() {
  const beside = useDrive((d) => d.beside);
  const problem = useDrive((d) => d.problem);
  const open = (to: Beside): void => {
    if (to === 'credit') look({ isCreditOpen: true });
    useDrive.setState({ beside: to });
  };
  return (
    <section className="lessonlab" aria-label="The lab" onPointerDownCapture={touch} onKeyDownCapture={touch}>
      <OnStage />
      {problem !== null && (
        <p className="notice serious" role="alert">
          {problem}
        </p>
      )}
      <Tabs.Root value={beside} onValueChange={(to) => open(to as Beside)}>
        <Tabs.List className="tabs" aria-label="Parts of the lab">
          {TABS.map(({ id, label }) => (
            <Tabs.Trigger key={id} value={id}>
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <Tabs.Content value="watch" className="lessonstage">
          <Stage />
          <Line />
          <CreditStrips />
        </Tabs.Content>
        <Tabs.Content value="credit" className="lessonstage">
          <CreditStrips />
        </Tabs.Content>
        <Tabs.Content value="charts" className="charts lessoncharts">
          <Charts />
        </Tabs.Content>
        <Tabs.Content value="episodes">
          <Dock />
        </Tabs.Content>
        <Tabs.Content value="setup">
          <Form />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}

function Line() {
  return useRun((r) => r.update > 0) ? <Timeline /> : null;
}

/** What is on the stage: an experiment of the lesson, or a run of the person that a button of the lesson would replace. */
function OnStage() {
  const title = useDraft((d) => d.baseTitle);
  const isOther = useDraft((d) => d.config) !== useLoaded((l) => l.config);
  const hasRun = useRun((r) => r.update > 0);
  const isShared = useDraft((d) => d.own !== null);
  return (
    <p className="quiet onstage">
      {isShared && !(isOther && hasRun) ? (
        <>
          On the stage: <strong>{title}</strong>
        </>
      ) : hasRun ? (
        'Your own run is on the stage. A “Show” button of the lesson puts its experiment there; Undo brings yours back.'
      ) : (
        'Your own experiment is on the stage. A “Show” button of the lesson puts its experiment there; yours waits.'
      )}
    </p>
  );
}
