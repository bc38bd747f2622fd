import type { MakeBackend } from '../../engine/backend.ts';
import { makeCpuBackend } from '../../engine/cpu/cpuBackend.ts';
import { LAB_COMMIT, LAB_VERSION } from '../../core/version.ts';
import type { Gpu } from '../../gpu/device.ts';
import { whenDone } from '../../gpu/deviceWait.ts';
import { networks } from '../../networks/registry.ts';
import { cpuChecks, hasSimd } from './cpuPath.ts';
import { checkFile, loadCases } from './kernelCases.ts';
import {
  PARTS,
  type AdapterFacts,
  type CheckReport,
  type Finding,
  type PartId,
  type ShortRun,
  type SpeedRow,
} from './report.ts';
import { COMPARED, cpuDiffers, playBoth, playCpu, type Played } from './shortRuns.ts';
import { cpuProduct, gpuProduct, trainingSpeed } from './speeds.ts';

/** What is checked, and who hears of it. */
export type Asked = {
  readonly gpu: Gpu | null;
  /** why there is no device */
  readonly why: string | null;
  readonly adapter: AdapterFacts | null;
  /** files of kernels, short runs and parts; all by default */
  readonly kernels?: (file: string) => boolean;
  readonly presets?: readonly string[];
  readonly parts?: readonly PartId[];
  /** hears what is there so far, after every comparison; to be called often */
  readonly tell?: (report: CheckReport) => void;
  readonly isStopped?: () => boolean;
};

/** The file of the kernels that draws random numbers. */
const RANDOM = 'random';

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n')[0]!;

/** One check: what there is of its report so far. */
class Check {
  private readonly asked: Asked;
  private readonly parts = new Map<PartId, { done: number; of: number; wrong: number }>();
  private readonly findings: Finding[] = [];
  private readonly runs: ShortRun[] = [];
  private readonly speeds: SpeedRow[] = [];

  constructor(asked: Asked) {
    this.asked = asked;
    const isPlanned = (id: PartId): boolean => asked.gpu !== null || !['random', 'kernels'].includes(id);
    for (const id of asked.parts ?? PARTS) if (isPlanned(id)) this.parts.set(id, { done: 0, of: 0, wrong: 0 });
  }

  report(isWhole: boolean): CheckReport {
    const { gpu, adapter, why } = this.asked;
    return {
      schema: 'device-check/1',
      ...{ lab: LAB_VERSION, commit: LAB_COMMIT ?? 'unknown', name: gpu?.name ?? null, why, adapter },
      ...{ hasSimd: hasSimd(), isWhole },
      parts: [...this.parts].map(([id, state]) => ({ id, ...state })),
      ...{ findings: [...this.findings], runs: [...this.runs], speeds: [...this.speeds] },
    };
  }

  async run(): Promise<CheckReport> {
    const { gpu } = this.asked;
    const steps: Readonly<Record<PartId, () => Promise<void>>> = {
      paths: () => this.paths(),
      random: () => this.kernels('random', gpu!, (file) => file === RANDOM),
      kernels: () => this.kernels('kernels', gpu!, (file) => file !== RANDOM && (this.asked.kernels?.(file) ?? true)),
      runs: () => this.shortRuns(),
      speed: () => this.speed(),
    };
    for (const id of this.parts.keys()) if (!this.isOver) await steps[id]();
    return this.report(!this.isOver);
  }

  private get isOver(): boolean {
    return this.asked.isStopped?.() === true || this.asked.gpu?.isLost === true;
  }

  private plan(id: PartId, of: number): void {
    this.parts.get(id)!.of = of;
    this.tell();
  }

  private done(id: PartId, isWrong: boolean): void {
    const part = this.parts.get(id)!;
    part.done++;
    if (isWrong) part.wrong++;
    this.tell();
  }

  private tell(): void {
    this.asked.tell?.(this.report(false));
  }

  private find(part: PartId, name: string, sentence: string | null): void {
    if (sentence !== null) this.findings.push({ part, name, sentence });
  }

  private async paths(): Promise<void> {
    const checks = cpuChecks();
    this.plan('paths', checks.length);
    for (const { name, judge } of checks) {
      const sentence = judge();
      this.find('paths', name, sentence);
      this.done('paths', sentence !== null);
    }
  }

  private async kernels(part: PartId, gpu: Gpu, wanted: (file: string) => boolean): Promise<void> {
    const files = await loadCases(wanted, gpu.device.limits.maxStorageBuffersPerShaderStage);
    this.plan(
      part,
      files.reduce((n, { cases }) => n + cases.length, 0),
    );
    for (const file of files) {
      if (this.isOver) return;
      const watch = { done: (isWrong: boolean) => this.done(part, isWrong), isOver: () => this.isOver };
      this.find(part, file.name, await checkFile(gpu, file, watch));
    }
  }

  /** On a device beside the CPU path; without one the CPU path alone, whose digests are known. */
  private async shortRuns(): Promise<void> {
    const ids = this.asked.presets ?? COMPARED;
    this.plan('runs', ids.length);
    const make = await this.onDevice();
    for (const id of ids) {
      if (this.isOver) return;
      const wrong = await this.shortRun(id, make);
      this.done('runs', wrong !== null);
    }
  }

  private async shortRun(id: string, make: MakeBackend | null): Promise<string | null> {
    let played: Played;
    try {
      played = await (make ? playBoth(id, make) : playCpu(id));
    } catch (error) {
      const sentence = `The short run of ${id} did not get to its end: ${why(error)}`;
      if (this.asked.gpu) this.asked.gpu.complaint = null;
      this.find(make ? 'runs' : 'paths', id, sentence);
      return sentence;
    }
    this.runs.push(played.run);
    const ofCpu = cpuDiffers(played.run);
    this.find('paths', id, ofCpu);
    this.find('runs', id, played.wrong);
    return played.wrong ?? ofCpu;
  }

  /** Kernels and their lists are loaded where there is a device to run them. */
  private async onDevice(): Promise<MakeBackend | null> {
    const { gpu } = this.asked;
    if (!gpu) return null;
    const [{ gpuBackendOn }] = await Promise.all([
      import('../../engine/gpu/gpuBackend.ts'),
      ...networks.map((network) => network.gpu?.()),
    ]);
    return gpuBackendOn(gpu);
  }

  private async speed(): Promise<void> {
    const { gpu } = this.asked;
    this.plan('speed', gpu ? 4 : 2);
    const next = async <T>(measure: () => Promise<T>): Promise<T> => {
      const found = await measure();
      this.done('speed', false);
      return found;
    };
    try {
      const own = [await next(cpuProduct), gpu ? await next(() => gpuProduct(gpu)) : null] as const;
      this.speeds.push({ what: 'Matrix product', unit: 'GFLOP/s', cpu: own[0], gpu: own[1] });
      const cpu = await next(() => trainingSpeed(makeCpuBackend, async () => undefined));
      const make = await this.onDevice();
      const settled = async (): Promise<void> => {
        if (gpu) await whenDone(gpu.device.queue);
      };
      const device = make && (await next(() => trainingSpeed(make, settled)));
      const row = (what: string, unit: string, of: keyof typeof cpu): SpeedRow => ({
        ...{ what, unit, cpu: cpu[of], gpu: device?.[of] ?? null },
      });
      this.speeds.push(row('Rollout', 'steps/s', 'rollout'), row('Training step', '1/s', 'step'));
      this.speeds.push(row('Whole update', '1/s', 'update'));
    } catch (error) {
      if (gpu) gpu.complaint = null;
      this.find('speed', 'speed', `The speed could not be measured: ${why(error)}`);
    }
  }
}

/** Checks a device, or the CPU path where there is none. What differs is in the report; it never throws for that. */
export const checkDevice = (asked: Asked): Promise<CheckReport> => new Check(asked).run();
