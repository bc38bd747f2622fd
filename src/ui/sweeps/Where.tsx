import { useEffect, useMemo, useState } from 'react';
import type { Config } from '../../config/slots.ts';
import type { Description, SweepBackend } from '../../lab/sweep/description.ts';
import { expand, type Sweep } from '../../lab/sweep/expand.ts';
import type { DeviceReport } from '../../worker/protocol.ts';
import { count, duration, many } from '../format.ts';
import { useRun } from '../stores/run.ts';
import { lanesHere } from './client.ts';
import { vary, type Compare } from './compareStore.ts';
import { useEstimate, workOf } from './estimate.ts';

/** Where a comparison trains, and how long it takes there and elsewhere; null: not known. */
export type Place = {
  readonly backend: SweepBackend;
  readonly seconds: Readonly<Record<SweepBackend, number | null>>;
  /** what could train it beside the CPU path */
  readonly gpu: DeviceReport | null;
  /** why this comparison cannot train there */
  readonly refusal: string | null;
};

/** The same comparison on WebGPU. */
export const onGpu = (description: Description): Description => ({ ...description, backend: 'webgpu' });

/** Why a comparison cannot train on WebGPU; null: it can, or nobody knows yet. */
function useRefusal(description: Description | null, config: Config): string | null {
  const [refused, setRefused] = useState<{ readonly of: Description; readonly why: string } | null>(null);
  useEffect(() => {
    if (!description) return undefined;
    let isOver = false;
    // what a backend cannot do does not depend on the seed
    void expand({ ...onGpu(description), seeds: 1 }, config).then((found) => {
      if (!isOver) setRefused(typeof found === 'string' ? { of: description, why: found } : null);
    });
    return () => void (isOver = true);
  }, [description, config]);
  return refused && refused.of === description ? refused.why : null;
}

/** A comparison that can be trained on the CPU path, its description, and the experiment under it. */
export type Planned = { readonly sweep: Sweep; readonly description: Description } | null;

/**
 * The CPU path, whose results are the same everywhere, as long as nobody chose otherwise and it is not measured to be the
 * slower one. A software adapter is never chosen or measured by itself: it computes on the same cores.
 */
export function usePlace({ backend: wish }: Compare, planned: Planned, config: Config): Place {
  const device = useRun((r) => r.device);
  const sweep = planned && planned.sweep;
  const match = planned?.description.match;
  // seconds cannot be matched where they are shared by what trains together
  const gpu = device?.webgpu && match !== 'seconds' ? device : null;
  const refusal = useRefusal(gpu && planned && planned.description, config);
  const isMeasured = gpu !== null && refusal === null && (!gpu.software || wish === 'webgpu');
  const cpu = useEstimate(sweep, 'cpu');
  // one after the other: the cores that prepare work for the GPU are those of the CPU path
  const webgpu = useEstimate(cpu === null ? null : sweep, isMeasured ? 'webgpu' : null);
  const isFaster = cpu !== null && webgpu !== null && webgpu < cpu;
  const chosen = wish ?? (isFaster && !gpu?.software && gpu?.differs === null ? 'webgpu' : 'cpu');
  return { backend: gpu && refusal === null ? chosen : 'cpu', seconds: { cpu, webgpu }, gpu, refusal };
}

const time = (seconds: number | null, isMeasured: boolean): string =>
  seconds !== null ? duration(seconds) : isMeasured ? 'being measured' : 'not measured';

/** What the GPU trains at once. */
function batchWords(sweep: Sweep): string {
  const batches = workOf(sweep, 'webgpu').length;
  const runs = count(sweep.cells.length);
  return batches === 1 ? `all ${runs} runs at once` : `${runs} runs in ${count(batches)} batches, one after another`;
}

/** Chooses where the comparison trains, where there is a choice. */
export function Where({ sweep, place }: { sweep: Sweep; place: Place }) {
  const { backend, seconds, gpu, refusal } = place;
  const batches = useMemo(() => (gpu ? batchWords(sweep) : ''), [gpu, sweep]);
  if (!gpu) return null;
  const cores = lanesHere();
  const option = (one: SweepBackend, name: string, what: string) => (
    <label className="check">
      <input
        type="radio"
        name="comparewhere"
        checked={backend === one}
        disabled={one === 'webgpu' && refusal !== null}
        onChange={() => vary({ backend: one })}
      />
      <span>
        {name}: {what}
      </span>
    </label>
  );
  const isAsked = !gpu.software || backend === 'webgpu';
  return (
    <fieldset className="comparewhere">
      <legend>Where it trains</legend>
      {option(
        'cpu',
        'CPU',
        `${many(cores, 'run')} at a time, ${time(seconds.cpu, true)}; same results on every machine`,
      )}
      {option(
        'webgpu',
        gpu.software ? 'GPU, in software' : 'GPU',
        `${batches}, ${time(seconds.webgpu, isAsked)}; same results only on this kind of device`,
      )}
      <p className="quiet">{refusal ?? `The device for WebGPU is ${gpu.adapter}.`}</p>
      {gpu.differs !== null && <p>A check found that this device computes differently: {gpu.differs}</p>}
    </fieldset>
  );
}
