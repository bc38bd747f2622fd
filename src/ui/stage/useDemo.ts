import { useEffect, useState } from 'react';
import { act, type Game } from './play.ts';

const BEAT_MS = 400;

/** Plays the given actions from a fresh game, one a beat, until they end or someone takes over. */
export function useDemo(
  fresh: () => Game,
  actions: readonly number[],
  show: (update: (game: Game) => Game) => void,
): { isOn: boolean; start: () => void; stop: () => void } {
  const [next, setNext] = useState<number | null>(null);
  const isOn = next !== null && next < actions.length;
  useEffect(() => {
    if (!isOn) return;
    const timer = setTimeout(() => {
      show((game) => act(game, actions[next]!));
      setNext(next + 1);
    }, BEAT_MS);
    return () => clearTimeout(timer);
  }, [isOn, next, actions, show]);
  return {
    isOn,
    start() {
      const first = fresh();
      show(() => first);
      setNext(0);
    },
    stop: () => setNext(null),
  };
}
