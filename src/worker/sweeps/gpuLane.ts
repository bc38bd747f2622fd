import * as Comlink from 'comlink';
import { deleteSlots, slotsOf, storedBytes } from '../../store/files.ts';
import { refreshRuns } from '../../store/runs.ts';
import { openCellDevice } from './cellDevice.ts';
import { OwnThread } from './cellTrainer.ts';

/** Trains runs of a sweep on the GPU for whoever holds the other end of the port, and keeps each as soon as it has ended. */
export function serveCells(port: MessagePort): void {
  const places = { bytes: storedBytes, slots: slotsOf, remove: deleteSlots };
  Comlink.expose(new OwnThread(refreshRuns, places, openCellDevice), port);
}
