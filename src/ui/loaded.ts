import { create } from 'zustand';
import type { Config } from '../config/slots.ts';
import { newestSnapshot } from './frames.ts';
import { judgeNow } from './stores/draft.ts';

/** The config of the run in the worker, and the part of its story that the batch on the screen belongs to. */
export const useLoaded = create<{ config: Config | null; shown: Config | null }>(() => ({ config: null, shown: null }));

/** A batch from before a fork is drawn with the settings of then. */
export function drawStage(): void {
  const { config, shown } = useLoaded.getState();
  const update = newestSnapshot.get()?.update;
  const wanted = config && update !== undefined ? (judgeNow()?.settingsIn(config, update) ?? config) : config;
  if (wanted !== shown) useLoaded.setState({ shown: wanted });
}
