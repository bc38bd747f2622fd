import type { Snapshot } from '../../worker/protocol.ts';
import { momentsOf, type Game } from './play.ts';
import { spoken } from './words.ts';
import type { World } from './world.ts';

/** One entry of a transcript: what the world said, or what was done. */
export type Line = { readonly who: 'world' | 'agent'; readonly text: string };

/** Lines of moments: `actions[k]` led to `said[k]`; the first moment has none. */
export function linesOf(said: readonly (readonly string[])[], actions: readonly string[]): Line[] {
  return said.flatMap((sentences, k): Line[] => [
    ...(k > 0 ? [{ who: 'agent', text: actions[k]! } as const] : []),
    { who: 'world', text: sentences.map(spoken).join(' ') },
  ]);
}

/** The transcript of a game; empty where the world does not speak. */
export function linesOfGame(game: Game): Line[] {
  if (!game.scene.said) return [];
  const moments = momentsOf(game);
  return linesOf(
    moments.map((m) => m.scene.said ?? []),
    moments.map((m) => m.did),
  );
}

/** The whole transcript of a stored episode, two lines a step: the first 2·t + 1 lines lead up to step t. */
export function linesOfEpisode({ env, level }: World, snapshot: Snapshot, i: number): Line[] {
  const from = i * (snapshot.T + 1);
  const saidAt = (k: number) => env.scene(level, snapshot.state, (from + k) * snapshot.words).said;
  if (saidAt(0) === undefined) return [];
  const said = Array.from({ length: snapshot.length[i]! + 1 }, (_, k) => saidAt(k) ?? []);
  return linesOf(
    said,
    said.map((_, k) => (k === 0 ? '' : (snapshot.actions[snapshot.action[i * snapshot.T + k - 1]!] ?? 'no command'))),
  );
}
