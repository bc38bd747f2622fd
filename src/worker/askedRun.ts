import type { Checkpoint, Run } from '../engine/run.ts';
import { Snapshots } from '../lab/snapshot.ts';
import type { Devices } from './devices.ts';
import { digestOf } from './digestOf.ts';
import { History } from './history.ts';
import { Measuring } from './measuring.ts';
import { Order } from './order.ts';
import { workOf } from './pace.ts';
import { Profiling } from './profiling.ts';
import type { BatchName, LabWorker, RunState } from './protocol.ts';
import { tableOf } from './spilling.ts';

const loadColumns = () => import('./curveColumns.ts');
type Columns = Awaited<ReturnType<typeof loadColumns>>;

/** The one run of a worker, and what may be asked of it without its going on. */
export abstract class AskedRun {
  protected abstract readonly devices: Devices;
  protected run: Run | null = null;
  protected state: RunState = 'empty';
  protected saved: Checkpoint | null = null;
  protected snapshots = new Snapshots();
  protected history = new History();
  protected readonly order = new Order();
  private readonly measuring = new Measuring();
  private readonly profiling = new Profiling();

  digest: LabWorker['digest'] = () => digestOf(this.run);
  csv = async (hasAliases = false): Promise<string> => this.run?.csv(hasAliases) ?? '';
  table = async (hasAliases = false): Promise<Blob> => tableOf(this.run?.csvPieces(hasAliases) ?? []);
  curves: LabWorker['curves'] = async () => this.fromColumns(({ heldIn }, run) => heldIn(run.series));
  columns: LabWorker['columns'] = async () => this.fromColumns(({ columnsOf }, run) => columnsOf(run.series));
  column: LabWorker['column'] = async (metric) => this.fromColumns(({ columnOf }, run) => columnOf(run.series, metric));
  credit: LabWorker['credit'] = (request) =>
    this.labOf(request).ask({ ...request, workMs: workOf(request.workMs) }, () => performance.now());
  rewards: LabWorker['rewards'] = async (asked) => this.labOf(asked).rewards(asked);
  explain: LabWorker['explain'] = async (request) => this.labOf(request).explain(request);
  inside: LabWorker['inside'] = async (step) => this.labOf(step).inside(step);
  hold = async (batch: BatchName): Promise<boolean> => this.labOf(batch).hold(batch);

  /** Of the run that was there when it was asked: another may be loaded before the part of the worker is. */
  private async fromColumns<T>(read: (part: Columns, run: Run) => T): Promise<T | null> {
    const { run } = this;
    return run && read(await loadColumns(), run);
  }

  private labOf = (batch: BatchName): Snapshots['lab'] => this.history.labOf(batch) ?? this.snapshots.lab;

  measure: LabWorker['measure'] = (request) => this.measuring.answer(this.run, this.saved, request);
  calibrate: LabWorker['calibrate'] = async (config) => {
    await this.order.settled;
    const { run } = this;
    const isCalm = this.order.undisturbed();
    const isIdle = (): boolean => this.run === run && this.state !== 'running' && isCalm();
    return this.profiling.calibrate(this.devices, run ?? config, isIdle);
  };
  protected isIdle = async (run: Run): Promise<boolean> => {
    await this.profiling.calibrated;
    return this.run === run && this.state === 'ready';
  };
  profile: LabWorker['profile'] = async () => {
    const waits = this.state !== 'running' && this.state !== 'failed';
    return waits && this.run ? this.profiling.profile(this.run, this.devices) : null;
  };
  trace = async (): Promise<string> => this.profiling.file();
}
