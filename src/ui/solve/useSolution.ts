import { useEffect, useState } from 'react';
import type { LevelSource } from '../stage/world.ts';
import { solve, type Solution } from './solve.ts';

/** `null` while the search continues, and while nothing is asked for. */
export function useSolution(source: LevelSource | null, afterMs = 0): Solution | null {
  const [found, setFound] = useState<{ source: LevelSource; solution: Solution } | null>(null);
  useEffect(() => {
    if (!source) return;
    const search = new AbortController();
    const timer = setTimeout(() => {
      void solve(source, search.signal).then((solution) => solution && setFound({ source, solution }));
    }, afterMs);
    return () => {
      clearTimeout(timer);
      search.abort();
    };
  }, [source, afterMs]);
  return found && found.source === source ? found.solution : null;
}
