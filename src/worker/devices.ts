import { fail, ok, type Problem, type Result } from '../core/problem.ts';
import type { TrainState } from '../contract/state.ts';
import type { TrainedOn } from '../core/trainedOn.ts';
import type { Gpu } from '../gpu/device.ts';
import type { Backend, MakeBackend } from '../engine/backend.ts';
import { gpuProblem, isOfForm, NoWayLeft } from '../engine/gpu/errors.ts';
import type { Plan } from '../engine/plan.ts';
import { trainsOnCpu } from '../engine/trainsOnCpu.ts';
import { networks } from '../networks/registry.ts';
import { Cores, type GivenCores } from './cores.ts';
import type { Verdict } from './contest.ts';
import type { Choice, DeviceReport } from './protocol.ts';

const LOSSES = 3;
const LOSS_WINDOW_MS = 5 * 60 * 1000;

/** True where a run that may choose trains on the CPU: no device, one in software, or one that was found to be wrong. */
export const isLeft = ({ webgpu, software, differs }: DeviceReport): boolean => !webgpu || software || differs !== null;

const wishOf = (plan: Plan) => plan.config.run['backend'] as 'auto' | 'webgpu' | 'cpu';

/** What makes backends on a device: kernels and their lists are loaded where there is one to run them. */
async function backendOn(gpu: Gpu): Promise<MakeBackend> {
  const [{ gpuBackendOn }] = await Promise.all([
    import('../engine/gpu/gpuBackend.ts'),
    ...networks.map((network) => network.gpu?.()),
  ]);
  return gpuBackendOn(gpu);
}

/** What asks for a device, loaded by whoever does. */
const gpuCode = (): Promise<typeof import('../gpu/device.ts')> => import('../gpu/device.ts');

/** Chooses where a run trains, keeps the one GPU device, and remembers how often it was lost. */
export class Devices {
  private gpu: Gpu | null = null;
  private report: DeviceReport | null = null;
  private losses: number[] = [];
  /** what was refused, where every device gets the simplest kernels */
  private plainBecause: Error | null = null;
  /** true: nothing that may choose trains on a device any more */
  private isOnCpu = false;
  /** what happened to the device and at which update, until it is told; `why` null: it was lost */
  private fall: { readonly why: Problem | null; readonly at: number } | null = null;
  private isHidden = true;
  readonly cores: Cores;
  /** runs that may choose are measured on both paths */
  contests = true;
  /** such a run trains on the CPU path until a device has shown that it is faster */
  isTrying = false;
  private chosen: Verdict['winner'] | null = null;
  private chose: Choice | null = null;
  private readonly tell: (problem: Problem) => void;

  /** `heard` is called when one of the other cores shows that it works, `tell` where a run trains otherwise than it should. */
  constructor(cores?: GivenCores, heard?: () => void, tell: (problem: Problem) => void = () => undefined) {
    this.cores = new Cores(cores, heard);
    this.tell = tell;
  }

  /** The device that runs train on, if one is open. */
  get opened(): Gpu | null {
    return this.gpu;
  }

  /** Answers when every worker on another core has. */
  alive(): Promise<unknown> {
    return this.cores.alive();
  }

  async probe(): Promise<DeviceReport> {
    const { probeGpu } = await gpuCode();
    this.report ??= { ...(await probeGpu()), cores: navigator.hardwareConcurrency ?? 1, differs: null };
    if (!this.report.webgpu) return this.report;
    // a check may have found something since
    const { differenceOf } = await import('../store/deviceChecks.ts');
    return { ...this.report, differs: await differenceOf(this.report.adapter) };
  }

  /**
   * The backend for a plan: what the config asks for, or the best that works here. Where the device fails it, the backend
   * is made of simpler kernels, then on the CPU path, unless the config insists on WebGPU.
   */
  async make(plan: Plan): Promise<Result<MakeBackend>> {
    const where = await this.where(plan);
    return where.ok ? ok(this.makeSomewhere) : where;
  }

  /** The same for a scratch copy, which fails where the device does, and tells nobody. */
  async makeScratch(plan: Plan): Promise<Result<MakeBackend>> {
    const where = await this.where(plan);
    if (!where.ok) return where;
    return ok(where.value ? await backendOn(where.value) : this.cores.make);
  }

  /** The device that a plan trains on; null: the CPU path. */
  async where(plan: Plan): Promise<Result<Gpu | null>> {
    const wish = wishOf(plan);
    if (wish === 'cpu' || trainsOnCpu(plan) || this.isOnCpu || this.losses.length >= LOSSES) return ok(null);
    const report = await this.probe();
    if (wish === 'auto' && (isLeft(report) || (await this.isCpuFirst(plan)))) return ok(null);
    const gpu = await this.open();
    if (gpu.ok || wish === 'auto') return ok(gpu.ok ? gpu.value : null);
    const { problem } = gpu;
    return fail(problem.kind === 'noWebGpu' ? { kind: 'gpuAsked', why: problem.why } : problem);
  }

  /** True where a run that may choose begins on the CPU path, or was found to train faster there. */
  private async isCpuFirst(plan: Plan): Promise<boolean> {
    if (!this.contests) return false;
    const { verdictFor } = await import('./contest.ts');
    const before = verdictFor(plan);
    if (before && this.chosen === null) this.chose = before.choice;
    const winner = this.chosen ?? before?.winner ?? null;
    this.isTrying = winner === null;
    return winner !== 'webgpu';
  }

  /** Why a run that may choose trains where it does. */
  get choice(): Choice | null {
    return this.isTrying ? { kind: 'preparing' } : this.chose;
  }

  /** What a contest has found before update `at`, until another run is loaded. */
  choose({ choice, winner }: Verdict, at = 0): void {
    [this.chose, this.chosen, this.isTrying] = [choice, winner, false];
    if (winner === 'webgpu') this.tellFall(winner, at);
  }

  /** A run that has trained on a device goes on there; another one may choose anew. */
  prefer(path: TrainedOn | null): void {
    [this.chose, this.chosen, this.isTrying] = [null, path === 'webgpu' ? path : null, false];
  }

  /** A backend on the device for a run that trains on the CPU path; fails where the device does, and tells nobody. */
  async makeRival(plan: Plan, state: TrainState): Promise<Backend> {
    const opened = await this.open();
    if (!opened.ok) throw new NoWayLeft(opened.problem);
    const gpu = opened.value;
    try {
      return await (
        await backendOn(gpu)
      )(plan, state);
    } catch (error) {
      if (gpu.complaint !== null) this.lose();
      throw error;
    }
  }

  readonly makeSomewhere: MakeBackend = async (plan, state) => {
    for (;;) {
      const where = await this.where(plan);
      if (!where.ok) throw new NoWayLeft(where.problem);
      const gpu = where.value;
      try {
        const make = gpu ? await backendOn(gpu) : this.cores.make;
        const backend = await make(plan, state);
        this.tellFall(backend.kind, state.update);
        return backend;
      } catch (error) {
        if (!gpu) throw error;
        // simpler kernels were tried, unless the device has stopped working
        const problem = await this.failed(error, { plan, at: state.update, isMade: gpu.complaint === null });
        if (problem) throw new NoWayLeft(problem);
      }
    }
  };

  /**
   * The device failed a run. Null: `make` knows another way, which is told once it works; else why there is none. What is
   * not of the device is thrown. `isMade`: simpler kernels have been tried.
   */
  async failed(
    error: unknown,
    { plan, at, isMade = false }: { readonly plan: Plan; readonly at: number; readonly isMade?: boolean },
  ): Promise<Problem | null> {
    if (error instanceof NoWayLeft) return error.problem;
    if (await this.wasLost()) {
      this.countLoss(performance.now());
      this.fall ??= { why: null, at };
      return null;
    }
    const why = gpuProblem(error);
    if (!why) throw error;
    // everything on a device that stopped working is freed with it; the next one is another
    if (this.gpu?.complaint !== null) this.lose();
    if (!isMade && isOfForm(error) && !this.plainBecause && !this.gpu?.plainBecause) this.plainBecause = error;
    else if (wishOf(plan) === 'auto') [this.isOnCpu, this.chose] = [true, null];
    else {
      // whoever goes back or resets may try again
      this.forgetLosses();
      return why;
    }
    this.fall = { why, at: this.fall?.at ?? at };
    return null;
  }

  /** One sentence about what happened and what runs now. */
  private tellFall(backend: Backend['kind'], resumedFrom: number): void {
    const found = backend === 'webgpu' ? this.gpu!.plainBecause : null;
    if (found && !this.fall && found !== this.plainBecause) this.fall = { why: gpuProblem(found)!, at: resumedFrom };
    if (found) this.plainBecause = found;
    const { fall } = this;
    this.fall = null;
    if (!fall) return;
    const { why, at: update } = fall;
    if (why) this.tell({ kind: 'fellBack', why, update, resumedFrom, now: backend === 'cpu' ? 'cpu' : 'plain' });
    else this.tell({ kind: 'deviceLost', update, resumedFrom, backend });
  }

  /** Someone lets a run go on upon the CPU path that asks for WebGPU. */
  stayOnCpu(): void {
    this.isOnCpu = true;
  }

  private async open(): Promise<Result<Gpu>> {
    if (this.gpu && !this.gpu.isLost && this.gpu.complaint === null) return ok(this.gpu);
    const { openGpu } = await gpuCode();
    const opened = await openGpu();
    if (!opened.ok) return opened;
    this.gpu = opened.value;
    this.gpu.plainBecause = this.plainBecause;
    this.gpu.isHidden = this.isHidden;
    return opened;
  }

  /** Is the page looked at? Then the device leaves it time to draw. */
  setHidden(isHidden: boolean): void {
    this.isHidden = isHidden;
    if (this.gpu) this.gpu.isHidden = isHidden;
  }

  /** After three losses within five minutes, the run stays on the CPU. */
  countLoss(now: number): void {
    this.losses = [...this.losses.filter((at) => at > now - LOSS_WINDOW_MS), now];
  }

  /** Whoever loads an experiment again may try the GPU again, as the notice of the losses says. */
  forgetLosses(): void {
    this.losses = [];
    this.isOnCpu = false;
    this.prefer(null);
    this.fall = null;
    // that a device needs simpler kernels is told once
    this.plainBecause = this.gpu && !this.gpu.isLost && this.gpu.complaint === null ? this.gpu.plainBecause : null;
  }

  /** True once the device of the runs is gone; the news may come a moment after the first failed call. */
  async wasLost(): Promise<boolean> {
    if (!this.gpu) return false;
    await Promise.race([this.gpu.lost, new Promise((later) => setTimeout(later, 200))]);
    return this.gpu.isLost;
  }

  /** Test hook: the device goes away as it does when a driver is reset. */
  lose(): void {
    this.gpu?.lose();
  }

  /** Test hook: the device refuses something, as it does with what is too large for it. */
  refuse(): void {
    this.gpu?.refuse();
  }
}
