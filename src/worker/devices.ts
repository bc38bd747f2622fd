import { fail, ok, type Result } from '../core/problem.ts';
import type { Gpu } from '../gpu/device.ts';
import type { MakeBackend } from '../engine/backend.ts';
import type { Plan } from '../engine/plan.ts';
import { trainsOnCpu } from '../engine/trainsOnCpu.ts';
import { networks } from '../networks/registry.ts';
import { Cores } from './cores.ts';
import type { DeviceReport } from './protocol.ts';

const LOSSES = 3;
const LOSS_WINDOW_MS = 5 * 60 * 1000;

/** True where a run that may choose trains on the CPU: no device, one in software, or one that was found to be wrong. */
export const isLeft = ({ webgpu, software, differs }: DeviceReport): boolean => !webgpu || software || differs !== null;

/** What asks for a device, loaded by whoever does. */
const gpuCode = (): Promise<typeof import('../gpu/device.ts')> => import('../gpu/device.ts');

/** Chooses where a run trains, keeps the one GPU device, and remembers how often it was lost. */
export class Devices {
  private gpu: Gpu | null = null;
  private report: DeviceReport | null = null;
  private losses: number[] = [];
  private readonly cores: Cores;

  /** `heard` is called when one of the other cores shows that it works. */
  constructor(cores?: number, heard?: () => void) {
    this.cores = new Cores(cores, heard);
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

  /** The backend for a plan: what the config asks for, or the best that works here. */
  async make(plan: Plan): Promise<Result<MakeBackend>> {
    const wish = plan.config.run['backend'] as 'auto' | 'webgpu' | 'cpu';
    if (wish === 'cpu' || trainsOnCpu(plan) || this.losses.length >= LOSSES) return ok(this.cores.make);
    const report = await this.probe();
    if (wish === 'auto' && isLeft(report)) return ok(this.cores.make);
    const gpu = await this.open();
    if (gpu.ok) {
      // kernels and their lists are loaded where there is a device to run them
      const [{ gpuBackendOn }] = await Promise.all([
        import('../engine/gpu/gpuBackend.ts'),
        ...networks.map((network) => network.gpu?.()),
      ]);
      return ok(gpuBackendOn(gpu.value));
    }
    if (wish === 'auto') return ok(this.cores.make);
    const { problem } = gpu;
    return fail(problem.kind === 'noWebGpu' ? { kind: 'gpuAsked', why: problem.why } : problem);
  }

  private async open(): Promise<Result<Gpu>> {
    if (this.gpu && !this.gpu.isLost && this.gpu.complaint === null) return ok(this.gpu);
    const { openGpu } = await gpuCode();
    const opened = await openGpu();
    if (!opened.ok) return opened;
    this.gpu = opened.value;
    return opened;
  }

  /** After three losses within five minutes, the run stays on the CPU. */
  countLoss(now: number): void {
    this.losses = [...this.losses.filter((at) => at > now - LOSS_WINDOW_MS), now];
  }

  /** Whoever loads an experiment again may try the GPU again, as the notice of the losses says. */
  forgetLosses(): void {
    this.losses = [];
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
