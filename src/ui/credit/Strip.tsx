import { useMemo } from 'react';
import type { Snapshot } from '../../worker/protocol.ts';
import { useChosenSteps } from '../graph/selection.ts';
import { showBatch } from '../stage/shown.ts';
import { look, select } from '../stores/view.ts';
import type { Cell, Layout } from './layout.ts';
import { withoutFaint } from './runScale.ts';
import { stepSentence } from './sentences.ts';
import { StripCells } from './StripCells.tsx';
import type { Layer } from './strips.ts';

type Props = {
  snapshot: Snapshot;
  layer: Layer;
  limit: number;
  layout: Layout;
  /** the step shown everywhere, and the one that a click has pinned */
  shown: Cell;
  pinned: Cell;
  hasSigns: boolean;
  /** smaller values have neither color nor sign */
  least?: number;
  /** false: its episodes are not on the stage, until one of them is chosen */
  isStaged?: boolean;
};

/** Credit of all steps of a batch. The pointer shows a step everywhere, a click pins it. */
export function Strip({ snapshot, layer, limit, layout, shown, pinned, hasSigns, least = 0, isStaged = true }: Props) {
  const chosen = useChosenSteps(snapshot, pinned.i, pinned.t);
  const values = useMemo(() => withoutFaint(layer.values, least), [layer, least]);
  const hover = (to: Cell | null): void => {
    if (!isStaged) return;
    if (to === null || to.i !== shown.i || to.t !== shown.t) look({ hovered: to });
  };
  return (
    <StripCells
      batch={snapshot}
      title={layer.title}
      cell={shown}
      text={stepSentence(snapshot, layer, shown.i, shown.t)}
      isShown={isStaged}
      choose={({ i, t }) => {
        select(i, t);
        if (!isStaged) showBatch(snapshot);
      }}
      {...{ layout, values, limit, hasSigns, chosen, pinned, hover }}
    />
  );
}
