import type { TaskField } from '../../contract/columns.ts';
import { PURPOSE } from '../../core/random.ts';
import type { Gpu } from '../../gpu/device.ts';
import { CommandList, whole, type Slice } from '../../gpu/recorder.ts';
import { kernels, stepKernels } from '../../gpu/shaders/kernels.ts';
import { addStepSums } from '../../gpu/stepSums.ts';
import { sideTasks, type Side } from '../sideEpisodes.ts';
import type { Plan, Tasks } from '../plan.ts';
import { RunBuffers } from './buffers.ts';
import { REPORT } from './report.ts';
import type { Sequence } from './tokenSequence.ts';
import { TaskUpload } from './uploadTasks.ts';

/** The run that they are played beside: its buffers, the weights that play, words of a level. */
type Beside = { readonly main: RunBuffers; readonly theta: GPUBuffer; readonly levelWords: number };

/** The side episodes of a run on the GPU: a small run of their own, one trajectory per task, that only rolls out. */
export class GpuSideEpisodes {
  /** [S, B] return of the side episode of each trajectory's task */
  readonly column: { readonly name: TaskField; readonly slice: Slice };
  readonly plan: Plan;
  readonly b: RunBuffers;
  private readonly gpu: Gpu;
  private readonly run: Plan;
  private readonly theta: GPUBuffer;
  private readonly upload: TaskUpload;
  private rollout: Sequence | null = null;
  private after: CommandList | null = null;

  constructor(run: Plan, { of, plan }: Side, { main, theta, levelWords }: Beside) {
    const { gpu } = main;
    this.gpu = gpu;
    this.run = run;
    this.plan = plan;
    this.theta = theta;
    this.b = new RunBuffers(gpu, plan, main.recording, levelWords, main.tensors);
    this.upload = new TaskUpload(gpu, plan, this.b);
    const column = gpu.buffer('credit', run.S * run.B, 0x80 | 0x04 | 0x08);
    main.all.push(column);
    main.batch.keep(of.makes, this.b.columns.outcome);
    this.column = { name: of.makes, slice: whole(column) };
  }

  /** Records what follows the rollout: the return of each task for its trajectories, and how many steps it took. */
  async record(rollout: Sequence, main: RunBuffers): Promise<void> {
    const { S, B, P } = this.run;
    const { b, gpu } = this;
    const list = new CommandList(gpu, 'side', main.all);
    const { taskIndex } = main.columns;
    await list.add(kernels.gatherTask, { x: b.columns.outcome, taskIndex, y: this.column.slice }, { S, B, P }, [
      Math.ceil((S * B) / 64),
    ]);
    const { sampled, next, groups } = b;
    const { length, ending, outcome } = b.columns;
    const record = main.report(REPORT.extra);
    await addStepSums(
      list,
      stepKernels.batchStats,
      S,
      { length, ending, outcome, sampled, next, groups, record, parts: b.parts },
      { B: this.plan.B, T: this.plan.T, P, floatSection: b.section },
    );
    this.rollout = rollout;
    this.after = list;
  }

  /** Plays one episode per task with the policy as it is. */
  play(tasks: Tasks): void {
    const { device } = this.gpu;
    this.upload.put(sideTasks(this.run, tasks), PURPOSE.sideAction);
    const before = device.createCommandEncoder({ label: 'side' });
    before.copyBufferToBuffer(this.theta, 0, this.b.sampledTheta, 0, this.run.S * this.run.layout.size * 4);
    this.rollout!.submit(device, 'side', { before, after: (encoder) => this.after!.encode(encoder) });
  }
}
