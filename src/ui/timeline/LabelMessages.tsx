import { useEffect, useId, useState } from 'react';
import type { Message } from '../../contract/signals.ts';
import { labelPath, labelsAt } from '../../config/events.ts';
import { stageAt } from '../../config/fork.ts';
import { getValue } from '../../config/schema.ts';
import { environments } from '../../envs/registry.ts';
import { useWholeConfig } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { isUnderWay } from './live.ts';

const HELP =
  'Mark what you find interesting. From the next update on the agent is paid for it; each mark is part of the run, and its link repeats it.';

/**
 * What the world says of a step, to be labeled by hand during a run: each label is an event of the run, like a change of a
 * live setting. Only where the config asks a person for labels.
 */
export function LabelMessages() {
  const helpId = useId();
  const isFork = useDraft((d) => d.fork !== null);
  const isLive = useRun(isUnderWay);
  const update = useRun((r) => r.update);
  const whole = useWholeConfig();
  const messages = useMessages(whole?.task.method ?? '');
  if (!isLive || isFork || !whole) return null;
  const run = stageAt(whole, update);
  if (getValue(run, 'reward.oni.on') !== true || getValue(run, 'reward.oni.annotator') !== 'click') return null;
  const labels = new Map(labelsAt(run, update, true).map((label) => [label.message, label.isInteresting]));
  const give = (message: number, isInteresting: boolean): void =>
    void import('./story.ts').then(({ changeLive }) => changeLive(labelPath(message), isInteresting ? 1 : 0));
  return (
    <fieldset className="labels" aria-describedby={helpId}>
      <legend>What is interesting?</legend>
      <p id={helpId} className="help">
        {HELP}
      </p>
      <ul>
        {messages.map(({ message, words }) => (
          <li key={message}>
            <span>
              {words} <span className="quiet">message {message}</span>
            </span>
            <Mark name={`Yes: ${words}`} isOn={labels.get(message) === true} onMark={() => give(message, true)}>
              Yes
            </Mark>
            <Mark name={`No: ${words}`} isOn={labels.get(message) === false} onMark={() => give(message, false)}>
              No
            </Mark>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** What a world says, once that is loaded. */
function useMessages(world: string): readonly Message[] {
  const [found, setFound] = useState<readonly Message[]>([]);
  useEffect(() => {
    let isWanted = true;
    const signals = environments.find((env) => env.id === world)?.signals;
    void signals?.messages().then((messages) => isWanted && setFound(messages));
    return () => {
      isWanted = false;
    };
  }, [world]);
  return found;
}

type MarkProps = {
  readonly name: string;
  readonly isOn: boolean;
  readonly onMark: () => void;
  readonly children: string;
};

function Mark({ name, isOn, onMark, children }: MarkProps) {
  return (
    <button type="button" aria-label={name} aria-pressed={isOn} onClick={isOn ? undefined : onMark}>
      {isOn ? `✓ ${children}` : children}
    </button>
  );
}
