import { Gamepad2, Hammer, Play } from 'lucide-react';
import { getValue } from '../../config/schema.ts';
import { create } from 'zustand';
import { focusOn, RUN_BUTTON } from '../focus.ts';
import { part } from '../Part.tsx';
import { remember } from '../before.ts';
import { restart } from '../restart.ts';
import { present, start } from '../session.ts';
import { change, errorsOf, useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { look, useView } from '../stores/view.ts';
import { goalOf } from './goal.ts';
import type { Break } from './breaks.ts';
import './start.css';

// the words of the experiments are many; the first paint does not wait for them, but has the room that most of them take
const LookFor = part(
  () => import('./LookFor.tsx').then((m) => m.LookFor),
  <span className="lookforroom" aria-hidden>
    {'Words '.repeat(15)}
  </span>,
);

/** What was broken by the invitation, and what the value was before. */
const useBroken = create<{ readonly found: Break | null; readonly before: unknown }>(() => ({
  found: null,
  before: null,
}));

/** The button goes when its run begins, and hands the focus to that of the run bar before. */
function runIt(): void {
  focusOn(RUN_BUTTON);
  void start();
}

/** Makes one change after which the experiment fails, and runs it. */
async function breakIt(): Promise<void> {
  const { breakOf } = await import('./breaks.ts');
  const { config } = useDraft.getState();
  const found = breakOf(config);
  if (!found) return;
  useBroken.setState({ found, before: getValue(config, found.path) });
  await again(found.path, found.value);
}

async function again(path: string, value: unknown): Promise<void> {
  remember(present());
  look({ isHuman: false, tab: 'watch' });
  change(path, value);
  await restart();
}

/** The change of the invitation as long as it is in the draft. */
function useBreak(): { readonly found: Break; readonly before: unknown } | null {
  const { found, before } = useBroken();
  const isThere = useDraft((d) => found !== null && getValue(d.config, found.path) === found.value);
  return isThere ? { found: found!, before } : null;
}

/** What this experiment is about in one sentence, and three ways into it. */
export function Invitations() {
  const goal = useDraft((d) => goalOf(d.config));
  const hasErrors = useDraft((d) => errorsOf(d.issues).length > 0);
  const isHuman = useView((v) => v.isHuman);
  const isFresh = useRun((r) => r.update === 0 && r.state !== 'running' && r.doing !== 'starting');
  const isLoading = useRun((r) => r.state === 'empty' && r.doing === null && r.waits === null);
  const broken = useBreak();
  return (
    <section className="invite" aria-label="This experiment" data-fresh={isFresh}>
      {broken ? (
        <p className="invitewords" role="status">
          <strong>Broken on purpose.</strong> {broken.found.watch}
        </p>
      ) : (
        <p className="invitewords">
          <strong>Goal:</strong> {goal} <LookFor />
        </p>
      )}
      <div className="inviteways">
        {isFresh && (
          <button type="button" disabled={isLoading || hasErrors} onClick={runIt}>
            <Play aria-hidden size={16} /> Run it
          </button>
        )}
        <button
          type="button"
          aria-pressed={isHuman}
          onClick={() => look(isHuman ? { isHuman: false } : { isHuman: true, tab: 'watch' })}
        >
          <Gamepad2 aria-hidden size={16} /> Play it yourself
        </button>
        {broken ? (
          <button type="button" onClick={() => void again(broken.found.path, broken.before)}>
            <Hammer aria-hidden size={16} /> Fix it
          </button>
        ) : (
          <button type="button" disabled={isLoading || hasErrors} onClick={() => void breakIt()}>
            <Hammer aria-hidden size={16} /> Break it
          </button>
        )}
      </div>
    </section>
  );
}
