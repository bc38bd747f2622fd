import { useMemo } from 'react';
import type { CreditAnswer, Snapshot } from '../../worker/protocol.ts';
import { SideBySide } from '../credit/CompareStrips.tsx';
import { firstMethods, useCompare } from '../credit/compareStore.ts';
import '../credit/credit.css';
import { truthText } from '../credit/measureRows.ts';
import { useCredit } from '../credit/useCredit.ts';
import { useRunConfig } from '../session.ts';
import { useShown } from '../stage/shown.ts';
import { useRun } from '../stores/run.ts';

/** What is quick; error bars and curves are for the lab. */
const isEnough = ({ truth, pending }: CreditAnswer): boolean => truth.values !== null || pending === null;

/** Credit of several estimators on the same batch, beside what each step was really worth. */
export function CompareView() {
  const snapshot = useShown();
  if (!snapshot)
    return (
      <p className="quiet">
        After the first update, the credit of several methods for the same steps appears here, beside what each step was
        really worth.
      </p>
    );
  return <Compared snapshot={snapshot} />;
}

function Compared({ snapshot }: { snapshot: Snapshot }) {
  const config = useRunConfig();
  const chosen = useCompare((c) => c.methods);
  const isRunning = useRun((r) => r.state === 'running');
  const methods = useMemo(() => chosen ?? firstMethods(config), [chosen, config]);
  const found = useCredit(snapshot, methods, !isRunning, isEnough);
  if (!found) return <p className="quiet">One moment.</p>;
  if (!found.answer.isKept)
    return <p className="quiet">This batch is not kept any more; the next one will be here soon.</p>;
  return (
    <div className="credit compare">
      <SideBySide snapshot={found.snapshot} answer={found.answer} />
      <p className="sees">{truthText(found.answer)}</p>
    </div>
  );
}
