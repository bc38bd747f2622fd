import { configWith } from '../../src/config/schema.ts';
import { gpuBackendOn } from '../../src/engine/gpu/gpuBackend.ts';
import { createRun } from '../../src/engine/run.ts';
import { Gpu } from '../../src/gpu/device.ts';
import type { ModelCase } from './cases.ts';
import { CountingDevice, type Dispatched, type Handed } from './countingDevice.ts';

/** What an update hands to a device that is infinitely fast. */
export type Counted = Omit<Handed, 'dispatches'> & {
  readonly name: string;
  /** equal dispatches together */
  readonly dispatches: readonly (Dispatched & { readonly times: number })[];
  /** steps of a whole batch of all replicas, and how often optimizer steps see each */
  readonly rows: number;
  readonly epochs: number;
  /** updates that may be in flight at once */
  readonly depth: number;
  /** bytes that the page reads back to show a batch of one replica, in so many submissions */
  readonly viewBytes: number;
  readonly viewSubmissions: number;
};

/** Updates before the one that is counted: by then as much is handed over at a time as ever. */
const BEFORE = 12;

/** Counts one update of a case, in the forms of hardware or of adapters that run shaders on the CPU. */
export async function count({ name, changes }: ModelCase, software = false): Promise<Counted> {
  const counting = new CountingDevice();
  const gpu = new Gpu(counting.device, 'counting', software);
  const config = configWith({ 'analysis.evalEvery': 0, 'run.seeds': 1, 'run.updates': 100_000, ...changes });
  const run = await counting.timed(async () => {
    const made = await createRun(config, gpuBackendOn(gpu));
    if (!made.ok) throw new Error(`A case of the model was refused: ${made.problem.kind}.`);
    for (let k = 0; k < BEFORE; k++) await made.value.submit();
    counting.take();
    await made.value.submit();
    return made.value;
  });
  const handed = counting.take();
  await run.backend.view(0);
  const view = counting.take();
  const { S, B, T, epochs, minibatches } = run.plan;
  const { depth } = run;
  run.dispose();
  return {
    ...handed,
    name,
    dispatches: joined(handed.dispatches.map((dispatch) => withRows(dispatch, (B * T) / minibatches))),
    rows: S * B * T,
    epochs,
    depth,
    viewBytes: view.readBytes,
    viewSubmissions: view.submissions,
  };
}

/** Kernels over a list of steps are told where its length is, not what it is: at most a minibatch. */
function withRows(dispatch: Dispatched, most: number): Dispatched {
  const { dims, bound } = dispatch;
  return 'rows' in bound ? { ...dispatch, dims: { ...dims, rows: most } } : dispatch;
}

function joined(dispatches: readonly Dispatched[]): Counted['dispatches'] {
  const known = new Map<string, Dispatched & { times: number }>();
  for (const dispatch of dispatches) {
    const { kernel, groups, bound } = dispatch;
    const key = JSON.stringify([kernel, groups, bound]);
    const found = known.get(key);
    if (found) found.times++;
    else known.set(key, { ...dispatch, times: 1 });
  }
  return [...known.values()];
}
