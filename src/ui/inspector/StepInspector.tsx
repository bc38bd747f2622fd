import { useMemo, useState } from 'react';
import { offeredEstimators } from '../../config/offered.ts';
import { estimators } from '../../slots/methods.ts';
import type { Asked, Snapshot, StepAnswer } from '../../worker/protocol.ts';
import { askedOf, firstMethods, useCompare } from '../credit/compareStore.ts';
import { judgedWords } from '../credit/judged.ts';
import { credit, stepName } from '../credit/sentences.ts';
import { useCells, useLayout } from '../credit/useCells.ts';
import { percent } from '../format.ts';
import { useRunConfig } from '../session.ts';
import { moveCell } from '../credit/layout.ts';
import { SignalStrips } from '../rewards/SignalStrips.tsx';
import { select } from '../stores/view.ts';
import { Members } from './Members.tsx';
import { MiniState } from './MiniState.tsx';
import { revisedBy } from './revised.ts';
import { completionWords, potentialName, potentialWords, toldWords } from './signals.ts';
import { Sources } from './Sources.tsx';
import { Terms } from './Terms.tsx';
import { useStep } from './useStep.ts';

/** One step in every detail: the state, the action, who else was there, and how the number of its credit comes about. */
export function StepInspector({ snapshot }: { snapshot: Snapshot }) {
  const config = useRunConfig();
  const chosen = useCompare((c) => c.methods);
  const { pinned } = useCells(snapshot);
  const { i, t } = pinned;
  const offered = useMemo(() => chosen ?? firstMethods(config), [chosen, config]);
  const [wanted, setWanted] = useState<string | null>(null);
  const own = config?.advantage.method ?? 'gigpo';
  const id = wanted ?? own;
  const asked = useMemo<Asked>(() => offered.find((m) => m.id === id) ?? askedOf(config, id), [offered, id, config]);
  const found = useStep(snapshot, asked, i, t);
  const revised = config && revisedBy(config);
  const record = estimators.find((e) => e.id === id)!;
  const k = i * snapshot.T + t;
  const action = snapshot.action[k]!;
  const chance = snapshot.probs[k * snapshot.actions.length + action] ?? 0;
  const answer =
    found?.snapshot === snapshot && found.i === i && found.t === t && found.asked === asked ? found.answer : null;
  const truth = snapshot.exact ? snapshot.exact[k]! : null;
  return (
    <div className="inspector">
      <p className="sees">
        {stepName(snapshot, i, t)}. Choose another step on the stage, in a strip or in a table; every view shows the
        same one.
      </p>
      <StepButtons snapshot={snapshot} />
      <div className="facts2">
        <MiniState snapshot={snapshot} i={i} t={t} />
        <dl>
          <Fact name="Chosen action" text={snapshot.actions[action] ?? 'no command'} />
          <Fact name="Its probability" text={`${percent(chance)} under the policy that played`} />
          <Fact name="Reward of this step" text={credit(snapshot.reward[k]!)} />
          <Fact name="Return of the episode" text={credit(snapshot.outcome[i]!)} />
          {snapshot.judged && (
            <>
              <Fact name="Reward, as the estimator sees it" text={credit(snapshot.judged.reward[k]!)} />
              <Fact name="Return, as the estimator sees it" text={credit(snapshot.judged.outcome[i]!)} />
            </>
          )}
          {answer?.signals && <Fact name="What the world reported" text={toldWords(answer.signals)} />}
          {answer?.signals && (
            <>
              <Fact name={potentialName(answer.signals)} text={potentialWords(answer.signals)} />
              <Fact name="Task completed" text={completionWords(answer.signals)} />
            </>
          )}
          {truth !== null && <Fact name="What it was really worth" text={`${credit(truth)} (exact advantage)`} />}
          {answer?.paidTruth && <Fact name="The same, discounted as the shaping" text={paidWords(answer.paidTruth)} />}
        </dl>
      </div>
      <SignalStrips snapshot={snapshot} i={i} t={t} />
      <label className="inline">
        Credit by{' '}
        <select value={id} onChange={(event) => setWanted(event.target.value)}>
          {offeredEstimators.map((e) => (
            <option key={e.id} value={e.id}>
              {e.title}
              {e.id === own ? ' (this run)' : ''}
            </option>
          ))}
        </select>
      </label>
      {!answer && <p className="quiet">The worker is computing it.</p>}
      {answer && !answer.isKept && (
        <p className="sees">This batch is no longer kept. Follow the newest episode on the stage to continue.</p>
      )}
      {answer?.isKept && (
        <>
          {answer.why !== null && <p className="refused">{answer.why}</p>}
          {snapshot.judged && (
            <p className="quiet">
              Rewards and returns in these formulas are not what the world paid but what the estimator of this run sees:{' '}
              {judgedWords(snapshot.judged)}.
            </p>
          )}
          <Terms answer={answer} />
          {id === own && answer.why === null && revised !== null && Math.abs(answer.A - snapshot.A[k]!) > 1e-4 && (
            <p className="quiet">
              The run {revised}: {credit(answer.A)} becomes {credit(snapshot.A[k]!)}.
            </p>
          )}
          <Members snapshot={snapshot} answer={answer} step={k} />
        </>
      )}
      <Sources estimator={record} kernels={answer?.isKept ? answer.kernels : null} />
    </div>
  );
}

/** Exact credit by what the world pays and by what the reward modules make of it, side by side. */
const paidWords = ({ gamma, world, paid }: NonNullable<StepAnswer['paidTruth']>): string =>
  `${credit(world)} by the world, ${credit(paid)} as it is paid (exact advantages, γ = ${gamma})`;

/** The same moves as the arrow keys in a strip, for pointers and switches. */
function StepButtons({ snapshot }: { snapshot: Snapshot }) {
  const { pinned } = useCells(snapshot);
  const { layout } = useLayout(snapshot);
  const go = (key: string) => (): void => {
    const to = moveCell(layout, snapshot, pinned, key);
    if (to) select(to.i, to.t);
  };
  return (
    <div className="stepbuttons" role="group" aria-label="Choose a step">
      <button type="button" onClick={go('ArrowLeft')}>
        ← Step before
      </button>
      <button type="button" onClick={go('ArrowRight')}>
        Step after →
      </button>
      <button type="button" onClick={go('ArrowUp')}>
        ↑ Episode before
      </button>
      <button type="button" onClick={go('ArrowDown')}>
        Episode after ↓
      </button>
    </div>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">{text}</dd>
    </div>
  );
}
