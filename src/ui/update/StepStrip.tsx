import { useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { SignedScale } from '../credit/Legend.tsx';
import { layoutRows, rowHeightFor } from '../credit/layout.ts';
import { Strip } from '../credit/Strip.tsx';
import { limitOf } from '../credit/strips.ts';
import { useView } from '../stores/view.ts';
import { useNeedsSigns } from '../useTheme.ts';

type Props = {
  snapshot: Snapshot;
  id: string;
  title: string;
  what: string;
  values: Float32Array;
  /** the colors in words, where they are not credit */
  scale?: string;
};

/** One number of each step, in the same strips as credit: one row per episode, linked to stage and graph. */
export function StepStrip({ snapshot, id, title, what, values, scale }: Props) {
  const trajectory = useView((v) => v.trajectory);
  const step = useView((v) => v.step);
  const hovered = useView((v) => v.hovered);
  const wantsSigns = useView((v) => v.hasSigns);
  const needsSigns = useNeedsSigns();
  const hasSigns = wantsSigns || needsSigns;
  const height = Math.max(hasSigns ? 8 : 3, Math.min(8, rowHeightFor(snapshot.B, hasSigns)));
  const layout = useMemo(() => layoutRows(snapshot, 'start', height, 5), [snapshot, height]);
  const limit = useMemo(() => limitOf(snapshot, values), [snapshot, values]);
  const layer = useMemo(() => ({ id, title, values }), [id, title, values]);
  const cellOf = (i: number, t: number): { i: number; t: number } => {
    const row = Math.min(i, snapshot.B - 1);
    return { i: row, t: Math.max(0, Math.min(t, snapshot.length[row]! - 1)) };
  };
  const pinned = cellOf(trajectory, step);
  const shown = hovered ? cellOf(hovered.i, hovered.t) : pinned;
  return (
    <figure className="stepstrip">
      <figcaption>
        {title} <span className="quiet">{what}</span>
      </figcaption>
      <Strip {...{ snapshot, layer, limit, layout, shown, pinned, hasSigns }} />
      {scale === undefined ? (
        <SignedScale limit={limit} what="one row is one episode, one cell one step" />
      ) : (
        <p className="quiet">{scale}</p>
      )}
    </figure>
  );
}
