import type { Opened } from '../../logs/desk.ts';
import { part } from '../Part.tsx';
import { desk } from './desk.ts';
import { useLogs } from './logStore.ts';
import { useAnswer } from './useAnswer.ts';

const LogGraphPanel = part(() => import('./LogGraphPanel.tsx').then((m) => m.LogGraphPanel));

/** The graph of the task that the chosen step is of, where the log has states. */
export function TaskGraph({ opened }: { opened: Opened }) {
  const { pinned, given, reading } = useLogs();
  const { answer: task } = useAnswer(() => desk().taskOf(pinned.i), JSON.stringify([given.length, reading, pinned.i]));
  if (!opened.anchors || task === null) return null;
  return <LogGraphPanel opened={opened} task={task} />;
}
