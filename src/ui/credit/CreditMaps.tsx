import { useMemo, useState } from 'react';
import type { Scene } from '../../envs/types.ts';
import type { Snapshot } from '../../worker/protocol.ts';
import { symmetricLimit } from '../color.ts';
import { percent } from '../format.ts';
import { cellsOfLayer, type CellView } from '../stage/layers.ts';
import { COLOR_NAMES } from '../stage/palette.ts';
import { StageCanvas } from '../stage/StageCanvas.tsx';
import { useStage, type StageView } from '../stage/useStage.ts';
import { cellWords, describe } from '../stage/words.ts';
import { placeOf } from '../stage/world.ts';
import { mapWith, rightSigns, roundedTo } from './compareMath.ts';
import { SignedScale } from './Legend.tsx';
import { Mark } from './Mark.tsx';

/** One picture: an estimator, or the truth (−1). */
export type MapEntry = {
  readonly at: number;
  readonly title: string;
  readonly values: Float32Array;
  readonly known: Uint8Array | null;
};

type Shown = 'signs' | 'mean';
const SHOWN: readonly { id: Shown; label: string }[] = [
  { id: 'signs', label: 'Right signs' },
  { id: 'mean', label: 'Mean credit' },
];

type MapsProps = { snapshot: Snapshot; entries: readonly MapEntry[]; threshold: number };

/** Per cell of the map of the stage: how often the sign of credit is right, or the mean credit. */
export function CreditMaps({ snapshot, entries, threshold }: MapsProps) {
  const view = useStage();
  const [wanted, setWanted] = useState<Shown>('signs');
  const truth = entries.find((e) => e.at < 0);
  const shown = truth ? wanted : 'mean';
  // the stage may be one batch ahead of the answer
  if (!view || !view.map || view.snapshot !== snapshot)
    return <p className="quiet">This task has too many states to be drawn as a map.</p>;
  const name = view.layers.length > 1 ? (view.layers.find((l) => l.layer === view.layer)?.name ?? '') : '';
  return (
    <>
      <div className="panelhead striptools">
        <div className="segmented" role="group" aria-label="On these maps">
          {SHOWN.filter(({ id }) => truth || id === 'mean').map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={shown === id} onClick={() => setWanted(id)}>
              {label}
            </button>
          ))}
        </div>
      </div>
      <p className="quiet">
        {shown === 'signs'
          ? 'Among the moves in each cell that really mattered: +1, the credit always has the right sign; −1, always the wrong one or none. Cells without color: no move there mattered.'
          : 'Mean credit of the moves made in each cell. Methods that compare visits to the same state agree here: what they shift from one action to another cancels in the mean.'}{' '}
        The map is that of the episode on the stage{name === '' ? '' : `, ${name}`}.
      </p>
      <div className="maps">
        {entries
          .filter((e) => e.at >= 0 || shown === 'mean')
          .map((entry) => (
            <CreditMap
              key={`${shown} ${entry.at}`}
              view={view}
              snapshot={snapshot}
              entry={entry}
              name={name}
              truth={shown === 'signs' ? truth! : null}
              threshold={threshold}
            />
          ))}
      </div>
    </>
  );
}

type Props = {
  view: StageView;
  snapshot: Snapshot;
  entry: MapEntry;
  name: string;
  /** with it: how often its sign is met */
  truth: MapEntry | null;
  /** truths beyond ± this made a difference */
  threshold: number;
};

function CreditMap({ view, snapshot, entry, name, truth, threshold }: Props) {
  const { world, scene, layer, own } = view;
  const map = view.map!;
  const { values, known, title, at } = entry;
  const { cells, limit, shown } = useMemo(() => {
    const signs = truth && rightSigns(snapshot, values, truth.values, truth.known, threshold);
    const means = mapWith(snapshot, map, signs?.values ?? values, signs?.counts ?? known);
    const most = signs ? 1 : symmetricLimit(means.credit.filter((_, s) => means.visits[s]! > 0));
    const filled = { ...means, credit: roundedTo(most, means.credit) };
    const place = (row: number): number => placeOf(world, map.states, row * world.env.words);
    const found = cellsOfLayer(filled, layer, snapshot.actions, () => null, place);
    return { cells: found, limit: most, shown: filled };
  }, [snapshot, map, values, known, truth, threshold, world, layer]);
  return (
    <figure>
      <figcaption>
        <Mark at={at} /> {title}
      </figcaption>
      <StageCanvas
        scene={scene}
        cells={cells}
        overlay="credit"
        limit={limit}
        hasAgent={layer === own}
        trail={NONE}
        path={NONE}
        summary={`${title} per cell. ${describe(scene, world.env.text(world.level, view.state, 0))}`}
        tell={(cell) =>
          truth
            ? signWords(scene, cell, cells.get(cell))
            : cellWords(scene, cell, name, cells.get(cell), shown, snapshot.actions, COLOR_NAMES)
        }
        hint="Point at a cell for its numbers."
      />
      {truth ? (
        <p className="quiet">purple −1: always wrong · orange +1: always right</p>
      ) : (
        <SignedScale limit={limit} what="own scale" />
      )}
    </figure>
  );
}

const NONE: readonly number[] = [];

/** How often the sign was right in one cell. */
export function signWords(scene: Scene, cell: number, view: CellView | undefined): string {
  const name = scene.cells[cell]?.label;
  const column = (cell % scene.width) + 1;
  const where = name === undefined ? `Column ${column}, row ${Math.floor(cell / scene.width) + 1}` : `Room ${name}`;
  if (!view || view.visits === 0) return `${where}: no move here mattered.`;
  const moves = view.visits === 1 ? '1 move that mattered' : `${view.visits} moves that mattered`;
  return `${where}: ${moves}, ${percent((1 + view.credit) / 2)} with the right sign.`;
}
