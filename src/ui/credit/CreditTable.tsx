import type { Snapshot } from '../../worker/protocol.ts';
import { signed } from '../format.ts';
import { select } from '../stores/view.ts';
import type { Cell } from './layout.ts';
import { credit } from './sentences.ts';
import type { Layer } from './strips.ts';

/** The selected episode step by step, with the numbers the colors stand for. */
export function CreditTable({ snapshot, layers, cell }: { snapshot: Snapshot; layers: readonly Layer[]; cell: Cell }) {
  const { i } = cell;
  const steps = Array.from({ length: snapshot.length[i]! }, (_, t) => t);
  return (
    <div className="tablebox" tabIndex={0} role="region" aria-label={`Credit of episode ${i + 1}`}>
      <table>
        <caption>
          Episode {i + 1}, task {snapshot.taskIndex[i]! + 1}, {snapshot.success[i] === 1 ? 'success' : 'failure'}
        </caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col">Action</th>
            <th scope="col">Reward</th>
            {snapshot.judged && <th scope="col">Reward, as the estimator sees it</th>}
            {layers.map((layer) => (
              <th key={layer.id} scope="col">
                {layer.id === 'total' ? layer.title : layer.id}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((t) => {
            const k = i * snapshot.T + t;
            return (
              <tr key={t} className={t === cell.t ? 'selected' : undefined}>
                <th scope="row">
                  <button type="button" aria-label={`Step ${t + 1}`} onClick={() => select(i, t)}>
                    {t + 1}
                  </button>
                </th>
                <td>{snapshot.actions[snapshot.action[k]!]}</td>
                <td>{signed(snapshot.reward[k]!)}</td>
                {snapshot.judged && <td>{credit(snapshot.judged.reward[k]!)}</td>}
                {layers.map((layer) => (
                  <td key={layer.id}>{credit(layer.values[k]!)}</td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
