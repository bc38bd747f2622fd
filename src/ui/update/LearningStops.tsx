import { useMemo } from 'react';
import type { OptimizerStop, Snapshot, WalkedUpdate } from '../../worker/protocol.ts';
import { realValues } from '../credit/strips.ts';
import { symmetricLimit } from '../color.ts';
import { percent, value } from '../format.ts';
import { useView } from '../stores/view.ts';
import { Clipped } from './Clipped.tsx';
import { Histogram } from './Histogram.tsx';
import { StepStrip } from './StepStrip.tsx';
import { changeSentence, followed } from './stops.ts';

export function AdvantageStop({ snapshot, method }: { snapshot: Snapshot; method: string }) {
  const values = useMemo(() => realValues(snapshot, snapshot.A), [snapshot]);
  return (
    <div className="walkpair">
      <StepStrip
        snapshot={snapshot}
        id="total"
        title={`Credit A by ${method}`}
        what="one number for every step"
        values={snapshot.A}
      />
      <Histogram title="A of all steps" values={values} signedFrom={0} limit={symmetricLimit(values)} />
    </div>
  );
}

export function ObjectiveStop({ stop, snapshot }: { stop: OptimizerStop; snapshot: Snapshot }) {
  const isPart = stop.step.length < snapshot.length.reduce((a, b) => a + b, 0);
  const pulling = useMemo(() => {
    const list = new Float32Array(snapshot.A.length);
    stop.step.forEach((k, u) => (list[k] = stop.clip[u] === 0 ? stop.A[u]! : 0));
    return list;
  }, [stop, snapshot]);
  return (
    <>
      <div className="walkpair">
        {stop.step.length > 0 && (
          <StepStrip
            snapshot={snapshot}
            id="pulling"
            title="Credit with a gradient"
            what={
              isPart
                ? 'of this minibatch; without color: clipped or in another one'
                : 'without color: clipped, or no credit'
            }
            values={pulling}
          />
        )}
        <Histogram
          title="Ratios ρ = new probability / old probability"
          values={stop.ratio}
          signedFrom={1}
          limit={0.3}
        />
      </div>
      <Clipped seen={stop} snapshot={snapshot} />
      <Tensors stop={stop} of="gradNorm" title="Length of the gradient, layer by layer" />
    </>
  );
}

export function OptimizerStopView({ stop, walk }: { stop: OptimizerStop; walk: WalkedUpdate }) {
  const isLast = stop === walk.stops.at(-1);
  const all = isLast ? followed(walk) : null;
  return (
    <>
      {isLast && <Change walk={walk} />}
      {all && all.n > 0 && (
        <p>
          Over the whole batch {percent(all.agree / all.n)} of the {all.n} actions with credit moved in the direction it
          asked for.
        </p>
      )}
      <div className="walkpair">
        <Tensors stop={stop} of="moved" title="How far the parameters moved, layer by layer" />
        {isLast && <Histogram title="Ratios ρ after the update" values={walk.end.ratio} signedFrom={1} limit={0.3} />}
      </div>
    </>
  );
}

/** π in the selected state before and after. */
function Change({ walk }: { walk: WalkedUpdate }) {
  const { snapshot, policy } = walk;
  const i = useView((v) => Math.min(v.trajectory, snapshot.B - 1));
  const t = useView((v) => Math.max(0, Math.min(v.step, snapshot.length[Math.min(v.trajectory, snapshot.B - 1)]! - 1)));
  const { actions } = snapshot;
  const at = (i * snapshot.T + t) * actions.length;
  return (
    <section className="walkchange" aria-label="What changed in the selected state">
      <p>{changeSentence(walk, i, t)}</p>
      {policy && (
        <table>
          <caption className="quiet">
            Probability of each action in the selected state; choose another step in a strip or in the graph
          </caption>
          <thead>
            <tr>
              <th scope="col">Action</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {actions.map((name, a) => {
              const [before, after] = [policy.before[at + a]!, policy.after[at + a]!];
              const moved = 100 * (after - before);
              const size = Math.abs(moved).toFixed(2);
              return (
                <tr key={name} className={a === snapshot.action[i * snapshot.T + t] ? 'selected' : undefined}>
                  <th scope="row">{name}</th>
                  <td>{(100 * before).toFixed(1)} %</td>
                  <td>{(100 * after).toFixed(1)} %</td>
                  <td>{size === '0.00' ? '≈ 0' : moved > 0 ? `▲ +${size}` : `▼ −${size}`}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Tensors({ stop, of, title }: { stop: OptimizerStop; of: 'gradNorm' | 'moved'; title: string }) {
  const most = stop.tensors.reduce((a, tensor) => Math.max(a, tensor[of]), 0) || 1;
  return (
    <div className="walktensors" tabIndex={0} role="region" aria-label={title}>
      <table>
        <caption>{title}</caption>
        <tbody>
          {stop.tensors.map((tensor) => (
            <tr key={tensor.name}>
              <th scope="row">{tensor.name}</th>
              <td className="number">
                {value(tensor[of])}
                <span className="walkbar" aria-hidden>
                  <span style={{ width: `${(100 * tensor[of]) / most}%` }} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
