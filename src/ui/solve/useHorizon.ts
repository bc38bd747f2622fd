import { useEffect, useState } from 'react';
import type { LevelSource } from '../stage/world.ts';
import type { HorizonAnswer } from './horizon.worker.ts';

/** A person who waits longer than this has gone on to something else. */
const MOST_MS = 20_000;
const AFTER_MS = 300;

const nothing = (why: string): HorizonAnswer => ({ horizon: why, keys: null, signs: why });

/** What is known of a level’s horizon by a worker of its own, which ends with the question; undefined: not yet. */
export function useHorizon(source: LevelSource): HorizonAnswer | undefined {
  const [found, setFound] = useState<{ source: LevelSource; answer: HorizonAnswer } | null>(null);
  useEffect(() => {
    let end = (): void => undefined;
    const starts = setTimeout(() => {
      const worker = new Worker(new URL('./horizon.worker.ts', import.meta.url), { type: 'module' });
      const tell = (answer: HorizonAnswer): void => {
        end();
        setFound({ source, answer });
      };
      const late = setTimeout(() => tell(nothing('it took too long')), MOST_MS);
      end = () => {
        clearTimeout(late);
        worker.terminate();
      };
      worker.onerror = (event) => {
        event.preventDefault();
        tell(nothing('the computation failed'));
      };
      worker.onmessage = ({ data }: MessageEvent<HorizonAnswer>) => tell(data);
      worker.postMessage(source);
    }, AFTER_MS);
    return () => {
      clearTimeout(starts);
      end();
    };
  }, [source]);
  return found?.source === source ? found.answer : undefined;
}
