import type { Gpu } from '../../gpu/device.ts';
import { squaresOf } from '../../gpu/norm.ts';
import { partsOf } from '../../gpu/sums.ts';
import { slicesOf } from '../../core/slices.ts';
import { keepsZ } from '../../gpu/products.ts';
import { sectionBytes, whole, type Slice } from '../../gpu/recorder.ts';
import { LIVE_WORDS } from '../../gpu/live.ts';
import { outputs, valuesOf } from '../../policies/network.ts';
import { rowsPerChunk } from '../../policies/transformer/chunk.ts';
import { comparesInLoss, isControlled, paysReference } from '../control.ts';
import { RUNNING } from '../cpu/runningReward.ts';
import { startsApart } from '../cpu/start.ts';
import { demonstrationsOf } from '../demonstrations.ts';
import { playsSeveral } from '../behaviour.ts';
import type { Plan } from '../plan.ts';
import { halfStoreOf, type HalfStore } from './halfStore.ts';
import { REPORT_SECTIONS, REPORT_WORDS } from './report.ts';
import type { Running } from './runningReward.ts';
import { TokenBuffers } from './tokenBuffers.ts';

/** STORAGE | COPY_SRC | COPY_DST, and UNIFORM: by value, because the global with the names exists only beside a GPU. */
const STORAGE = 0x80 | 0x04 | 0x08;
const UNIFORM = 0x40;

/** The policy that trains at the steps of a batch that another one played; sections as those of `draws`. */
export type SeenPolicy = {
  readonly buffer: GPUBuffer;
  readonly sampled: Slice;
  readonly probs: Slice;
  readonly entropy: Slice;
  /** from what played, in place of the values */
  readonly kl: Slice;
};

/** All arrays of a run on the GPU. Step arrays are [S, B, T]; several live as sections of one buffer. */
export class RunBuffers {
  readonly gpu: Gpu;
  readonly all: GPUBuffer[] = [];
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
  readonly reference: GPUBuffer;
  /** [S, B] lengths of the policy's own episodes, 0 for demonstrations; null where there are none */
  readonly ownLength: GPUBuffer | null;
  /** parameters that sampled the last batch */
  readonly sampledTheta: GPUBuffer;
  /** packed levels, then what each trajectory plays (`assign`), the draws of the rollout and its demonstrations (`roll`) */
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
  /** of gelu only: see keepsZ */
  readonly Z: GPUBuffer[];
  readonly H: GPUBuffer[];
  readonly dH: GPUBuffer[];
  /** null: all layers read floats */
  readonly halves: HalfStore | null;
  /** null: the policy is a chain of dense layers */
  readonly tokens: TokenBuffers | null;
  readonly out: GPUBuffer;
  readonly refOut: GPUBuffer | null;
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
  /** [S, B, n] outputs behind the last steps, by the version that played them; null where one plays all */
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
  readonly lastTheta: GPUBuffer;
  readonly lastGradient: GPUBuffer;
  readonly rowHash: GPUBuffer;
  readonly flags: GPUBuffer;
  /** words before a part: of `levels`, `result`, `draws` */
  readonly assignAt: number;
  readonly rollAt: number;
  /** words of `roll` before the demonstrated actions; 0: there are none */
  readonly shown: number;
  readonly endingAt: number;
  readonly finalKeyAt: number;
  readonly taskAt: number;
  readonly lengthAt: number;
  readonly turnAt: number;
  readonly headsAt: number;
  readonly probsAt: number;
  readonly values: 0 | 1 | 2;
  private readonly rows: number;
  private readonly S: number;
  private readonly steps: number;
  private readonly outputs: number;
  private readonly actions: number;

  constructor(gpu: Gpu, plan: Plan, levelWords: number) {
    this.gpu = gpu;
    const { S, B, T, env, obsWords, layout } = plan;
    const { policy } = plan;
    const N = B * T;
    // outputs of a step; commands pass through in chunks, only their words are kept
    const n = policy.kind === 'dense' ? outputs(policy.shape) : 0;
    const words = policy.kind === 'dense' ? 0 : policy.shape.grammar.decisions;
    const hidden = policy.kind === 'dense' ? policy.shape.hidden : [];
    const up = (x: number): number => Math.ceil(x / 64) * 64;
    this.S = S;
    this.rows = S * B;
    this.steps = N;
    this.outputs = n;
    this.actions = plan.actions;
    this.section = up(S * N);
    const make = (label: string, words: number, usage = STORAGE): GPUBuffer => {
      const buffer = gpu.buffer(label, words, usage);
      this.all.push(buffer);
      return buffer;
    };
    this.theta = make('weights', S * layout.size);
    this.m = make('weights', S * layout.size);
    this.v = make('weights', S * layout.size);
    this.gradient = make('weights', S * layout.size);
    this.partials = make('weights', policy.kind === 'dense' ? S * slicesOf(N, layout.size) * layout.size : 0);
    this.squares = make('weights', S * squaresOf(layout.size));
    this.reference = make('weights', S * layout.size);
    this.sampledTheta = make('weights', S * layout.size);
    this.assignAt = up(S * plan.P * levelWords);
    this.rollAt = this.assignAt + up(this.rows * 4);
    this.shown = demonstrationsOf(plan) > 0 ? 2 + S : 0;
    this.levels = make('levels', this.rollAt + 2 + S + (this.shown > 0 ? S * N : 0));
    this.ownLength = this.shown > 0 ? make('batch', this.rows) : null;
    this.state = make('batch', this.rows * (T + 1) * env.words);
    this.obs = make('batch', this.rows * (T + 1) * obsWords);
    this.choice = make('batch', (words > 0 ? 3 : 2) * this.section);
    this.endingAt = 3 * this.section;
    this.finalKeyAt = this.endingAt + up(this.rows * 4);
    this.taskAt = this.finalKeyAt + up(this.rows * 2);
    this.lengthAt = this.taskAt + up(this.rows);
    this.turnAt = this.lengthAt + up(this.rows);
    this.result = make('batch', this.turnAt + 2 * this.rows + S);
    this.reals = make('batch', this.section + up(this.rows));
    this.values = valuesOf(policy.shape);
    this.headsAt = (3 + 2 * words) * this.section;
    this.probsAt = this.headsAt + (this.values === 2 ? 2 * this.section : 0);
    this.draws = make('batch', this.probsAt + S * N * plan.actions);
    this.seen = startsApart(plan) ? this.seenIn(make('batch', this.probsAt + S * N * plan.actions)) : null;
    this.credit = make('credit', (2 + (plan.objective.survey ? Math.max(1, words) : 0)) * this.section);
    const keeps = policy.kind === 'dense' && keepsZ(policy.shape.activation);
    this.Z = keeps ? hidden.map((h) => make('activations', S * N * h)) : [];
    this.H = hidden.map((h) => make('activations', S * N * h));
    this.dH = hidden.map((h) => make('activations', S * N * h));
    this.halves = halfStoreOf(gpu, policy, S, N, (floats) => make('activations', floats));
    this.out = make('activations', S * N * n);
    this.dOut = make('activations', S * N * n);
    this.turnLast =
      playsSeveral(plan.behaviour) && plan.critic ? make('activations', this.rows * Math.max(1, n)) : null;
    const { control, live } = plan;
    const pays = paysReference(control, live);
    this.refOut = pays || comparesInLoss(control, live) ? make('activations', S * N * n) : null;
    this.running = plan.normalizesReward
      ? { known: make('credit', S * RUNNING), reward: make('batch', S * N), outcome: make('batch', this.rows) }
      : null;
    this.paid = pays ? { reward: make('batch', S * N), outcome: make('batch', this.rows) } : null;
    this.held = control.klStop > 0 ? make('weights', S * layout.size) : null;
    this.before = control.klPreview ? make('weights', S * layout.size) : null;
    this.stats = make('activations', S * N * (words > 0 ? 14 + words : 6));
    this.unitsAt = words > 0 ? 6 * S * N : 0;
    this.head = make('credit', S * N);
    this.next = make('credit', S * N);
    this.table = make('credit', 2 * S * N);
    this.plan = make('tasks', this.rows * 2);
    this.member = make('tasks', (plan.epochs + 1) * this.rows);
    this.live = make('tasks', LIVE_WORDS, STORAGE | UNIFORM);
    const looksApart = pays || control.klControl === 'safe' || control.klPreview;
    this.look = looksApart ? make('tasks', LIVE_WORDS, STORAGE | UNIFORM) : this.live;
    const steps = plan.epochs * plan.minibatches;
    this.rates = make('tasks', (isControlled(control) ? steps * S : Math.max(steps, S)) * 4);
    this.unit = plan.optimizer.direction ? { norms: make('tasks', 2 * S), rates: make('tasks', 4 * S) } : null;
    this.reportBuffer = make('report', REPORT_SECTIONS * (sectionBytes(S * REPORT_WORDS) / 4));
    this.parts = make('report', partsOf(S, B));
    this.rowSums = make('report', this.rows * 12);
    this.rowSum = make('report', this.rows);
    this.lastTheta = make('weights', S * layout.size);
    this.lastGradient = make('weights', S * layout.size);
    this.groups = make('report', S * plan.P * 4);
    this.rowHash = make('report', this.rows * 2);
    this.flags = make('report', S);
    this.tokens =
      policy.kind === 'transformer'
        ? new TokenBuffers(gpu, policy.shape, policy.layout, { S, B, T, R: rowsPerChunk(policy.shape) })
        : null;
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
  private seenIn(buffer: GPUBuffer): SeenPolicy {
    const [sampled, probs] = [this.sampled, this.probs].map((slice) => ({ ...slice, buffer }));
    const [entropy, kl] = [this.stepSection(buffer, 1), this.stepSection(buffer, 2)];
    return { buffer, sampled: sampled!, probs: probs!, entropy, kl };
  }
  private stepSection(buffer: GPUBuffer, k: number): Slice {
    return { buffer, offset: k * this.section * 4, size: this.section * 4 };
  }
  get reward(): Slice {
    return this.stepSection(this.reals, 0);
  }
  get outcome(): Slice {
    return { buffer: this.reals, offset: this.section * 4, size: this.rows * 4 };
  }
  /** rewards and returns as the estimator sees them */
  get judged(): { readonly reward: Slice; readonly outcome: Slice } {
    const { paid } = this;
    return paid ? { reward: whole(paid.reward), outcome: whole(paid.outcome) } : this.unpaid;
  }
  /** the same before they pay for the reference */
  get unpaid(): { readonly reward: Slice; readonly outcome: Slice } {
    const { running } = this;
    return running ? { reward: whole(running.reward), outcome: whole(running.outcome) } : this;
  }
  get milli(): Slice {
    return this.stepSection(this.result, 0);
  }
  get key(): Slice {
    return { buffer: this.result, offset: this.section * 4, size: 2 * this.section * 4 };
  }
  get ending(): Slice {
    return { buffer: this.result, offset: this.endingAt * 4, size: this.rows * 16 };
  }
  get finalKey(): Slice {
    return { buffer: this.result, offset: this.finalKeyAt * 4, size: this.rows * 8 };
  }
  get taskIndex(): Slice {
    return { buffer: this.result, offset: this.taskAt * 4, size: this.rows * 4 };
  }
  get length(): Slice {
    return { buffer: this.result, offset: this.lengthAt * 4, size: this.rows * 4 };
  }
  /** [S, B, 2] first step of the turn of each trajectory and the step behind its last, then [S] place of the version */
  get turns(): Slice {
    return { buffer: this.result, offset: this.turnAt * 4, size: (2 * this.rows + this.S) * 4 };
  }
  /** [S, B, 4] level offset, task, episode seed, level seed */
  get assign(): Slice {
    return { buffer: this.levels, offset: this.assignAt * 4, size: this.rows * 16 };
  }
  /** purpose of the draws, update, the seed of each replica, then from `shown` [S, B, T] demonstrated action + 1 or 0 */
  get roll(): Slice {
    return { buffer: this.levels, offset: this.rollAt * 4, size: this.levels.size - this.rollAt * 4 };
  }
  /** lengths as metrics of the policy read them */
  get own(): Slice {
    return this.ownLength ? whole(this.ownLength) : this.length;
  }
  /** sections: log-probability, entropy, value, then what words need, then both values where there are two */
  get sampled(): Slice {
    return { buffer: this.draws, offset: 0, size: this.probsAt * 4 };
  }
  /** [S, B, T, actions] */
  get probs(): Slice {
    return { buffer: this.draws, offset: this.probsAt * 4, size: this.steps * this.S * this.actions * 4 };
  }
  get action(): Slice {
    return this.stepSection(this.choice, 1);
  }
  /** [S, B, T] written commands, one token a byte */
  get command(): Slice {
    return this.stepSection(this.choice, 2);
  }
  /** [S, B, T, decisions] log-probability (0) or entropy (1) of each decided word */
  unitPart(k: 0 | 1, decisions: number): Slice {
    const { offset } = this.stepSection(this.draws, 3 + k * decisions);
    return { buffer: this.draws, offset, size: decisions * this.section * 4 };
  }
  /** [S, B, T, decisions] Δ of each decided word in the last look */
  get wordDeltas(): Slice {
    const offset = 4 * 14 * this.S * this.steps;
    return { buffer: this.stats, offset, size: this.stats.size - offset };
  }
  sampledPart(k: 0 | 1 | 2): Slice {
    return this.stepSection(this.draws, k);
  }
  /** one of two values of every step */
  valueHead(h: 0 | 1): Slice {
    return { buffer: this.draws, offset: 4 * (this.headsAt + h * this.section), size: this.section * 4 };
  }
  creditPart(k: 0 | 1): Slice {
    return this.stepSection(this.credit, k);
  }

  free(): void {
    this.tokens?.free();
    for (const buffer of this.all) this.gpu.free(buffer);
    this.all.length = 0;
  }
}
