import { useMemo } from 'react';
import type { PaidBatch, Snapshot } from '../../worker/protocol.ts';
import { useChosenSteps } from '../graph/selection.ts';
import { SignedScale } from '../credit/Legend.tsx';
import { runScale, FAINT, withoutFaint } from '../credit/runScale.ts';
import { credit, stepName } from '../credit/sentences.ts';
import { StripCells } from '../credit/StripCells.tsx';
import { limitOf } from '../credit/strips.ts';
import { useCells, useLayout } from '../credit/useCells.ts';
import { look, select } from '../stores/view.ts';
import { symmetricLimit } from '../color.ts';
import './rewards.css';
import { isShaped } from './rows.ts';
import { cutSentence, optimumSentence, paidSentence } from './sentences.ts';
import { SignalStrips } from './SignalStrips.tsx';
import { useRewards } from './useRewards.ts';

/** What was paid in a batch: r and r′ of all episodes, the exact credit of both, and all that is known of one episode. */
export function RewardView({ snapshot }: { snapshot: Snapshot }) {
  const found = useRewards(snapshot, null);
  const batch = found?.snapshot === snapshot ? found.answer.batch : null;
  const { shown } = useCells(snapshot);
  const paid = isShaped(snapshot) ? snapshot.judged!.reward : null;
  const most = useMemo(() => {
    const sizes = [snapshot.reward, ...(paid ? [paid] : [])].map((values) => limitOf(snapshot, values));
    // 1 stands for a batch in which nothing was paid
    const real = sizes.filter((limit) => limit !== 1);
    return Math.max(...(real.length > 0 ? real : sizes));
  }, [snapshot, paid]);
  return (
    <>
      <p className="sees">{paidSentence(snapshot)}</p>
      <RewardStrip
        snapshot={snapshot}
        title="Reward r"
        what="what the world paid"
        values={snapshot.reward}
        limit={most}
      />
      {paid && (
        <RewardStrip
          snapshot={snapshot}
          title="Shaped reward r′"
          what={`what the estimator saw in its place: ${snapshot.judged!.shapedBy.join(', ')}`}
          values={paid}
          limit={most}
        />
      )}
      <SignedScale limit={most} what={paid ? 'both on one scale' : 'reward of a step'} less="costs" more="pays" />
      {batch !== null && typeof batch === 'object' && <Exact snapshot={snapshot} batch={batch} />}
      {paid && typeof batch === 'string' && <p className="quiet">{batch}</p>}
      <h3>Episode {shown.i + 1}, step by step</h3>
      <SignalStrips snapshot={snapshot} i={shown.i} t={shown.t} />
    </>
  );
}

/** Exact advantages by r and by r′, and whether the best policy is the same. */
function Exact({ snapshot, batch }: { snapshot: Snapshot; batch: PaidBatch }) {
  const limit = useMemo(() => Math.max(...[batch.world, batch.paid].map((values) => symmetricLimit(values))), [batch]);
  const cut = useMemo(() => cutSentence(batch, limit), [batch, limit]);
  const common = { snapshot, limit, least: FAINT * (runScale().exact || 1) };
  return (
    <>
      <p className="sees">{optimumSentence(batch)}</p>
      <RewardStrip
        {...common}
        title="Exact advantage by r"
        what={`how much better the move was than the policy’s average, γ = ${batch.gamma}`}
        values={batch.world}
      />
      <RewardStrip {...common} title="Exact advantage by r′" what="the same for what is paid" values={batch.paid} />
      <SignedScale limit={limit} what="both on one scale" />
      {cut !== null && <p className="quiet">{cut}</p>}
    </>
  );
}

type StripProps = {
  snapshot: Snapshot;
  title: string;
  what: string;
  values: Float32Array;
  limit: number;
  least?: number;
};

function RewardStrip({ snapshot, title, what, values, limit, least = 0 }: StripProps) {
  const { layout, hasSigns } = useLayout(snapshot, 0.6);
  const { pinned, shown } = useCells(snapshot);
  const chosen = useChosenSteps(snapshot, pinned.i, pinned.t);
  const drawn = useMemo(() => withoutFaint(values, least), [values, least]);
  const { i, t } = shown;
  return (
    <figure>
      <figcaption>
        {title} <span className="quiet">{what}</span>
      </figcaption>
      <StripCells
        batch={snapshot}
        what="value"
        cell={shown}
        text={`${stepName(snapshot, i, t)}, ${title} ${credit(values[i * snapshot.T + t]!)}.`}
        isShown
        values={drawn}
        choose={(to) => select(to.i, to.t)}
        hover={(to) => {
          if (to === null || to.i !== i || to.t !== t) look({ hovered: to });
        }}
        {...{ layout, title, limit, hasSigns, chosen, pinned }}
      />
    </figure>
  );
}
