import { useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { useView } from '../stores/view.ts';
import { useNeedsSigns } from '../useTheme.ts';
import { layoutRows, rowHeightFor, type Cell, type Layout } from './layout.ts';

/** Pixels between the rows of two tasks. */
const GAP = 5;

const cellOf = (snapshot: Snapshot, i: number, t: number): Cell => {
  const row = Math.min(i, snapshot.B - 1);
  return { i: row, t: Math.max(0, Math.min(t, snapshot.length[row]! - 1)) };
};

/** The step that a click has pinned, and the one shown everywhere: the one under the pointer, else the pinned one. */
export function useCells(snapshot: Snapshot): { pinned: Cell; shown: Cell } {
  const trajectory = useView((v) => v.trajectory);
  const step = useView((v) => v.step);
  const hovered = useView((v) => v.hovered);
  const pinned = cellOf(snapshot, trajectory, step);
  return { pinned, shown: hovered ? cellOf(snapshot, hovered.i, hovered.t) : pinned };
}

/** Where the cells of all strips lie. `scale`: strips side by side are lower. */
export function useLayout(snapshot: Snapshot, scale = 1): { layout: Layout; hasSigns: boolean } {
  const align = useView((v) => v.align);
  const wantsSigns = useView((v) => v.hasSigns);
  const needsSigns = useNeedsSigns();
  const hasSigns = wantsSigns || needsSigns;
  const layout = useMemo(() => {
    const height = Math.max(hasSigns ? 8 : 1, Math.round(scale * rowHeightFor(snapshot.B, hasSigns)));
    return layoutRows(snapshot, align, height, GAP);
  }, [snapshot, align, hasSigns, scale]);
  return { layout, hasSigns };
}
