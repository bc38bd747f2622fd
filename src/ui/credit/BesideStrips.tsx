import { useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { batchOf, besideOf, isBeside, type Beside } from '../stage/beside.ts';
import { SignedScale } from './Legend.tsx';
import { stepSentence } from './sentences.ts';
import { Strip } from './Strip.tsx';
import { limitOf, type Layer } from './strips.ts';
import { useCells, useLayout } from './useCells.ts';

/** Credit and importance weight of what trained beside a batch. `staged`: the one of the two that is on the stage. */
export function BesideStrips({ staged }: { staged: Snapshot }) {
  const beside = besideOf(batchOf(staged));
  return beside && <Strips beside={beside} isStaged={isBeside(staged)} />;
}

function Strips({ beside, isStaged }: { beside: Beside; isStaged: boolean }) {
  const { layout, hasSigns } = useLayout(beside);
  const { pinned, shown } = useCells(beside);
  const credit = useMemo<Layer>(() => ({ id: 'total', title: 'Credit beside the batch', values: beside.A }), [beside]);
  const weight = useMemo<Layer>(
    () => ({ id: 'weight', title: 'Importance weight less 1', values: beside.ratio.map((x) => x - 1) }),
    [beside],
  );
  const limits = useMemo(
    () => ({ credit: limitOf(beside, credit.values), weight: limitOf(beside, weight.values) }),
    [beside, credit, weight],
  );
  const common = { snapshot: beside, layout, shown, pinned, hasSigns, isStaged };
  return (
    <>
      <figure>
        <figcaption>
          Beside the batch <span className="quiet">{whatCame(beside)}</span>
        </figcaption>
        <Strip {...common} layer={credit} limit={limits.credit} />
        <SignedScale limit={limits.credit} what="their credit, on its own scale" />
      </figure>
      <figure>
        <figcaption>
          Importance weight <span className="quiet">π/π_old of their steps as the update began, less 1</span>
        </figcaption>
        <Strip {...common} layer={weight} limit={limits.weight} />
        <SignedScale
          limit={limits.weight}
          less="less likely now"
          more="more likely now"
          what="0: as likely as when it was played, or no π_old is known"
        />
      </figure>
      {isStaged && <p className="told number">{stepSentence(beside, credit, shown.i, shown.t)}</p>}
    </>
  );
}

const KINDS = {
  replay: ['episode played before', 'episodes played before'],
  peer: ['episode of other tabs', 'episodes of other tabs'],
  demo: ['solution of the solver', 'solutions of the solver'],
  search: ['solution of a search', 'solutions of a search'],
} as const;

/** How many came from where, and how much they count. */
export function whatCame({ rows, weight, left }: Pick<Beside, 'rows' | 'weight' | 'left'>): string {
  const counts = Object.entries(KINDS).flatMap(([origin, [one, many]]) => {
    const n = rows.filter(({ came }) => came.origin === origin).length;
    return n === 0 ? [] : [`${n} ${n === 1 ? one : many}`];
  });
  const counted = rows.some(({ isImitated }) => !isImitated)
    ? `; their mean loss counts ${weight === 1 ? 'once' : `${Number(weight.toFixed(2))} times`}`
    : '';
  const imitated = rows.filter(({ isImitated }) => isImitated).length;
  const apart = imitated > 0 ? `; a separate step imitates ${imitated === rows.length ? 'them' : imitated}` : '';
  return `${counts.join(', ')}${counted}${apart}${left > 0 ? `; ${left} more are not shown` : ''}`;
}
