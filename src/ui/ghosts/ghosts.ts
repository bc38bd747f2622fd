import { create } from 'zustand';
import { estimators } from '../../slots/methods.ts';
import type { Config } from '../../config/slots.ts';
import type { CurveColumns, Snapshot } from '../../worker/protocol.ts';
import { newestSnapshot } from '../frames.ts';
import { nullIfGone } from '../owed.ts';
import { lab, runConfig } from '../session.ts';

/** A run that stays behind the next ones: all of its curves, which the browser holds as a file, and its newest batch with the credit. */
export type Ghost = {
  readonly id: number;
  /** "GRPO, update 200" */
  readonly name: string;
  readonly config: Config;
  readonly S: number;
  readonly firstSeed: number;
  readonly curves: CurveColumns;
  readonly snapshot: Snapshot | null;
};

/** More gray lines could not be told apart. */
export const MOST_GHOSTS = 3;

export const useGhosts = create<{ readonly ghosts: readonly Ghost[] }>(() => ({ ghosts: [] }));

let count = 0;

/** The seeds of a run, by its config. */
export const seedsOf = ({ run }: Config): { S: number; firstSeed: number } => ({
  S: Number(run['seeds']),
  firstSeed: Number(run['seed']),
});

/** How a run is called in a legend: its method and how far it has come. */
const nameOf = ({ advantage }: Config, updates: number): string =>
  `${estimators.find((e) => e.id === advantage.method)?.title ?? 'Run'}, update ${updates}`;

/** Keeps the run of the worker as it is now; the oldest goes where there are too many. True if there was something. */
export async function keepGhost(): Promise<boolean> {
  const config = runConfig();
  const curves = await lab().columns().catch(nullIfGone);
  if (!config || !curves || curves.steps.length === 0) return false;
  const name = nameOf(config, curves.steps.length);
  const ghost = { id: ++count, name, config, ...seedsOf(config), curves, snapshot: newestSnapshot.get() };
  useGhosts.setState(({ ghosts }) => ({ ghosts: [...ghosts, ghost].slice(-MOST_GHOSTS) }));
  return true;
}

export function dropGhost(id: number): void {
  useGhosts.setState(({ ghosts }) => ({ ghosts: ghosts.filter((g) => g.id !== id) }));
}
