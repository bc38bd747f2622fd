import { useState } from 'react';
import { estimators } from '../../methods/registry.ts';
import { css, signedColor } from '../color.ts';
import { useSnapshot } from '../frames.ts';
import { signed, value } from '../format.ts';
import { useRunConfig } from '../session.ts';
import { look, useView } from '../stores/view.ts';
import { useIsDark } from '../useTheme.ts';
import { CreditTable } from './CreditTable.tsx';
import { Strip } from './Strip.tsx';
import { creditSentence, layersOf, limitOf } from './strips.ts';

/** Orange to purple with its limit: the 98th percentile of the sizes. */
function Legend({ limit }: { limit: number }) {
  const isDark = useIsDark();
  const stops = [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1].map((x) => css(signedColor(x, isDark)));
  return (
    <p className="scale">
      <span>▼ {signed(-limit)}</span>
      <span className="ramp" aria-hidden style={{ background: `linear-gradient(90deg, ${stops.join(', ')})` }} />
      <span>▲ {signed(limit)}</span>
      <span className="quiet">purple: do this less · orange: do this more · limit: 98 % of the sizes</span>
    </p>
  );
}

/** Per-step credit of the newest batch beside the exact advantage of the same steps. */
export function CreditStrips() {
  const snapshot = useSnapshot();
  const config = useRunConfig();
  const trajectory = useView((v) => v.trajectory);
  const step = useView((v) => v.step);
  const part = useView((v) => v.part);
  const [isTable, setTable] = useState(false);
  const method = estimators.find((e) => e.id === config?.advantage.method)?.title ?? 'Credit';
  if (!snapshot) {
    return (
      <section className="credit" aria-label="Credit">
        <h2>Credit</h2>
        <p className="quiet">
          After the first update every step of every episode appears here as one cell: orange for “do this more”, purple
          for “do this less”.
        </p>
      </section>
    );
  }
  const layers = layersOf(snapshot, method);
  const layer = layers.find((l) => l.id === part) ?? layers[0]!;
  const i = Math.min(trajectory, snapshot.B - 1);
  const t = Math.max(0, Math.min(step, snapshot.length[i]! - 1));
  const limit = limitOf(snapshot, layer.values);
  const exact = snapshot.exact && { id: 'exact', title: 'Exact advantage', values: snapshot.exact };
  const exactLimit = exact ? limitOf(snapshot, exact.values) : 1;
  const rowHeight = snapshot.B <= 32 ? 6 : snapshot.B <= 64 ? 4 : 2;
  const k = i * snapshot.T + t;
  return (
    <section className="credit" aria-label="Credit">
      <div className="panelhead">
        <h2>Credit</h2>
        {layers.length > 1 && (
          <div className="segmented" role="group" aria-label="Part of the credit">
            {layers.map((l) => (
              <button key={l.id} type="button" aria-pressed={l.id === layer.id} onClick={() => look({ part: l.id })}>
                {l.id}
              </button>
            ))}
          </div>
        )}
        <button type="button" aria-expanded={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'Hide table' : 'Show as table'}
        </button>
      </div>
      <p>{creditSentence(snapshot, method)}</p>
      <div className={exact ? 'strips two' : 'strips'}>
        <figure>
          <figcaption>
            {layer.title} <span className="number">{signed(layer.values[k]!)}</span>
          </figcaption>
          <Strip snapshot={snapshot} layer={layer} limit={limit} trajectory={i} step={t} rowHeight={rowHeight} />
          <Legend limit={limit} />
        </figure>
        {exact && (
          <figure>
            <figcaption>
              Exact advantage <span className="number">{signed(exact.values[k]!)}</span>
            </figcaption>
            <Strip snapshot={snapshot} layer={exact} limit={exactLimit} trajectory={i} step={t} rowHeight={rowHeight} />
            <Legend limit={exactLimit} />
          </figure>
        )}
      </div>
      <p className="quiet">
        Rows: {snapshot.B} episodes, {new Set(snapshot.taskIndex).size} tasks. Columns: steps from the start. Selected:
        episode {i + 1}, step {t + 1}, {snapshot.actions[snapshot.action[k]!]}, entropy {value(snapshot.entropy[k])}{' '}
        nats.
        {!exact && ' This task is too large for live exact values.'}
      </p>
      {isTable && <CreditTable snapshot={snapshot} layer={layer} trajectory={i} />}
    </section>
  );
}
