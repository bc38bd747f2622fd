import type { Snapshot } from '../../worker/protocol.ts';
import { signed } from '../format.ts';
import { select, useView } from '../stores/view.ts';
import { judgedWords } from '../credit/judged.ts';
import { Histogram } from './Histogram.tsx';
import { StepStrip } from './StepStrip.tsx';
import { returnsOf } from './stops.ts';

/** Every episode of the rollout as a button: how it ended, how long it took; with `R` also what it earned. */
function Episodes({ snapshot, hasReturn }: { snapshot: Snapshot; hasReturn: boolean }) {
  const trajectory = useView((v) => v.trajectory);
  return (
    <div className="walkepisodes" tabIndex={0} role="region" aria-label="Episodes of this rollout">
      {returnsOf(snapshot).map(({ task, members, isEven }) => (
        <div key={task}>
          <h3>
            Task {task + 1}
            {hasReturn && (
              <span className="quiet"> {isEven ? 'all equal: nothing to compare' : 'some better, some worse'}</span>
            )}
          </h3>
          <ul>
            {members.map((i) => (
              <li key={i}>
                <button
                  type="button"
                  className="number"
                  aria-pressed={i === trajectory}
                  title={`Episode ${i + 1}: ${snapshot.success[i] === 1 ? 'reached the goal' : 'did not reach the goal'}`}
                  onClick={() => select(i, 0)}
                >
                  {snapshot.success[i] === 1 ? '✓' : '✗'} {i + 1}:{' '}
                  {hasReturn ? returnText(snapshot, i) : `${snapshot.length[i]} steps`}
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** Return of an episode, and where it is not the same, what the estimator sees of it. */
function returnText({ outcome, judged }: Snapshot, i: number): string {
  const text = (x: number): string => signed(Number(x.toFixed(3)));
  return `R ${text(outcome[i]!)}${judged ? `, seen as ${text(judged.outcome[i]!)}` : ''}`;
}

export function RolloutStop({ snapshot }: { snapshot: Snapshot }) {
  return (
    <>
      <Episodes snapshot={snapshot} hasReturn={false} />
      <p className="quiet">Choose an episode: the stage above plays it.</p>
    </>
  );
}

export function RewardStop({ snapshot }: { snapshot: Snapshot }) {
  return (
    <>
      <Episodes snapshot={snapshot} hasReturn />
      <div className="walkpair">
        <StepStrip
          snapshot={snapshot}
          id="reward"
          title="Reward of each step"
          what="what the world paid"
          scale="Orange ▲: a reward, purple ▼: a penalty, no color: nothing. One row is one episode, one cell one step."
          values={snapshot.reward}
        />
        <Histogram title="Returns R of the episodes" values={snapshot.outcome} />
      </div>
      {snapshot.judged && (
        <div className="walkpair">
          <StepStrip
            snapshot={snapshot}
            id="judged"
            title="The same, as the estimator sees it"
            what={judgedWords(snapshot.judged)}
            values={snapshot.judged.reward}
          />
          <Histogram title="Returns as the estimator sees them" values={snapshot.judged.outcome} />
        </div>
      )}
    </>
  );
}
