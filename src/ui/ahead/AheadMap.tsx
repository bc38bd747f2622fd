import { useMemo } from 'react';
import { percent, value } from '../format.ts';
import { viewsOf } from '../stage/layers.ts';
import { StageCanvas } from '../stage/StageCanvas.tsx';
import { structureOf } from '../stage/structure.ts';
import type { StageView } from '../stage/useStage.ts';
import { cellWords, describe } from '../stage/words.ts';
import { COLOR_NAMES } from '../stage/palette.ts';
import { placeOf } from '../stage/world.ts';
import { planWords } from './words.ts';
import { useAhead } from './store.ts';
import { useDecision } from './useDecision.ts';

const NOTHING: readonly number[] = [];

/** The map of the stage with what the agent would do if it looked ahead, and what it plans from the step on the screen. */
export function AheadMap({ view, path }: { view: StageView; path: readonly number[] }) {
  useDecision(view);
  const answer = useAhead((a) => a.answer);
  const { world, snapshot, i, state, scene, map, layers, layer, own, trail } = view;
  const found = answer?.decision?.request.levelSeed === snapshot?.levelSeeds[i] ? (answer?.decision ?? null) : null;
  const actions = useMemo(() => snapshot?.actions ?? [], [snapshot]);
  const everywhere = found?.map && map && found.map.best.length === map.cell.length ? found.map : null;
  const drawn = useMemo(
    () => (map && everywhere ? { ...map, probs: oneHot(everywhere.best, actions.length) } : null),
    [map, everywhere, actions],
  );
  const structure = map ? structureOf(world, map) : null;
  const cells = useMemo(
    () => (drawn && structure ? viewsOf(drawn, structure.cellsOf(layer), actions, structure.headingOf) : null),
    [drawn, structure, layer, actions],
  );
  const plan = useMemo(
    () => (found && layer === own ? found.states.map((s) => placeOf(world, s, 0)) : NOTHING),
    [found, layer, own, world],
  );
  const depth = found?.request.depth;
  const does = (row: number): string =>
    `${actions[everywhere!.best[row]!] ?? 'nothing'}, worth ${value(everywhere!.V[row]!)}; the policy: ${actions
      .map((name, a) => `${name} ${percent(map!.probs[row * actions.length + a]!)}`)
      .join(', ')}`;
  const tell = (cell: number): string => {
    const where = cellWords(scene, cell, '', undefined, null, actions, COLOR_NAMES);
    const rows = cells?.get(cell)?.rows ?? NOTHING;
    return rows.length === 0 || !everywhere ? where : `${where} ${rows.slice(0, 4).map(does).join('; ')}.`;
  };
  const who = found ? `With ${depth} ${depth === 1 ? 'step' : 'steps'} of lookahead the agent` : 'The agent';
  const now = found ? ` Its plan from here: ${planWords(found, actions)}.` : '';
  const hint = !snapshot
    ? 'The map fills with what the agent learns once training has begun.'
    : (answer?.why ??
      (found
        ? `${everywhere ? 'Arrows: what the agent would do in each cell' : 'Dashed: what the agent plans'} if it looked ${depth} ${depth === 1 ? 'step' : 'steps'} ahead.${now}`
        : 'Looking ahead from this step.'));
  return (
    <StageCanvas
      scene={scene}
      cells={cells}
      overlay="policy"
      limit={1}
      hasAgent={layer === own}
      trail={layer === own ? trail : NOTHING}
      path={path.length > 1 ? path : plan}
      summary={`${who}, on this level.${now} ${describe(scene, world.env.text(world.level, state, 0))}${layers.length > 1 ? ` Layer: ${layers.find((l) => l.layer === layer)!.name}.` : ''}`}
      tell={tell}
      hint={hint}
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
