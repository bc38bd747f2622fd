import type { Snapshot } from '../../worker/protocol.ts';
import { signed } from '../format.ts';
import { select } from '../stores/view.ts';
import type { Layer } from './strips.ts';

/** The selected episode step by step, with the numbers the colors stand for. */
export function CreditTable({
  snapshot,
  layer,
  trajectory: i,
}: {
  snapshot: Snapshot;
  layer: Layer;
  trajectory: number;
}) {
  const steps = Array.from({ length: snapshot.length[i]! }, (_, t) => t);
  return (
    <div className="tablebox" tabIndex={0} role="region" aria-label={`Credit of episode ${i + 1}`}>
      <table>
        <caption>
          Episode {i + 1}, {snapshot.success[i] === 1 ? 'success' : 'failure'}
        </caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Action</th>
            <th scope="col">Reward</th>
            <th scope="col">{layer.title}</th>
            {snapshot.exact && <th scope="col">Exact</th>}
          </tr>
        </thead>
        <tbody>
          {steps.map((t) => {
            const k = i * snapshot.T + t;
            return (
              <tr key={t}>
                <th scope="row">
                  <button type="button" onClick={() => select(i, t)}>
                    {t + 1}
                  </button>
                </th>
                <td>{snapshot.actions[snapshot.action[k]!]}</td>
                <td>{signed(snapshot.reward[k]!)}</td>
                <td>{signed(layer.values[k]!)}</td>
                {snapshot.exact && <td>{signed(snapshot.exact[k]!)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
