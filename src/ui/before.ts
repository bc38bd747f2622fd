import { create } from 'zustand';
import { changedFields } from '../config/changedFields.ts';
import type { Config } from '../config/slots.ts';
import type { LoadAnswer, Snapshot } from '../worker/protocol.ts';
import type { Client } from './client.ts';
import { liveSnapshot } from './timeline/timelineStore.ts';
import type { Heritage } from './held.ts';
import { setConfig, useDraft, type Draft } from './stores/draft.ts';
import { useRun } from './stores/run.ts';
import { look, useView } from './stores/view.ts';

/** The run that a click takes away: who has it, under which number, and what the page itself holds of it. */
export type Left = {
  readonly worker: unknown;
  readonly run: number;
  readonly config: Config;
  readonly held: Heritage | null;
};

/** What a click has replaced: the experiment with its changes, and the run if it had trained. */
export type Before = {
  readonly draft: Pick<Draft, 'config' | 'base' | 'baseTitle' | 'title' | 'note'>;
  readonly left: Left | null;
  /** only settings were replaced, whatever has trained */
  readonly isOfForm: boolean;
  readonly update: number;
  readonly snapshot: Snapshot | null;
  readonly shown: { readonly replica: number; readonly trajectory: number; readonly step: number };
};

export const useBefore = create<{ readonly before: Before | null }>(() => ({ before: null }));

/** True if the experiment differs from another one in a setting that either of them uses. */
export const isChanged = (base: Config, config: Config): boolean => changedFields(base, config).length > 0;

/** What would be lost now; null if nothing would: no run has trained, and the experiment is as it was chosen. */
function ofNow(left: Left | null): Before | null {
  const { config, base, baseTitle, title, note } = useDraft.getState();
  const { update } = useRun.getState();
  const hasRun = left !== null && update > 0;
  if (!hasRun && !isChanged(base, config)) return null;
  const { replica, trajectory, step } = useView.getState();
  return {
    draft: { config, base, baseTitle, title, note },
    left: hasRun ? left : null,
    isOfForm: false,
    update: hasRun ? update : 0,
    snapshot: hasRun ? liveSnapshot() : null,
    shown: { replica, trajectory, step },
  };
}

/**
 * Called before something is replaced. Where choosing an experiment and then loading it both tell of the same run, or
 * another one is chosen before the first is loaded, the first telling knows which experiment the run belonged to.
 */
export function remember(left: Left | null): void {
  const known = useBefore.getState().before?.left;
  if (known && left && known.run === left.run && known.worker === left.worker) return;
  const { run, update } = useRun.getState();
  if (known && !left && known.run === run && update > 0) return;
  const before = ofNow(left);
  if (before) useBefore.setState({ before });
}

/**
 * Called before the run continues from an earlier update, with other settings or without; what comes back is called once it
 * does. The settings on the screen may be those of a fork: the run had its own.
 */
export function rememberRun(left: Left | null): () => void {
  const before = ofNow(left);
  return () => {
    if (before && left) useBefore.setState({ before: { ...before, draft: { ...before.draft, config: left.config } } });
  };
}

/** Called before the settings on the screen are replaced; the run stays. */
export function rememberForm(): void {
  const before = ofNow(null);
  if (before) useBefore.setState({ before: { ...before, isOfForm: true } });
}

/** The experiment of before is the draft again; what it replaces can be had back in turn. */
export function takeBack(before: Before, left: Left | null): void {
  useBefore.setState({ before: ofNow(left) });
  const { config, ...start } = before.draft;
  useDraft.setState({ ...start, fork: null, refused: {} });
  setConfig(config);
  look({ isHuman: false, isFollowing: false });
}

/** Asks the worker for a run that another one has replaced; a newer worker continues from what the page holds of it. */
export async function bringBack(client: Client, { worker, run, config, held }: Left): Promise<LoadAnswer | null> {
  const answer = client === worker ? await client.lab.bringBack(run) : null;
  return answer?.ok || !held ? answer : client.lab.takeOver(config, held);
}

/** "Key and door, update 57" */
export const nameOf = ({ draft, update }: Before): string =>
  update > 0 ? `${draft.baseTitle}, update ${update}` : `${draft.baseTitle} with your changes`;
