import type { Gpu } from '../../gpu/device.ts';
import { normSumsOf, squaresOf, type NormSums } from '../../gpu/norm.ts';
import { listedAtOnce, partsOf, slicesOf, wordsOfRows } from '../../core/slices.ts';
import { sectionBytes, whole, type Slice } from '../../gpu/recorder.ts';
import { Reads } from '../../gpu/reads.ts';
import { LIVE_WORDS } from '../../gpu/live.ts';
import { valuesOf } from '../../networks/layout.ts';
import { outputsOf } from '../../networks/policy.ts';
import type { GpuNetwork } from '../../gpu/network.ts';
import type { Recording } from '../../networks/types.ts';
import { comparesInLoss, paysReference } from '../control.ts';
import { startsApart } from '../../config/fresh.ts';
import { columnsOfRun, updateColumnsOfRun } from '../../config/runColumns.ts';
import { sizesOf } from '../arrays.ts';
import { checkUnitCredit } from '../unitCredit.ts';
import type { Plan } from '../plan.ts';
import { startsOf, statesOf, stateSizes } from '../stateTable.ts';
import { DeviceState } from './deviceState.ts';
import type { ColumnName } from '../../contract/columns.ts';
import { ColumnBuffers, type ColumnSlices } from './columnBuffers.ts';
import { hasRatesEach } from './control.ts';
import { REPORT, REPORT_SECTIONS, REPORT_WORDS } from './report.ts';
import type { Running } from './runningReward.ts';
import type { TokenBuffers } from '../../networks/transformer/tokenBuffers.ts';

/** STORAGE | COPY_SRC | COPY_DST, and UNIFORM: by value, because the global with the names exists only beside a GPU. */
const STORAGE = 0x80 | 0x04 | 0x08;
const UNIFORM = 0x40;
/** What memory tables say a buffer of columns belongs to, where it is not the batch. */
const LABELS: Readonly<Record<string, string>> = {
  ...{ credit: 'credit', matchHead: 'credit', matchNext: 'credit', matchTable: 'credit', terms: 'activations' },
  ...{ lossWeight: 'tasks', member: 'tasks' },
  ...{ rowSums: 'report', rowDelta: 'report', groupStats: 'report', rowHash: 'report' },
};

/** The policy that trains at the steps of a batch that another one played; sections as those of `draws`. */
export type SeenPolicy = {
  readonly buffer: GPUBuffer;
  readonly sampled: Slice;
  readonly probs: Slice;
  readonly entropy: Slice;
  /** from what played, in place of the values */
  readonly kl: Slice;
};

/** Does the objective look at what the last pass over the batch has left of every step, where that of the step is? */
const readsWhole = ({ objective, objectiveParams }: Plan): boolean =>
  objective.readsMeans === true ||
  objective.readsPowers === true ||
  !!objective.readsScores?.(objectiveParams as never);

/** Does anything but a look read the weights of a minibatch? With a single one, ratios do after the first step. */
const readsWeights = ({ objective, objectiveParams, control, minibatches }: Plan): boolean =>
  minibatches === 1 ||
  objective.survey !== undefined ||
  !!objective.marks?.(objectiveParams as never) ||
  control.stopsAt !== null ||
  control.cutsAt !== null;

/**
 * Does the optimizer make the norm itself? Something may look at a gradient or at its norm before the step; and where shaders run
 * on the CPU barriers of all workgroups take longer than the dispatch of one: eight times the sum of the slices there.
 */
const sumsNorm = ({ software }: Gpu, { layout, control, optimizer }: Plan): boolean =>
  !software && normSumsOf(layout.size) > 0 && control.stopsAt === null && !optimizer.direction;

/** All arrays of a run on the GPU. Step arrays are [S, B, T]; several live as sections of one buffer. */
export class RunBuffers {
  readonly gpu: Gpu;
  /** of the network that plays and learns */
  readonly recording: Recording;
  readonly all: GPUBuffer[] = [];
  /** what comes back of it between updates, or in the middle of one */
  readonly reads: Reads;
  /** everything that is remembered between updates */
  readonly tensors: DeviceState;
  /** the batch: columns by name, and what else is known of their sections */
  readonly columns: ColumnSlices;
  readonly batch: ColumnBuffers;
  /** words of one [S, B, T] section, a multiple of 64 */
  readonly section: number;
  readonly theta: GPUBuffer;
  readonly m: GPUBuffer;
  readonly v: GPUBuffer;
  readonly gradient: GPUBuffer;
  /** slices of the gradient of a dense network */
  readonly partials: GPUBuffer;
  /** sums of squares of a long gradient: see norm.ts */
  readonly squares: GPUBuffer;
  /** what the way back adds up, from which the optimizer makes the norm itself; null where a dispatch in between makes it */
  readonly sums: NormSums | null;
  readonly reference: GPUBuffer;
  /** [S, B] lengths of the rows that are measured, 0 for others; null where all are */
  readonly ownLength: GPUBuffer | null;
  /** parameters that sampled the last batch */
  readonly sampledTheta: GPUBuffer;
  /** packed levels, then what each trajectory plays (`assign`), the draws of the rollout and the actions that are not the policy's (`roll`) */
  readonly levels: GPUBuffer;
  readonly state: GPUBuffer;
  readonly obs: GPUBuffer;
  readonly choice: GPUBuffer;
  readonly result: GPUBuffer;
  readonly reals: GPUBuffer;
  /** `sampled`, then `probs` */
  readonly draws: GPUBuffer;
  /** null: what trains is what played */
  readonly seen: SeenPolicy | null;
  readonly credit: GPUBuffer;
  /** words before marks and A of every unit in `credit`; 0 where there are none */
  readonly marksAt: number;
  readonly creditAt: number;
  private readonly answers: GpuNetwork | null;
  /** what passes over a batch in chunks, where actions are written; null: `network` answers a batch at once */
  readonly tokens: TokenBuffers | null;
  /** live steps that a look goes over, see liveSteps.wgsl; null: it goes over all of the batch */
  readonly liveRows: GPUBuffer | null;
  /** looks that list them at once */
  readonly listed: number;
  readonly out: GPUBuffer;
  readonly refOut: GPUBuffer | null;
  /** rewards and returns as reward modules make them; null where there are none */
  readonly shaped: { readonly reward: GPUBuffer; readonly outcome: GPUBuffer } | null;
  /** returns in units of the run; null where they stay those of the task */
  readonly running: Running | null;
  /** rewards and returns that have paid for the reference; null where the estimator sees those of the task */
  readonly paid: { readonly reward: GPUBuffer; readonly outcome: GPUBuffer } | null;
  /** gradients of replicas that take no further step in an update; null where none ever stops */
  readonly held: GPUBuffer | null;
  /** parameters before a step that may be cut; null where none is */
  readonly before: GPUBuffer | null;
  /** length and rates of a step that has a length of its own; null for other optimizers */
  readonly unit: { readonly norms: GPUBuffer; readonly rates: GPUBuffer } | null;
  readonly dOut: GPUBuffer;
  /** [S, B, n] outputs after the last steps, by the version that played them; null where one plays all */
  readonly turnLast: GPUBuffer | null;
  readonly stats: GPUBuffer;
  /** words of `stats` before those of the units of a step; 0 where each step is one */
  readonly unitsAt: number;
  /** steps with equal states as keyMatch finds them, and its table */
  readonly head: GPUBuffer;
  readonly next: GPUBuffer;
  readonly table: GPUBuffer;
  readonly plan: GPUBuffer;
  readonly member: GPUBuffer;
  readonly live: GPUBuffer;
  /** the same for looks that no step follows */
  readonly look: GPUBuffer;
  readonly rates: GPUBuffer;
  /** what an update reports: sections of `reportSection` words, see `report` */
  readonly reportBuffer: GPUBuffer;
  readonly groups: GPUBuffer;
  /** scratch of sums over rows in two stages */
  readonly parts: GPUBuffer;
  /** for metrics only: sums of task groups, Σ Δ of trajectories, weights and last gradient of the update before */
  readonly rowSums: GPUBuffer;
  readonly rowSum: GPUBuffer;
  /** the same before the first step; another buffer only where families are counted then */
  readonly startSum: GPUBuffer;
  readonly lastTheta: GPUBuffer;
  readonly lastGradient: GPUBuffer;
  readonly rowHash: GPUBuffer;
  readonly flags: GPUBuffer;
  /** words before a part: of `levels`, `result`, `draws` */
  readonly assignAt: number;
  readonly rollAt: number;
  /** the same of the saved states that episodes begin in; 0: all begin at the start of their level */
  readonly beginsAt: number;
  /** words of `roll` before the actions that are not the policy's; 0: there are none */
  readonly shown: number;
  readonly probsAt: number;
  readonly values: 0 | 1 | 2;
  private readonly rows: number;
  private readonly S: number;
  private readonly steps: number;
  private readonly outputs: number;

  /** `shared`: of the run that a rollout belongs to; without it they are its own */
  constructor(gpu: Gpu, plan: Plan, recording: Recording, levelWords: number, shared?: DeviceState) {
    this.gpu = gpu;
    this.recording = recording;
    this.reads = new Reads(gpu);
    const tensors = shared ?? new DeviceState(gpu, this.reads, statesOf(plan), stateSizes(plan), startsOf(plan));
    this.tensors = tensors;
    if (!shared) this.all.push(...tensors.buffers);
    const { S, B, T, layout } = plan;
    const { policy } = plan;
    const N = B * T;
    // outputs of a step; commands pass through in chunks, only their words are kept
    const isWhole = recording.answers !== undefined;
    const n = isWhole ? outputsOf(plan) : 0;
    const words = policy.words?.decisions ?? 0;
    const up = (x: number): number => Math.ceil(x / 64) * 64;
    this.S = S;
    this.rows = S * B;
    this.steps = N;
    this.outputs = n;
    const make = (label: string, words: number, usage = STORAGE): GPUBuffer => {
      const buffer = gpu.buffer(label, words, usage);
      this.all.push(buffer);
      return buffer;
    };
    this.theta = tensors.buffer('theta');
    this.m = tensors.buffer('m');
    this.v = tensors.buffer('v');
    this.gradient = make('weights', S * layout.size);
    this.partials = make('weights', isWhole ? S * slicesOf(N, layout.size) * layout.size : 0);
    this.squares = make('weights', S * squaresOf(layout.size));
    this.reference = tensors.buffer('reference');
    this.sampledTheta = make('weights', S * layout.size);
    const variants = Math.min(plan.B, plan.P * (plan.env.deal?.count ?? 1));
    this.assignAt = up(S * variants * levelWords);
    const afterAssign = this.assignAt + up(this.rows * 4);
    this.beginsAt = plan.source.starts ? afterAssign : 0;
    this.rollAt = afterAssign + (plan.source.starts ? up(this.rows * (plan.env.words + 1)) : 0);
    this.shown = plan.scheme ? 2 + S : 0;
    this.levels = make('levels', this.rollAt + 2 + S + (this.shown > 0 ? S * N : 0));
    checkUnitCredit(plan);
    const batch = new ColumnBuffers(
      (n, name) => make(LABELS[name] ?? 'batch', n),
      new Set([...columnsOfRun(plan), ...updateColumnsOfRun(plan)]),
      sizesOf(plan),
      S,
    );
    this.batch = batch;
    this.columns = batch.slices;
    this.section = batch.sections.section;
    const { state, obs, choice, result, reals, draws } = batch.buffers;
    this.state = state;
    this.obs = obs;
    this.choice = choice;
    this.result = result;
    this.reals = reals;
    this.draws = draws;
    this.values = valuesOf(policy.shape);
    this.probsAt = batch.at('probs');
    this.seen = startsApart(plan) ? this.seenIn(make('batch', draws.size / 4)) : null;
    this.marksAt = batch.has('mark') ? batch.at('mark') : 0;
    this.creditAt = batch.has('unitCredit') ? batch.at('unitCredit') : 0;
    this.credit = batch.buffers.credit;
    this.stats = batch.alone('terms');
    this.flags = make('report', S);
    this.sums = isWhole && sumsNorm(gpu, plan) ? this.sumsIn(make('weights', S * normSumsOf(layout.size))) : null;
    const { partials, gradient, sums } = this;
    this.answers =
      recording.answers?.(policy, {
        ...{ gpu, S, B, T, obsWords: plan.obsWords, obs, length: this.columns.length, partials, gradient, sums },
        make: (floats) => make('activations', floats),
      }) ?? null;
    const steps = plan.epochs * plan.minibatches;
    this.listed = readsWeights(plan) || this.seen ? 1 : listedAtOnce(steps + 1, B, T);
    this.liveRows =
      this.answers?.lists && !readsWhole(plan) ? make('tasks', S * this.listed * wordsOfRows(B, T)) : null;
    this.out = make('activations', S * N * n);
    this.dOut = make('activations', S * N * n);
    this.turnLast = plan.behavior.several && plan.critic ? make('activations', this.rows * Math.max(1, n)) : null;
    const { control, live } = plan;
    const pays = paysReference(control, live);
    this.refOut = pays || comparesInLoss(control, live) ? make('activations', S * N * n) : null;
    const of = (reward: ColumnName, outcome: ColumnName) =>
      batch.has(reward) ? { reward: batch.alone(reward), outcome: batch.alone(outcome) } : null;
    this.shaped = of('shapedReward', 'shapedOutcome');
    const normalized = of('runningReward', 'runningOutcome');
    this.running = normalized && { known: tensors.buffer('running'), ...normalized };
    this.paid = pays ? of('paidReward', 'paidOutcome') : null;
    this.ownLength = batch.has('ownLength') ? batch.alone('ownLength') : null;
    this.held = control.stopsAt !== null ? make('weights', S * layout.size) : null;
    this.before = control.cutsAt !== null ? make('weights', S * layout.size) : null;
    this.unitsAt = words > 0 ? 6 * S * N : 0;
    this.head = batch.alone('matchHead');
    this.next = batch.alone('matchNext');
    this.table = batch.alone('matchTable');
    this.plan = batch.alone('lossWeight');
    this.member = batch.alone('member');
    this.live = make('tasks', LIVE_WORDS, STORAGE | UNIFORM);
    const looksApart = pays || control.looksAtKl;
    this.look = looksApart ? make('tasks', LIVE_WORDS, STORAGE | UNIFORM) : this.live;
    this.rates = make('tasks', (hasRatesEach(plan) ? steps * S : steps) * 4);
    this.unit = plan.optimizer.direction ? { norms: make('tasks', 2 * S), rates: make('tasks', 4 * S) } : null;
    this.reportBuffer = make('report', REPORT_SECTIONS * (sectionBytes(S * REPORT_WORDS) / 4));
    this.parts = make('report', partsOf(S, B, plan.actions));
    this.rowSums = batch.alone('rowSums');
    this.rowSum = batch.alone('rowDelta');
    this.startSum = this.seen && plan.scheme?.forks ? make('report', S * B) : this.rowSum;
    this.lastTheta = make('weights', S * layout.size);
    this.lastGradient = tensors.buffer('lastGradient');
    this.groups = batch.alone('groupStats');
    this.rowHash = batch.alone('rowHash');
    this.tokens = recording.chunks?.(policy, gpu, { S, B, T }) ?? null;
  }

  /** The network that answers a batch at once. */
  get network(): GpuNetwork {
    if (!this.answers) throw new Error('This network passes over a batch in chunks.');
    return this.answers;
  }

  /** V of the last states, valid right after a rollout: the last of n outputs of every row, of two values the last two; `rows` rows per replica. */
  get last(): { readonly buffer: GPUBuffer; readonly rows: number; readonly n: number; readonly values: number } {
    const B = this.rows / this.S;
    if (this.tokens) return { buffer: this.turnLast ?? this.tokens.lastValue, rows: B, n: 1, values: 1 };
    const now = { buffer: this.out, rows: this.steps };
    return { ...(this.turnLast ? { buffer: this.turnLast, rows: B } : now), n: this.outputs, values: this.values };
  }

  /** Section of what an update reports, up to 16 words per replica: see report.ts. */
  report(k: number, words = 8): Slice {
    return { buffer: this.reportBuffer, offset: k * sectionBytes(this.S * REPORT_WORDS), size: this.S * words * 4 };
  }

  /** What every optimizer step adds to: norms and, in the section after it, losses. */
  get stepSums(): Slice {
    const [from, to] = [this.report(REPORT.norms), this.report(REPORT.losses, 2)];
    return { ...from, size: to.offset + to.size - from.offset };
  }

  private sumsIn(sums: GPUBuffer): NormSums {
    const { plainBecause, device } = this.gpu;
    const atOnce = !plainBecause && device.limits.maxStorageBuffersPerShaderStage >= 9;
    return { sums, stats: this.stats, flags: this.flags, steps: this.steps, atOnce };
  }

  private seenIn(buffer: GPUBuffer): SeenPolicy {
    const [sampled, probs] = [this.sampled, this.columns.probs].map((slice) => ({ ...slice, buffer }));
    const [entropy, kl] = [this.stepSection(buffer, 1), this.stepSection(buffer, 2)];
    return { buffer, sampled: sampled!, probs: probs!, entropy, kl };
  }
  private stepSection(buffer: GPUBuffer, k: number): Slice {
    return { buffer, offset: k * this.section * 4, size: this.section * 4 };
  }
  /** rewards and returns as the estimator sees them */
  get judged(): { readonly reward: Slice; readonly outcome: Slice } {
    const { paid } = this;
    return paid ? { reward: whole(paid.reward), outcome: whole(paid.outcome) } : this.unpaid;
  }
  /** the same before they pay for the reference */
  get unpaid(): { readonly reward: Slice; readonly outcome: Slice } {
    const { running } = this;
    return running ? { reward: whole(running.reward), outcome: whole(running.outcome) } : this.unscaled;
  }
  /** the same before returns are normalized */
  get unscaled(): { readonly reward: Slice; readonly outcome: Slice } {
    const { shaped } = this;
    return shaped ? { reward: whole(shaped.reward), outcome: whole(shaped.outcome) } : this.columns;
  }
  /** [S, B, 4] level offset, task, episode seed, level seed */
  get assign(): Slice {
    return { buffer: this.levels, offset: this.assignAt * 4, size: this.rows * 16 };
  }
  /** purpose of the draws, update, the seed of each replica, then from `shown` [S, B, T] action + 1 where it is not the policy's, else 0 */
  get roll(): Slice {
    return { buffer: this.levels, offset: this.rollAt * 4, size: this.levels.size - this.rollAt * 4 };
  }
  /** lengths as metrics of the policy read them */
  get own(): Slice {
    return this.ownLength ? whole(this.ownLength) : this.columns.length;
  }
  /** sections: log-probability, entropy, value, then what words need, then both values where there are two */
  get sampled(): Slice {
    return { buffer: this.draws, offset: 0, size: this.probsAt * 4 };
  }
  /** [S, B, T, decisions] Δ of each decided word in the last look */
  get wordDeltas(): Slice {
    const offset = 4 * 14 * this.S * this.steps;
    return { buffer: this.stats, offset, size: this.stats.size - offset };
  }
  /** [S, B, T, K] A of every unit, where they have their own */
  get unitCredit(): Slice {
    return { buffer: this.credit, offset: 4 * this.creditAt, size: this.credit.size - 4 * this.creditAt };
  }
  creditPart(k: 0 | 1): Slice {
    return this.columns[k === 0 ? 'credit' : 'target'];
  }

  free(): void {
    this.tokens?.free();
    this.reads.free();
    for (const buffer of this.all) this.gpu.free(buffer);
    this.all.length = 0;
  }
}
