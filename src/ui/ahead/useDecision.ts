import { useEffect, useRef } from 'react';
import type { DecisionRequest, MeasurementAnswer } from '../../worker/protocol.ts';
import { lab } from '../session.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';
import type { StageView } from '../stage/useStage.ts';
import { useAheadSettings } from './AheadChoices.tsx';
import { useAhead } from './store.ts';

/** Work of one call; the page asks again until the result is there. */
const WORK_MS = 40;

/**
 * Asks the worker what an agent that looks ahead would do at the step on the stage, under the newest policy: again when the
 * step, the batch or a choice changes, one question at a time, always the newest.
 */
export function useDecision({ snapshot, i, t, state }: StageView): void {
  const settings = useAheadSettings();
  const replica = useView((v) => v.replica);
  const run = useRun((r) => r.run);
  const update = useRun((r) => r.update);
  const wanted = useRef<DecisionRequest | null>(null);
  const isAsking = useRef(false);
  const isOver = !snapshot || t >= snapshot.length[i]!;
  const key = JSON.stringify([run, replica, update, isOver ? null : [snapshot.levelSeeds[i], t, ...state], settings]);
  useEffect(() => {
    wanted.current = isOver ? null : { ...settings, levelSeed: snapshot.levelSeeds[i]!, state: state.slice(), t };
    if (isOver) useAhead.setState({ answer: null });
    if (isAsking.current || isOver) return;
    isAsking.current = true;
    // a worker that ends while it is asked says so here, or never answers
    void answers(replica, wanted)
      .catch(() => undefined)
      .then(() => (isAsking.current = false));
    // the key names all that the question is made of
  }, [key]); // oxlint-disable-line react-hooks/exhaustive-deps
  useEffect(
    () => () => {
      wanted.current = null;
    },
    [],
  );
}

/** Answers the newest question until there is none. */
async function answers(replica: number, wanted: { current: DecisionRequest | null }): Promise<void> {
  for (let decision = wanted.current; decision; decision = wanted.current === decision ? null : wanted.current) {
    let found: MeasurementAnswer | null = null;
    for (let isNew = true; wanted.current === decision && found?.done !== 1; isNew = false) {
      found = await lab().measure({ what: 'decision', replica, n: 0, isNew, workMs: WORK_MS, decision });
      if (!found) return;
    }
    if (wanted.current !== null) useAhead.setState({ answer: found?.done === 1 ? found : null });
  }
}
