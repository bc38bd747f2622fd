import type { Snapshot } from '../../worker/protocol.ts';
import { credit } from '../credit/sentences.ts';
import { percent, signed, value } from '../format.ts';

type Props = { snapshot: Snapshot; trajectory: number; step: number };

/** How likely each action was at the selected step, which one was taken, and what it was worth. */
export function ActionBars({ snapshot, trajectory: i, step: t }: Props) {
  const { actions, T } = snapshot;
  const length = snapshot.length[i]!;
  const isEnd = t >= length;
  const k = i * T + t;
  const taken = isEnd ? -1 : snapshot.action[k]!;
  return (
    <div className="bars">
      <h3>{isEnd ? 'The end of the episode' : `Step ${t + 1}: the agent chose ${actions[taken]}`}</h3>
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
      <dl className="number">
        <Fact name="Credit" text={isEnd ? '–' : credit(snapshot.A[k]!)} />
        {snapshot.exact && <Fact name="Exact" text={isEnd ? '–' : credit(snapshot.exact[k]!)} />}
        <Fact name="Reward" text={isEnd ? '–' : signed(snapshot.reward[k]!)} />
        <Fact name="Entropy" text={isEnd ? '–' : `${value(Number(snapshot.entropy[k]!.toFixed(3)))} nats`} />
      </dl>
    </div>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}
