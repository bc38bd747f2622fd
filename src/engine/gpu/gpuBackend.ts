import { thetaOf, type TrainState } from '../../contract/state.ts';
import { REPORT_RING } from '../../core/report.ts';
import type { Gpu } from '../../gpu/device.ts';
import { WorkRefused } from '../../gpu/refused.ts';
import { together } from '../../core/together.ts';
import { compileTogether } from '../../gpu/recorder.ts';
import { told } from '../../gpu/deviceWait.ts';
import { onDevice } from '../../slots/objective/types.ts';
import type { Credit } from '../../slots/types.ts';
import type { Backend, BatchView, Live, MakeBackend, UpdateRecord } from '../backend.ts';
import { ACTION_PURPOSE } from '../cpu/units.ts';
import { revisesOnCpu, reviseCredit } from '../creditRevision.ts';
import { realSteps } from '../cpu/batches.ts';
import { sideOfPlan } from '../sideEpisodes.ts';
import { minibatchesOf } from '../minibatch.ts';
import { recordingOf, wordsOf } from '../../networks/policy.ts';
import type { Plan, RolloutMode, Tasks } from '../plan.ts';
import { processOf } from '../processModel.ts';
import { scoreOf } from '../stepScores.ts';
import { restrictionOf } from '../restriction.ts';
import { prepareOutcomes } from '../outcomes.ts';
import { trainsOnCpu } from '../trainsOnCpu.ts';
import { isOfForm, OutOfGpuMemory } from './errors.ts';
import { RunBuffers } from './buffers.ts';
import { GpuControl } from './control.ts';
import { readOutcomes } from './outcomes.ts';
import { GpuPast } from './past.ts';
import { isSurveyed, recordLists, type Extras, type Lists } from './lists.ts';
import { GpuProcessModel } from './processModel.ts';
import { neededBatch } from './readBatch.ts';
import { measureOnCpu } from './metricsOnCpu.ts';
import { recordOf, reportOf } from './record.ts';
import { REPORT, REPORT_WORDS } from './report.ts';
import { readsMadeOnHost, shapes, shapesOnGpu } from './shapesOnGpu.ts';
import { makeGivenRows } from './givenRows.ts';
import { playsInPhases } from './playsInParts.ts';
import { TaskUpload } from './uploadTasks.ts';
import { viewOf } from './view.ts';

/**
 * One update as recorded lists of dispatches: rollout, credit, objective and optimizer stay on the GPU, and the only
 * thing that comes back is a report of a few numbers per replica and a hash per trajectory, through a ring of staging buffers.
 */
export class GpuBackend implements Backend {
  readonly kind = 'webgpu';
  readonly description: string;
  readonly depth: number;
  readonly lost: Promise<string>;
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly lists: Lists;
  private readonly extras: Extras;
  private readonly upload: TaskUpload;
  private readonly staging: GPUBuffer[];
  private readonly isFree: boolean[] = Array<boolean>(REPORT_RING).fill(true);
  private readonly members: Uint32Array<ArrayBuffer>;
  /** of each replica, where credit is computed on the CPU: its parts, and which rows it leaves out */
  private readonly credited: Pick<Credit, 'parts' | 'keep'>[] = [];
  private tasks: Tasks | null = null;
  private evaluated = false;
  /** which staging buffer has the report of the update that is being handed over */
  private reported: number | null = null;

  constructor(gpu: Gpu, plan: Plan, buffers: RunBuffers, extras: Extras, lists: Lists) {
    this.gpu = gpu;
    this.plan = plan;
    this.b = buffers;
    this.lists = lists;
    this.extras = extras;
    this.upload = new TaskUpload(gpu, plan, buffers);
    this.description = gpu.name;
    this.lost = gpu.lost;
    const waits =
      !plan.estimator.gpu || revisesOnCpu(plan.revisions) || plan.objective.survey || plan.metricsReadBack.length > 0;
    this.depth = waits || extras.phases || extras.control.control || !shapesOnGpu(plan) ? 1 : 2;
    const bytes = reportOf(plan).versions + (extras.turns?.played.size ?? 0) + (lists.told?.bytes ?? 0);
    this.staging = Array.from({ length: REPORT_RING }, () => gpu.buffer('staging', bytes / 4, 0x08 | 0x01));
    this.members = new Uint32Array((plan.epochs + 1) * plan.S * plan.B);
  }

  load(state: TrainState): void {
    const { queue } = this.gpu.device;
    this.b.tensors.load(this.extras.shaping?.begun(state) ?? state);
    queue.writeBuffer(this.b.lastTheta, 0, thetaOf(state) as Float32Array<ArrayBuffer>);
    queue.writeBuffer(this.b.flags, 0, new Uint32Array(this.plan.S));
    this.extras.past.loaded();
    this.extras.control.load(state);
    this.tasks = null;
  }

  async save(): Promise<TrainState> {
    const tensors = await this.b.tensors.save();
    return { update: this.tasks ? this.tasks.update + 1 : 0, steps: this.extras.control.steps, tensors };
  }

  rollout(tasks: Tasks, mode: RolloutMode): void | Promise<void> {
    const { device } = this.gpu;
    if (mode === 'train') this.extras.phases?.prepare(tasks);
    this.upload.put(tasks, ACTION_PURPOSE[mode]);
    this.extras.shown?.put(tasks, mode);
    if (mode === 'train') this.tasks = tasks;
    const encoder = device.createCommandEncoder({ label: mode });
    this.extras.past.play(encoder, tasks.update, mode);
    this.extras.restriction?.begin(encoder, tasks.update);
    const { phases, turns } = mode === 'train' ? this.extras : { phases: null, turns: null };
    if (!phases && !turns) this.lists.rollout.submit(device, mode, { before: encoder });
    else device.queue.submit([encoder.finish()]);
    if (phases) {
      const played = phases.play(tasks, this.lists.rollout, this.upload);
      return played ? played.then(() => this.extras.side?.play(tasks)) : undefined;
    }
    turns?.play(tasks, this.lists.rollout);
    if (mode === 'train') return this.extras.side?.play(tasks);
    (mode === 'eval' ? this.lists.evalStats : this.lists.panelStats).submit(device, mode);
    this.evaluated = true;
  }

  /** Estimators with a GPU form are recorded; the others read the batch once and write the result. */
  credit(live: Live = this.plan.live): void | Promise<void> {
    const shaped = this.extras.shaping?.pay(this.tasks!);
    return shaped ? shaped.then(() => this.creditPaid(live)) : this.creditPaid(live);
  }

  private creditPaid(live: Live): void | Promise<void> {
    this.lists.score?.submit(this.gpu.device, 'score');
    const scored = this.extras.scored?.fill(this.tasks!);
    return scored ? scored.then(() => this.creditScored(live)) : this.creditScored(live);
  }

  private creditScored(live: Live): void | Promise<void> {
    const { device } = this.gpu;
    if (this.lists.pay) {
      this.extras.control.putLive(live, this.tasks!.update, true);
      this.lists.pay.submit(device, 'pay');
    }
    this.lists.credit.submit(device, 'credit');
    const onCpu = this.plan.estimator.gpu ? null : this.creditOnCpu();
    if (!revisesOnCpu(this.plan.revisions)) return onCpu ?? undefined;
    return onCpu ? onCpu.then(() => this.reviseOnCpu()) : this.reviseOnCpu();
  }

  private async creditOnCpu(): Promise<void> {
    const { gpu, plan, b, extras } = this;
    const { creditOnCpu } = await import('./creditOnCpu.ts');
    await creditOnCpu({ gpu, plan, b, scores: extras.scores, tasks: this.tasks! }, this.credited);
  }

  /** All revisions of the credit in TypeScript, where one of them has no GPU form. */
  private async reviseOnCpu(): Promise<void> {
    const { plan, b, gpu } = this;
    const size = plan.B * plan.T * 4;
    const needs = plan.revisions.flatMap(({ module }) => module.needs);
    for (let s = 0; s < plan.S; s++) {
      const [{ batch, probs }, read] = await together([
        neededBatch({ plan, b, s }, [...needs, 'length'], {}),
        b.reads.of({ buffer: b.credit, offset: s * size, size }),
      ]);
      const A = new Float32Array(read);
      reviseCredit(plan.revisions, realSteps(plan, batch.length, A), { batch, probs, actions: plan.actions });
      gpu.device.queue.writeBuffer(b.credit, s * size, A as Float32Array<ArrayBuffer>);
    }
  }

  optimize(update: number, live: Live): void | Promise<void> {
    const { plan, b, members, lists } = this;
    const { control, process } = this.extras;
    const { queue } = this.gpu.device;
    members.fill(0);
    const groups = (s: number): Uint32Array => this.tasks!.taskIndex.subarray(s * plan.B, (s + 1) * plan.B);
    for (let epoch = 0; epoch < plan.epochs; epoch++) {
      for (let s = 0; s < plan.S; s++) {
        minibatchesOf(plan, s, update, epoch, groups(s)).forEach((rows, m) => {
          for (const i of rows) members[(epoch * plan.S + s) * plan.B + i] = m;
        });
      }
    }
    // like dropRows: the highest bit marks rows that belong to no minibatch
    const leaveOut = (row: number): void => {
      for (let e = 0; e < plan.epochs; e++) members[e * plan.S * plan.B + row]! |= 0x80000000;
    };
    this.extras.shown?.trains.forEach((trains, row) => trains === 0 && leaveOut(row));
    this.credited.forEach(({ keep }, s) => keep?.forEach((is, i) => is === 0 && leaveOut(s * plan.B + i)));
    queue.writeBuffer(b.member, 0, members);
    control.putLive(live, update);
    const encoder = this.gpu.device.createCommandEncoder({ label: 'optimize' });
    for (const k of [REPORT.norms, REPORT.losses]) {
      const { buffer, offset, size } = b.report(k);
      encoder.clearBuffer(buffer, offset, size);
    }
    lists.drop?.encode(encoder);
    const after = (): void => {
      control.count();
      if (!process) return;
      const copy = this.gpu.device.createCommandEncoder({ label: 'process model' });
      copy.copyBufferToBuffer(b.stats, 0, process.policyStats, 0, b.stats.size);
      queue.submit([copy.finish()]);
      process.setRate(live.learningRate);
      lists.learn?.submit(this.gpu.device, 'process model');
    };
    if (isSurveyed(lists.optimize)) {
      queue.submit([encoder.finish()]);
      return lists.optimize.run(update, this.extras).then(after);
    }
    control.putRates();
    // what comes back goes with the last dispatch, unless there is more to do
    const reports = process ? {} : { after: (last: GPUCommandEncoder) => this.report(last) };
    lists.optimize.submit(this.gpu.device, 'optimize', { before: encoder, ...reports });
    after();
  }

  /** Copies what comes back of an update into a staging buffer that is free. */
  private report(encoder: GPUCommandEncoder): void {
    const { plan, b } = this;
    const slot = this.isFree.indexOf(true);
    if (slot < 0) throw new Error('More updates are in flight than there are staging buffers.');
    this.isFree[slot] = false;
    this.reported = slot;
    const staging = this.staging[slot]!;
    const { flags, hashes, shaped, versions } = reportOf(plan);
    encoder.copyBufferToBuffer(b.reportBuffer, 0, staging, 0, flags);
    encoder.copyBufferToBuffer(b.flags, 0, staging, flags, plan.S * 4);
    encoder.copyBufferToBuffer(b.rowHash, 0, staging, hashes, plan.S * plan.B * 8);
    if (b.shaped) encoder.copyBufferToBuffer(b.shaped.outcome, 0, staging, shaped, plan.S * plan.B * 4);
    const played = this.extras.turns?.played;
    if (played) encoder.copyBufferToBuffer(played, 0, staging, versions, played.size);
    this.lists.told?.encode(encoder, staging);
  }

  async finish(update: number): Promise<UpdateRecord> {
    const { plan, b } = this;
    const { device } = this.gpu;
    const { shown } = this.extras;
    const evaluated = this.evaluated;
    const compared = this.extras.control.comparisons();
    this.evaluated = false;
    if (this.reported === null) {
      const encoder = device.createCommandEncoder({ label: 'report' });
      this.report(encoder);
      device.queue.submit([encoder.finish()]);
    }
    const slot = this.reported!;
    this.reported = null;
    const staging = this.staging[slot]!;
    const { section } = reportOf(plan);
    try {
      await together([
        told(device.queue, staging.mapAsync(GPUMapMode.READ)).finally(() => this.gpu.mustHaveWorked()),
        this.extras.phases?.settle(this.tasks!),
      ]);
      const bytes = staging.getMappedRange().slice(0);
      staging.unmap();
      const record = recordOf(plan, bytes, { update, evaluated, compared, extras: this.extras });
      if (plan.metricsReadBack.length > 0) await measureOnCpu(plan, b, record);
      if (shown && shown.parent.length > 0)
        await (await import('./families.ts')).measureFamilies(plan, b, { rows: shown, tasks: this.tasks! }, record);
      if (isSurveyed(this.lists.optimize)) this.lists.optimize.tell(record);
      this.lists.told?.tell(record, bytes);
      const asked = plan.source.wantsOutcomes ? await readOutcomes(plan, b, this.tasks!, shown?.measured) : {};
      this.extras.control.settle(record, new Float32Array(bytes, REPORT.control * section, plan.S * REPORT_WORDS));
      return { ...record, ...asked };
    } finally {
      this.isFree[slot] = true;
    }
  }

  view(replica: number): Promise<BatchView> {
    const { plan, b, lists, extras } = this;
    return viewOf(plan, b, { lists, extras, tasks: this.tasks!, replica, parts: this.credited[replica]?.parts });
  }

  memory(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.gpu.bytes);
  }

  dispose(): void {
    for (const buffer of this.staging) this.gpu.free(buffer);
    this.staging.length = 0;
    this.extras.side?.b.free();
    this.b.free();
  }
}

/**
 * Makes backends on an open device. Where the device refuses a kernel, all take their simplest form. `fused` false: no
 * kernel does many steps at once, for comparison. `grows` false: the CPU decides about forks; where it runs the shaders, too, that
 * takes less than the phases that turn out to be empty.
 */
export function gpuBackendOn(gpu: Gpu, fused = true, grows = !gpu.software): MakeBackend {
  const make = backendOn(gpu, fused, grows);
  return async (plan, state) => {
    try {
      return await make(plan, state);
    } catch (error) {
      if (gpu.plainBecause || gpu.isLost || gpu.complaint !== null || !isOfForm(error)) throw error;
      gpu.plainBecause = error;
      try {
        return await make(plan, state);
      } catch {
        // it was not the form; the first reason is that of the run as it should be
        gpu.plainBecause = null;
        throw error;
      }
    }
  };
}

/** Compiles every kernel before the first update; what was made is freed on failure. */
function backendOn(gpu: Gpu, fused: boolean, grows: boolean): MakeBackend {
  return async (planned, state) => {
    const scoring = scoreOf(planned) && (await (await import('./deviceScores.ts')).scoringOf(planned));
    const { estimator } = scoring ?? planned;
    const plan = { ...planned, estimator, objective: onDevice(planned.objective, wordsOf(planned.policy) !== null) };
    const recording = await recordingOf(plan.policy);
    if (!plan.env.gpu) throw new Error(`${plan.env.title} has no WGSL form.`);
    // its code is loaded only where a scheme has several phases
    const { GpuPhases, refuseForks, growthOf } = playsInPhases(plan) ? await import('./phases.ts') : {};
    refuseForks?.(plan);
    const growth = (grows && (await growthOf?.(plan))) || null;
    if (trainsOnCpu(plan)) throw new Error('A part of this experiment has no WebGPU form.');
    // loaded with the backend, so that a run never waits for it
    if (!plan.estimator.gpu) await import('./creditOnCpu.ts');
    if (plan.scheme?.forks) await import('./families.ts');
    await prepareOutcomes(plan);
    const { GpuTurns } = plan.behavior.several ? await import('./turns.ts') : {};
    const { GpuStepScores } = readsMadeOnHost(plan) ? await import('./stepScores.ts') : {};
    const { GpuShaping } = shapes(plan) ? await import('./shaping.ts') : {};
    const side = sideOfPlan(plan);
    const { GpuSideEpisodes } = side ? await import('./sideEpisodes.ts') : {};
    const rule = restrictionOf(plan);
    const GpuRestriction = rule && (await import('./restriction.ts')).GpuRestriction;
    const { device } = gpu;
    const levelWords = plan.env.gpu.packLevel(plan.level(plan.firstLevelSeed)).length;
    device.pushErrorScope('validation');
    device.pushErrorScope('out-of-memory');
    const buffers = new RunBuffers(gpu, plan, recording, levelWords);
    const process = processOf(plan);
    const past = new GpuPast(gpu, plan, buffers);
    const turns = GpuTurns ? new GpuTurns(gpu, plan, buffers, past) : null;
    const shown = makeGivenRows(gpu, plan, buffers);
    const extras = {
      past,
      turns,
      phases: GpuPhases && shown ? new GpuPhases(gpu, plan, buffers, { given: shown, turns, growth }) : null,
      restriction: rule && GpuRestriction ? new GpuRestriction(gpu, plan, rule, buffers) : null,
      control: new GpuControl(gpu, plan, buffers),
      process: process && new GpuProcessModel(gpu, plan, process.settings, buffers),
      side:
        side && GpuSideEpisodes
          ? new GpuSideEpisodes(plan, side, { main: buffers, theta: past.seen, levelWords })
          : null,
      shown,
      shaping: GpuShaping ? new GpuShaping(gpu, plan, buffers) : null,
      scored: scoring?.make?.(gpu, plan, buffers, past.seen) ?? null,
      scores: GpuStepScores ? new GpuStepScores(plan, buffers, past.seen) : null,
    };
    const free = (): void => {
      extras.side?.b.free();
      buffers.free();
    };
    const [largest, bytes] = [...gpu.bytes].sort((x, y) => y[1] - x[1])[0]!;
    const memory = await device.popErrorScope();
    const invalid = await device.popErrorScope();
    if (memory || invalid) {
      free();
      if (memory || /size|memory|limit/i.test(invalid!.message)) throw new OutOfGpuMemory(bytes, largest);
      throw new WorkRefused(invalid!.message);
    }
    try {
      const owners = [buffers.all, ...(extras.side ? [extras.side.b.all] : [])];
      const record = async (): Promise<Lists> => {
        await past.record();
        await extras.shaping?.record();
        await extras.scored?.record();
        await extras.turns?.record();
        await extras.phases?.record();
        return recordLists(gpu, plan, buffers, extras, fused);
      };
      const lists = await gpu.checked(() => compileTogether(owners, record));
      const backend = new GpuBackend(gpu, plan, buffers, extras, lists);
      backend.load(state);
      return backend;
    } catch (error) {
      free();
      throw error;
    }
  };
}
