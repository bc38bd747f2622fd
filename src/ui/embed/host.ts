import { LAB_VERSION } from '../../core/version.ts';
import { problemText } from '../../config/problems.ts';
import { newestSeries } from '../frames.ts';
import { isOfDevice } from '../notices/seen.ts';
import { onCheck } from '../lessons/reportCheck.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';
import { digestNow, metricsNow, obey, stateNow } from './commands.ts';
import type { EmbedView } from './embedAddress.ts';
import { useEmbed } from './embedStore.ts';
import { Line } from './line.ts';
import { LIMITS } from './protocol.ts';
import { views } from './views.tsx';

const METRIC_MS = 1000 / LIMITS.metricsPerSecond;

/** Connects the frame with the page that it stands on. Returns what ends it. */
export function connectHost(): () => void {
  if (window.parent === window) return () => undefined;
  const line = new Line(window.parent, { now: () => performance.now(), later: (act, ms) => void setTimeout(act, ms) });
  const ready = { type: 'ready', version: LAB_VERSION, views: Object.keys(views) as EmbedView[] } as const;
  const onMessage = (event: MessageEvent): void => {
    const message = line.hear(event);
    if (!message) return;
    if (message.type === 'hello') {
      line.say({ ...ready, nonce: message.nonce, re: message.re });
      line.say({ type: 'state', what: 'state', value: stateNow(line.ignored) });
      tellHeight(line);
    } else void obey(message, line.ignored).then((answer) => line.say(answer));
  };
  addEventListener('message', onMessage);
  line.announce(ready);
  const checks = onCheck((check) => line.say({ type: 'check', ...check }));
  const leave = [checks, tellState(line), tellMetrics(line), tellSelected(line), tellHeights(line)];
  return () => {
    removeEventListener('message', onMessage);
    leave.forEach((end) => end());
  };
}

/** What the run does, its end with its digest, and what goes wrong. */
function tellState(line: Line): () => void {
  const tell = (): void => line.say({ type: 'state', what: 'state', value: stateNow(line.ignored) });
  const leave = useEmbed.subscribe((now, before) => {
    if (now.isSeen !== before.isSeen || now.waitsForSight !== before.waitsForSight) tell();
    if (now.trouble !== null && now.trouble !== before.trouble)
      line.say({ type: 'error', id: 'cannotShow', text: now.trouble });
  });
  const end = useRun.subscribe((now, before) => {
    if (now.state !== before.state || now.update !== before.update) tell();
    const isDone = now.state === 'finished' && before.state !== 'finished' && now.update > 0;
    // a worker that is gone has no digest, and is told of as an error
    if (isDone)
      void digestNow().then(
        (digest) => line.say({ type: 'done', digest }),
        () => undefined,
      );
    for (const problem of now.problems) {
      if (before.problems.includes(problem) || isOfDevice(problem)) continue;
      const { title, sentence, way } = problemText(problem);
      line.say({ type: 'error', id: problem.kind, text: `${title}. ${sentence} ${way}`.slice(0, 2000) });
    }
  });
  return () => {
    leave();
    end();
  };
}

/** Newest numbers, at most four times a second, and always the last ones. */
function tellMetrics(line: Line): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    timer = undefined;
    line.say({ type: 'metric', ...metricsNow() });
  };
  const leave = newestSeries.subscribe(() => {
    // before the first update there are none
    if (line.isOpen && newestSeries.get() && useRun.getState().update > 0) timer ??= setTimeout(tell, METRIC_MS);
  });
  return () => {
    clearTimeout(timer);
    leave();
  };
}

/** A step that a person or the host has chosen; not those that an episode plays through. */
const tellSelected = (line: Line): (() => void) =>
  useView.subscribe(({ trajectory, step, isFollowing, isPlaying }, before) => {
    if (isFollowing || isPlaying || (trajectory === before.trajectory && step === before.step)) return;
    line.say({ type: 'selected', trajectory, step });
  });

function tellHeight(line: Line): void {
  const box = document.querySelector('.embed.free');
  if (box) line.say({ type: 'resize', height: Math.ceil(box.getBoundingClientRect().height) });
}

function tellHeights(line: Line): () => void {
  const box = document.querySelector('.embed.free');
  if (!box) return () => undefined;
  const observer = new ResizeObserver(() => tellHeight(line));
  observer.observe(box);
  return () => observer.disconnect();
}
