import { useCallback, useEffect, useState } from 'react';
import { formulaColumns } from '../../slots/advantage/formula/columns.ts';
import { prepareEstimators } from '../../slots/estimatorOf.ts';
import { useDraft } from '../stores/draft.ts';
import { problemOf } from './experiment.ts';
import type { Why } from './language.ts';

/** Only these can be missing: every run has the others. */
const extra = formulaColumns.filter(({ isExtra }) => isExtra).map(({ name }) => name);

/**
 * Why the experiment on the screen has no such column, by the rules that refuse a formula of it. They are asked one column
 * after the other, so that no key waits for them; until then a column is offered as if it were there.
 */
export function useReasons(): Why {
  const config = useDraft((d) => d.config);
  const [reasons, setReasons] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    let isOver = false;
    const ask = async (): Promise<void> => {
      await prepareEstimators(['formula']);
      const found = new Map<string, string>();
      for (const name of extra) {
        await new Promise((later) => setTimeout(later));
        if (isOver) return;
        const problem = problemOf(config, name);
        if (problem !== null) found.set(name, problem);
      }
      setReasons(found);
    };
    // without the language a text is refused as soon as it is used
    ask().catch(() => undefined);
    return () => void (isOver = true);
  }, [config]);
  return useCallback((column) => reasons.get(column) ?? null, [reasons]);
}
