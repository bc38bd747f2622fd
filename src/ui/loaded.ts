import { create } from 'zustand';
import { stagesOf } from '../config/fork.ts';
import type { Config } from '../config/slots.ts';
import { newestSnapshot } from './frames.ts';

/** The config of the run in the worker, and the part of its story that the batch on the screen belongs to. */
export const useLoaded = create<{ config: Config | null; shown: Config | null }>(() => ({ config: null, shown: null }));

/** A batch from before a fork is drawn with the settings of then. */
export function drawStage(): void {
  const { config, shown } = useLoaded.getState();
  const update = newestSnapshot.get()?.update;
  const stages = config && stagesOf(config);
  const early = stages?.ok && update !== undefined ? stages.stages.find(({ until }) => update < until) : undefined;
  const wanted = early?.config ?? config;
  if (wanted !== shown) useLoaded.setState({ shown: wanted });
}
