import { countsOrigin } from '../../contract/rows.ts';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import type { Column, CreditAnswer, Snapshot, Truth } from '../../worker/protocol.ts';
import { useRunConfig } from '../session.ts';
import { openFormula } from '../formula/formulaStore.ts';
import { useRun } from '../stores/run.ts';
import { useView } from '../stores/view.ts';
import { CompareStrips } from './CompareStrips.tsx';
import {
  askedOf,
  compare,
  firstMethods,
  MOST,
  nextMethod,
  useCompare,
  withMethod,
  type ComparePage,
} from './compareStore.ts';
import { CreditMaps, type MapEntry } from './CreditMaps.tsx';
import { Curve } from './Curve.tsx';
import { MeasureTables } from './MeasureTables.tsx';
import { pendingText, truthText } from './measureRows.ts';
import { leftOut, shownIn } from './sentences.ts';
import { MethodPicker } from './MethodPicker.tsx';
import { Scatter } from './Scatter.tsx';
import { useCredit } from './useCredit.ts';
import { useCells } from './useCells.ts';

const PAGES: readonly { id: ComparePage; label: string }[] = [
  { id: 'strips', label: 'Step by step' },
  { id: 'points', label: 'Points' },
  { id: 'batches', label: 'Larger batches' },
  { id: 'map', label: 'Map' },
];

/** Up to four estimators on the batch that is shown, beside what each step was really worth. Nothing is trained. */
export function CompareView({ snapshot }: { snapshot: Snapshot }) {
  const config = useRunConfig();
  const chosen = useCompare((c) => c.methods);
  const isRunning = useRun((r) => r.state === 'running');
  const isFollowing = useView((v) => v.isFollowing);
  const methods = useMemo(() => chosen ?? firstMethods(config), [chosen, config]);
  const isStill = !isRunning || !isFollowing;
  const found = useCredit(snapshot, methods, isStill);
  return (
    <div className="compare">
      <p className="sees">
        The same {snapshot.B} episodes, with credit from different methods. Nothing is trained: the credit of each step
        is computed again and compared with what the step was really worth.
      </p>
      <div className="pickers">
        {methods.map((asked, at) => (
          <MethodPicker
            key={at}
            at={at}
            asked={asked}
            remove={methods.length > 1 ? () => compare({ methods: withMethod(methods, at, null) }) : null}
            choose={(id) => compare({ methods: withMethod(methods, at, askedOf(config, id)) })}
            set={(name, value) =>
              compare({
                methods: withMethod(methods, at, { ...asked, params: { ...asked.params, [name]: value } }),
              })
            }
          />
        ))}
        {methods.length < MOST && (
          <button
            type="button"
            onClick={() =>
              compare({ methods: withMethod(methods, methods.length, askedOf(config, nextMethod(methods))) })
            }
          >
            <Plus aria-hidden size={16} /> Add an estimator
          </button>
        )}
        {methods.length < MOST && methods.every(({ id }) => id !== 'formula') && (
          <button
            type="button"
            aria-haspopup="dialog"
            onClick={() =>
              openFormula('', {
                label: 'Use in the comparison',
                take: (text) =>
                  compare({ methods: withMethod(methods, methods.length, { id: 'formula', params: { text } }) }),
              })
            }
          >
            <Plus aria-hidden size={16} /> Write a formula
          </button>
        )}
      </div>
      {found === null && <p className="quiet">The worker has not answered yet.</p>}
      {found && !found.answer.isKept && (
        <p className="sees">
          This batch is no longer kept. Follow the newest episode on the stage, and the comparison shows its batch.
        </p>
      )}
      {found?.answer.isKept && <Filled found={found} isStill={isStill} />}
    </div>
  );
}

function Filled({ found, isStill }: { found: NonNullable<ReturnType<typeof useCredit>>; isStill: boolean }) {
  const { snapshot, answer } = found;
  const { truth, columns } = answer;
  const shown = shownIn(snapshot);
  const page = useCompare((c) => c.page);
  const withCredit = columns.flatMap((column, at) => (column.A ? [{ column, at, A: column.A }] : []));
  const entries: MapEntry[] = [
    ...withCredit.map(({ column, at, A }) => ({ at, title: column.title, values: A, known: null })),
    ...(truth.values ? [{ at: -1, title: truthTitle(truth.kind), values: truth.values, known: truth.known }] : []),
  ];
  const pending = pendingText(answer.pending);
  return (
    <>
      <MeasureTables answer={answer} />
      <p className="sees">{truthText(answer)}</p>
      {shown > 0 && (
        <p className="quiet">{leftOut(shown)} The solver chose their actions, so all numbers below leave them out.</p>
      )}
      <p className="quiet">
        {!isStill
          ? 'While training runs, only the quick measures keep up; pause, or pin a step, for error bars and the curve.'
          : (pending ?? 'Everything has been computed.')}
      </p>
      <div className="segmented views" role="group" aria-label="Pages of the comparison">
        {PAGES.map(({ id, label }) => (
          <button key={id} type="button" aria-pressed={page === id} onClick={() => compare({ page: id })}>
            {label}
          </button>
        ))}
      </div>
      {page === 'strips' && <CompareStrips snapshot={snapshot} answer={answer} />}
      {page === 'points' && <Points snapshot={snapshot} truth={truth} drawn={withCredit} />}
      {page === 'batches' && <Batches snapshot={snapshot} answer={answer} />}
      {page === 'map' && <CreditMaps snapshot={snapshot} entries={entries} threshold={truth.threshold} />}
    </>
  );
}

type Drawn = readonly { readonly column: Column; readonly at: number; readonly A: Float32Array }[];

function Points({ snapshot, truth, drawn }: { snapshot: Snapshot; truth: Truth; drawn: Drawn }) {
  const { shown } = useCells(snapshot);
  const known = useMemo(() => knownOwn(snapshot, truth.known), [snapshot, truth.known]);
  if (!truth.values) return <p className="quiet">There is no truth yet to plot the credit against.</p>;
  return (
    <>
      <p className="quiet">
        Each point is a step: to the right of the middle it really helped, above the middle it got positive credit.
        Dots: the sign is right, or the step hardly mattered. Crosses: the sign is wrong. The ring marks the selected
        step.
      </p>
      <div className="scatters">
        {drawn.map(({ column, at, A }) => (
          <Scatter
            key={at}
            snapshot={snapshot}
            at={at}
            title={column.title}
            values={A}
            truth={truth.values!}
            threshold={truth.threshold}
            known={known}
            selected={shown.i * snapshot.T + shown.t}
          />
        ))}
      </div>
    </>
  );
}

function Batches({ snapshot, answer }: { snapshot: Snapshot; answer: CreditAnswer }) {
  if (answer.truth.kind !== 'exact')
    return (
      <p className="quiet">
        {answer.truth.why} Without the exact gradient there is nothing to compare the direction of an update with.
      </p>
    );
  return (
    <>
      <p className="quiet">
        How directly uphill the update would go, for batches of 1, 2, 4, … task groups. A rising curve means noise,
        which more episodes cure; a curve that levels off below 1 means bias, which they do not.
      </p>
      <Curve columns={answer.columns} groupSize={groupSizeOf(snapshot)} />
    </>
  );
}

/** Steps that count: known, and the policy's own. */
function knownOwn(snapshot: Snapshot, known: Uint8Array | null): Uint8Array | null {
  if (shownIn(snapshot) === 0) return known;
  const { B, T, origin } = snapshot;
  return Uint8Array.from({ length: B * T }, (_, k) =>
    countsOrigin(origin[Math.floor(k / T)]!) ? (known?.[k] ?? 1) : 0,
  );
}

export const truthTitle = (kind: string): string => (kind === 'estimated' ? 'Truth (estimated)' : 'Truth (exact)');

const groupSizeOf = ({ B, taskIndex }: Snapshot): number => Math.round(B / new Set(taskIndex).size);
