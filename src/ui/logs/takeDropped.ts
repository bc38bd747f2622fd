import { openLogs } from './logStore.ts';
import { droppedFiles, titleOf } from './pick.ts';

/** Opens what was dropped as a log, on its own page. */
export async function takeDropped(items: readonly (FileSystemEntry | File)[]): Promise<void> {
  const given = await droppedFiles(items);
  if (given.length === 0) return;
  if (!location.hash.startsWith('#/trajectories')) location.assign('#/trajectories');
  await openLogs(given, titleOf(given));
}
