import type { Snapshot } from '../../worker/protocol.ts';
import { percent, signed } from '../format.ts';

type Props = { snapshot: Snapshot | null; trajectory: number; step: number };

/** How likely each action was at the selected step, which one was taken, and what credit it got. */
export function ActionBars({ snapshot, trajectory: i, step: t }: Props) {
  if (!snapshot) return null;
  const { actions, T } = snapshot;
  const isEnd = t >= snapshot.length[i]!;
  const k = i * T + t;
  const taken = isEnd ? -1 : snapshot.action[k]!;
  return (
    <div className="bars">
      {actions.map((name, a) => {
        const p = isEnd ? 0 : snapshot.probs[k * actions.length + a]!;
        return (
          <div key={name} className={a === taken ? 'bar taken' : 'bar'}>
            <span>{name}</span>
            <span className="track" aria-hidden>
              <span style={{ width: `${p * 100}%` }} />
            </span>
            <span className="number">{isEnd ? '–' : percent(p)}</span>
          </div>
        );
      })}
      <p className="quiet">
        {isEnd
          ? `The episode ended here: ${snapshot.success[i] === 1 ? 'success' : 'no success'}, return ${snapshot.outcome[i]!.toFixed(2)}.`
          : `Took “${actions[taken]}”, credit ${signed(snapshot.A[k]!)}${snapshot.exact ? `, exactly ${signed(snapshot.exact[k]!)}` : ''}, reward ${signed(snapshot.reward[k]!)}.`}
      </p>
    </div>
  );
}
