import type { AnyValues } from '../core/settings.ts';
import { indexTable } from './indexTable.ts';
import { enumerate } from './enumerate.ts';
import { cellsSeen, sightOf } from './perturb/sight.ts';
import type { Environment } from './types.ts';
import { VOCABULARY } from './vocabulary.ts';

/** States up to which a level is partitioned by bisimulation (src/envs/keys/bisimulation.ts). */
export const MOST_STATES = 20_000;

/** What a policy must know about a level: the sizes of what it sees and does, and the language. */
export function taskFacts(env: Environment, level: unknown) {
  return {
    features: env.features(level),
    board: env.board?.(level) ?? null,
    actions: env.actions(level).length,
    vocabulary: VOCABULARY.length,
    observation: env.language.length(level),
    commands: env.language.commands(level),
  };
}

/** The action that writes the first symbol of a note, as the last ones do; null where nobody writes any. */
export const firstNote = (env: Environment, level: unknown): number | null => env.notebook?.first(level) ?? null;

/** How a task grows: stages and updates in each, or rows of each family. */
export function growthOf(env: Environment, settings: AnyValues) {
  return {
    stages: env.stages?.(settings) ?? 1,
    growEvery: Math.max(1, env.growEvery?.(settings) ?? Number(settings['growEvery'] ?? 1)),
    rungs: (env.families?.(settings) ?? []).map(({ rows }) => rows.length),
  };
}

/** Cells of an observation, by which two of them are compared. */
export const cellsShown = (env: Environment, level: unknown, view: string): number =>
  cellsSeen(sightOf(env, level, view), env.features(level));

/** True if levels have the same states, so that one table has a row for each of them in every level. */
export function shareStates(env: Environment, levels: readonly unknown[]): boolean {
  const keys = levels.map((level) => indexTable(env, level)?.keys.join());
  return keys[0] !== undefined && keys.every((own) => own === keys[0]);
}

/** The first view an environment offers that needs no table of its states. */
export function plainView(env: Environment): string {
  const { view } = env.settings;
  return (view?.kind === 'choice' ? view.options.find((option) => option !== 'index') : undefined) ?? '';
}

/** Parsed levels that are kept for the next time: at most this many, or what fits. */
const KEPT_LEVELS = 4096;
const KEPT_BYTES = 64 * 2 ** 20;

/**
 * About how many bytes a parsed level takes, measured: objects, a bit or so for every feature, and where states are
 * numbered a key of two words for each of them.
 */
export const bytesOfLevel = (features: number, view: string): number =>
  3_000 + (view === 'index' ? 8 * features : features / 4);

/** Levels that a run keeps beside those of the batch at hand. */
export const levelsKept = (features: number, view: string): number =>
  Math.min(KEPT_LEVELS, Math.floor(KEPT_BYTES / bytesOfLevel(features, view)));

/** True if all states of a level can be listed, at most `limit` of them. */
export const listsAll = (env: Environment, level: unknown, limit: number): boolean =>
  enumerate(env, level, limit) !== null;

/** True if all states of a level that a policy can tell apart can be listed, at most `limit` of them. */
export const listsStates = (env: Environment, level: unknown, limit: number): boolean =>
  enumerate(env, level, limit, 'policy') !== null;
