import { eventsOf, withEvents } from '../../config/events.ts';
import { getValue, setValue } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { Alarm, Mark } from '../../worker/protocol.ts';
import { value } from '../format.ts';
import { say } from '../notices/say.ts';
import { setConfig, useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { changeLive, goBackTo } from '../timeline/story.ts';

const RATE = 'optimizer.learningRate';

/** One thing to do about an alarm. `ask`: what it costs, in words; it is done only after a yes. */
export type Action = { readonly label: string; readonly ask: string | null; act(): Promise<string> };

/** Where to go back to: the best checkpoint before the trouble, else the newest one before it. */
export function targetOf(alarm: Alarm, marks: readonly Mark[]): Mark | null {
  const before = marks.filter((m) => m.update <= alarm.since);
  const best = before.filter((m) => m.reasons.some((r) => r.kind === 'best'));
  return best.at(-1) ?? before.at(-1) ?? null;
}

/** The learning rate that is in force: the newest change during the run, or the setting. */
export function rateOf(config: Config): number {
  const changed = eventsOf(config).filter((e) => e.path === RATE);
  return (changed.at(-1)?.value ?? getValue(config, RATE)) as number;
}

const half = (rate: number): number => Number((rate / 2).toPrecision(3));

/** The config with half the learning rate from the first update on: the setting and its changes during the run alike. */
export function halved(config: Config): Config {
  const events = eventsOf(config).map((e) => (e.path === RATE ? { ...e, value: half(e.value as number) } : e));
  return withEvents(setValue(config, RATE, half(getValue(config, RATE) as number)), events);
}

function goBack(alarm: Alarm, marks: readonly Mark[], update: number): Action | null {
  const target = targetOf(alarm, marks);
  if (!target || target.update >= update) return null;
  const isBest = target.reasons.some((r) => r.kind === 'best');
  return {
    label: `Back to checkpoint ${target.update}${isBest ? ' (best evaluation)' : ''}`,
    ask: `The run continues after update ${target.update}; everything after it is dropped.`,
    async act() {
      const answer = `${await goBackTo(target.update)} The same will happen again unless a setting is changed first.`;
      // the alarm is gone with what was dropped, and so is the button that was pressed
      say(answer);
      document.querySelector<HTMLElement>('.runbar .primary')?.focus();
      return answer;
    },
  };
}

function halve(): Action {
  return {
    label: 'Halve the learning rate',
    ask: null,
    async act() {
      const { config } = useDraft.getState();
      const { state } = useRun.getState();
      if (state === 'running' || state === 'paused') return changeLive(RATE, half(rateOf(config)));
      // the run is over: the next one starts with it
      const next = halved(config);
      setConfig(next);
      const changes = eventsOf(next).some((e) => e.path === RATE) ? ', and its changes during the run are halved' : '';
      return `The learning rate is set to ${value(getValue(next, RATE) as number)}${changes}; it takes effect after Reset.`;
    },
  };
}

/** The action of an alarm as far as it can be done now; null: there is only reading. */
export function actionOf(alarm: Alarm, marks: readonly Mark[], update: number): Action | null {
  if (alarm.action === 'rewind') return goBack(alarm, marks, update);
  return alarm.action === 'lowerRate' ? halve() : null;
}
