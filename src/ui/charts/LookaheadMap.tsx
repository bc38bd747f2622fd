import { useMemo, useState } from 'react';
import type { AheadMap, LevelMap } from '../../worker/protocol.ts';
import { percent, value } from '../format.ts';
import { viewsOf } from '../stage/layers.ts';
import { StageCanvas } from '../stage/StageCanvas.tsx';
import { structureOf } from '../stage/structure.ts';
import { useStage, type StageView } from '../stage/useStage.ts';
import { describe } from '../stage/words.ts';

const NOTHING: readonly number[] = [];
/** Height of the map, in CSS pixels. */
const MOST = 260;

/** What the agent would do in every state of the level on the stage if it looked so many steps ahead. */
export function LookaheadMap({ map }: { map: AheadMap }) {
  const view = useStage();
  const [depth, setDepth] = useState(map.depths.length);
  const own = view?.map;
  if (!view || !own || own.levelSeed !== map.levelSeed || own.cell.length !== map.depths[0]!.best.length)
    return <p className="quiet">Look ahead again to see the level on the stage.</p>;
  return (
    <>
      <div className="segmented" role="group" aria-label="Steps that the map looks ahead">
        {Array.from({ length: map.depths.length + 1 }, (_, d) => (
          <button key={d} type="button" aria-pressed={d === depth} onClick={() => setDepth(d)}>
            {d === 0 ? 'Policy' : d}
          </button>
        ))}
      </div>
      <DepthMap view={view} own={own} map={map} depth={depth} />
    </>
  );
}

type Props = { view: StageView; own: LevelMap; map: AheadMap; depth: number };

function DepthMap({ view, own, map, depth }: Props) {
  const { world, snapshot, scene, layer, i, t } = view;
  const { actions } = snapshot!;
  const at = depth === 0 ? null : map.depths[depth - 1]!;
  const drawn = useMemo(() => (at ? { ...own, probs: oneHot(at.best, actions.length) } : own), [own, at, actions]);
  const structure = structureOf(world, own);
  const cells = useMemo(
    () => viewsOf(drawn, structure.cellsOf(layer), actions, structure.headingOf),
    [drawn, structure, layer, actions],
  );
  const does = (row: number): string =>
    at
      ? `${actions[at.best[row]!] ?? 'nothing'}, worth ${value(at.V[row]!)}`
      : actions.map((name, a) => `${name} ${percent(own.probs[row * actions.length + a]!)}`).join(', ');
  const tell = (cell: number): string => {
    const rows = cells.get(cell)?.rows ?? NOTHING;
    return rows.length === 0 ? 'No state of the map has the agent here.' : rows.slice(0, 4).map(does).join('; ');
  };
  const row = snapshot!.mapRow[i * (snapshot!.T + 1) + t]!;
  const who = depth === 0 ? 'The policy' : `With ${depth} ${depth === 1 ? 'step' : 'steps'} of lookahead the agent`;
  const here = row < own.cell.length ? ` Now: ${does(row)}.` : '';
  return (
    <StageCanvas
      scene={scene}
      cells={cells}
      overlay="policy"
      limit={1}
      hasAgent={layer === view.own}
      trail={NOTHING}
      path={NOTHING}
      summary={`${who} on this level. ${describe(scene, '')}`}
      tell={tell}
      hint={`${who}, with all the time it needs.${here}`}
      most={MOST}
    />
  );
}

function oneHot(best: Int32Array, actions: number): Float32Array {
  const probs = new Float32Array(best.length * actions);
  best.forEach((a, s) => {
    if (a >= 0) probs[s * actions + a] = 1;
  });
  return probs;
}
