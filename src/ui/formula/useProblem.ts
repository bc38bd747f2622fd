import { useEffect, useState } from 'react';
import { prepareEstimators } from '../../slots/estimatorOf.ts';
import { useDraft } from '../stores/draft.ts';
import { problemOf } from './experiment.ts';

/** Why the experiment on the screen could not train with a formula that has no fault; null if it can, or while that is open. */
export function useProblem(good: string | null): string | null {
  const config = useDraft((d) => d.config);
  const [found, setFound] = useState<{ readonly of: string; readonly problem: string | null } | null>(null);
  useEffect(() => {
    if (good === null) return;
    let isOver = false;
    const judge = async (): Promise<void> => {
      await prepareEstimators(['formula']);
      if (!isOver) setFound({ of: good, problem: problemOf(config, good) });
    };
    // where the language does not come, the form says what is wrong as soon as the text is used
    judge().catch(() => undefined);
    return () => void (isOver = true);
  }, [good, config]);
  return found?.of === good ? found.problem : null;
}
