import { Play, Square } from 'lucide-react';
import type { BlockOf } from '../../lessons/format/blocks.ts';
import { metrics } from '../../slots/metrics/metrics.ts';
import { unless } from '../focus.ts';
import { duration } from '../format.ts';
import { part } from '../Part.tsx';
import type { ArmProgress } from './client.ts';
import { runArms, stopTraining } from './lessonActions.ts';
import { unanswered, useLesson, type LessonState } from './lessonStore.ts';

const ArmChart = part(
  () => import('./ArmChart.tsx').then((m) => m.ArmChart),
  <p className="quiet">The chart is loading.</p>,
);

/** Trains arms of the lesson, with their curves while they train. It waits for the predictions before it. */
export function RunView({ block, k }: { readonly block: BlockOf<'run'>; readonly k: number }) {
  const key = `block ${k}`;
  const waits = useLesson((l) => unanswered(l.lesson!.blocks, k, l.answers).length);
  const isBusy = useLesson((l) => l.training !== null);
  const live = useLesson((l) => (l.training?.key === key ? l.training.arms : null));
  const problem = useLesson((l) => l.problems[key]);
  const seconds = useLesson((l) => secondsOf(l, block.run));
  const isDone = useLesson((l) => block.run.every((arm) => l.trained[arm] !== undefined));
  const label = useNames(block.run);
  return (
    <section className="runblock" aria-label={`Run ${label}`}>
      <p>
        {live ? (
          <button type="button" onClick={stopTraining}>
            <Square aria-hidden size={16} /> Stop
          </button>
        ) : (
          <button
            type="button"
            className={isDone ? undefined : 'primary'}
            {...unless(isBusy || waits > 0, () => void runArms(key, block.run, block.chart, isDone))}
          >
            <Play aria-hidden size={16} /> {isDone ? 'Run again with other seeds' : `Train ${label}`}
          </button>
        )}{' '}
        {live ? (
          <Progress arms={live} />
        ) : (
          <span className="quiet" role="status">
            {statusWords({ waits, isDone, isBusy, seconds })}
          </span>
        )}
      </p>
      {problem !== undefined && (
        <p className="notice serious" role="alert">
          {problem} Press the button to try again.
        </p>
      )}
      <Curves arms={block.run} chart={block.chart} live={live} />
    </section>
  );
}

function secondsOf({ seconds }: LessonState, arms: readonly string[]): number | null {
  const each = arms.map((arm) => seconds[arm] ?? null);
  return each.includes(null) ? null : each.reduce<number>((sum, s) => sum + s!, 0);
}

type Words = { waits: number; isDone: boolean; isBusy: boolean; seconds: number | null };
function statusWords({ waits, isDone, isBusy, seconds }: Words): string {
  if (waits > 0) return waits === 1 ? 'First answer the question above.' : `First answer the ${waits} questions above.`;
  if (isDone) return 'Done.';
  if (isBusy) return 'Something else is training.';
  return seconds === null ? '' : `${duration(seconds)} on this device`;
}

/** “GRPO and GiGPO”, or how many they are. */
function useNames(arms: readonly string[]): string {
  const all = useLesson((l) => l.lesson!.arms);
  const names = arms.map((arm) => all.find((one) => one.id === arm)!.label);
  const isShort = names.length < 3 && names.every((name) => !name.includes(','));
  return isShort ? names.join(' and ') : `${names.length} experiments`;
}

export function Progress({ arms }: { readonly arms: readonly ArmProgress[] }) {
  const [done, all] = [arms.reduce((n, a) => n + a.update, 0), arms.reduce((n, a) => n + a.updates, 0)];
  return (
    <span className="quiet number">
      {all === 0 ? (
        'Getting ready…'
      ) : (
        <>
          <progress value={done} max={all} aria-label="Updates done" /> {done} of {all} updates
        </>
      )}
    </span>
  );
}

function Curves({
  arms,
  chart,
  live,
}: {
  arms: readonly string[];
  chart: readonly string[];
  live: readonly ArmProgress[] | null;
}) {
  const trained = useLesson((l) => l.trained);
  const known = useLesson((l) => l.lesson!.arms);
  const shown = arms.flatMap((id) => {
    const progress = live?.find((arm) => arm.id === id) ?? (live ? undefined : trained[id]);
    return progress ? [{ label: known.find((arm) => arm.id === id)!.label, progress }] : [];
  });
  if (shown.length === 0) return null;
  const isBySteps = shown.some(({ progress }) => progress.isBySteps);
  return chart.map((id) => {
    const metric = metrics.find((m) => m.id === id)!;
    const lines = shown.flatMap(({ label, progress }) => {
      const curve = progress.curves[id];
      return curve ? [{ label, curve }] : [];
    });
    return lines.length > 0 && <ArmChart key={id} metric={metric} lines={lines} isBySteps={isBySteps} />;
  });
}
