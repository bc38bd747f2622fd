import { PURPOSE, random } from '../../core/random.ts';
import type { RowPlan } from '../../contract/rows.ts';
import type { Gpu } from '../../gpu/device.ts';
import type { CommandList } from '../../gpu/recorder.ts';
import { growTreesWith, placeRows } from '../../gpu/shaders/forkKernels.ts';
import type { Growth } from '../../slots/rollout/types.ts';
import { wordsOf } from '../../networks/policy.ts';
import { revisesOnCpu } from '../creditRevision.ts';
import { keepsChance, placeTask, sourceRows } from '../plannedRows.ts';
import type { Plan, Tasks } from '../plan.ts';
import { sideOfPlan } from '../sideEpisodes.ts';
import type { RunBuffers } from './buffers.ts';
import type { GivenRows } from './givenRows.ts';
import { shapes } from './shapesOnGpu.ts';
import { linkedWorld } from './worldList.ts';

const STORAGE = 0x80 | 0x04 | 0x08;
/** A slot that begins when all others are over, where its parent would stand. */
const LATE = 0xffffffff;
/** Words before the slots of a tree, and of a slot: see growTrees.wgsl. */
const [HEAD, SLOT] = [4, 4];

/** The rule by which the device grows the trees of a run, and where ways part in its world. */
export type GrowthOnGpu = { readonly rule: Growth; readonly junction: string | undefined };

/** Null where rows have to be known on the CPU before the end of an update, or the device does not know how they come about. */
export async function growthOf(plan: Plan): Promise<GrowthOnGpu | null> {
  const { scheme, behavior, source, estimator, revisions, objective, minibatches } = plan;
  const rule = scheme?.growth;
  if (!rule) return null;
  const reads =
    !estimator.gpu || revisesOnCpu(revisions) || objective.survey !== undefined || shapes(plan) || sideOfPlan(plan);
  // a minibatch of groups, and what several versions play, is known by rows
  const asks = behavior.several || source.starts || (minibatches > 1 && objective.wholeGroups);
  if (reads || asks || wordsOf(plan.policy) || estimator.needs.includes('answerProb')) return null;
  if (rule.eligible !== 'junction') return { rule, junction: undefined };
  const { junction } = await plan.bareEnv.gpu!.wgsl();
  return junction && plan.env === plan.bareEnv ? { rule, junction } : null;
}

/** Trees of episodes that grow on the device: it decides about forks, and gives rows of the batch to them. */
export class GpuTrees {
  /** phases after the first at most: each plays at least one row of a task that is not full */
  readonly phases: number;
  private readonly gpu: Gpu;
  private readonly plan: Plan;
  private readonly b: RunBuffers;
  private readonly growth: GrowthOnGpu;
  private readonly forks: GPUBuffer;
  private readonly trees: GPUBuffer;
  private readonly state: GPUBuffer;

  constructor(gpu: Gpu, plan: Plan, b: RunBuffers, growth: GrowthOnGpu, forks: GPUBuffer) {
    const { S, P, G, env } = plan;
    this.gpu = gpu;
    this.plan = plan;
    this.b = b;
    this.growth = growth;
    this.forks = forks;
    this.phases = G - sourceRows(plan) / P;
    this.trees = gpu.buffer('tasks', S * P * this.words, STORAGE);
    this.state = gpu.buffer('tasks', S * P * env.words, STORAGE);
    b.all.push(this.trees, this.state);
  }

  /** Words of a tree. */
  private get words(): number {
    return HEAD + SLOT * this.plan.G;
  }

  /** Adds what finds the rows of the next phase. */
  async addTo(list: CommandList): Promise<void> {
    const { plan, b, forks, trees, state } = this;
    const { S, B, T, P, G, env, actions } = plan;
    const { rule, junction } = this.growth;
    const { alpha, beta, penalty, tau, balance, beam, starts } = rule;
    const { levels, result, assignAt } = b;
    const { legal, stateKey: key, length, entropy } = b.columns;
    const dims = {
      ...{ S, B, T, P, G, words: env.words, actions, assignAt, rollAt: b.rollAt, branch: PURPOSE.branch },
      ...{ starts, beam, alpha, beta, penalty, tau, balance, scale: Math.log(actions) },
      ...{ mode: Number(rule.mode === 'threshold'), eligible: ['all', 'newState', 'junction'].indexOf(rule.eligible) },
      ...{ byTask: Number(rule.scope === 'task'), ahead: Number(rule.forkPoint === 'after') },
    };
    const grow = growTreesWith(await linkedWorld(plan), junction);
    const played = b.batch.of('state');
    const groups = [Math.ceil((S * P) / 64)] as const;
    await list.add(grow, { levels, played, legal, key, length, entropy, state, trees }, dims, groups);
    const keeps = Number(keepsChance(plan, false)) + 2 * Number(keepsChance(plan, true));
    const sizes = { B, T, P, G, sources: sourceRows(plan), assignAt, turnAt: b.batch.at('turns'), keeps };
    await list.add(placeRows, { trees, levels, result, forks }, sizes, [1, 1, S]);
  }

  /** Before the rows of the task source are put: seeds of those that are added. */
  seed({ episodeSeed, update }: Tasks): void {
    const { S, B, seeds } = this.plan;
    for (let s = 0; s < S; s++)
      for (let i = sourceRows(this.plan); i < B; i++)
        episodeSeed[s * B + i] = random(seeds[s]!, PURPOSE.episodeSeed, update, i, 0);
  }

  /** Plants the rows of the task source. */
  plant({ taskIndex }: Tasks): void {
    const { plan, words, trees } = this;
    const { S, B, P } = plan;
    const all = new Uint32Array(S * P * words);
    for (let s = 0; s < S; s++)
      for (let i = 0; i < sourceRows(plan); i++) {
        const at = (s * P + taskIndex[s * B + i]!) * words;
        all[at + HEAD + SLOT * all[at + 1]!++] = i;
        all[at + 2]!++;
      }
    this.gpu.device.queue.writeBuffer(trees, 0, all);
  }

  /** Reads back which rows the batch has, where the CPU keeps them. */
  async settle(tasks: Tasks, given: GivenRows): Promise<void> {
    const { plan, words, trees } = this;
    const { S, B, P } = plan;
    const all = new Uint32Array(await this.b.reads.of({ buffer: trees, offset: 0, size: trees.size }));
    for (let s = 0; s < S; s++) {
      const rows = new Map<number, RowPlan>();
      for (let task = 0; task < P; task++) {
        const at = (s * P + task) * words;
        const slotAt = (slot: number): number => at + HEAD + SLOT * slot;
        for (let slot = 0; slot < all[at + 2]!; slot++) {
          const [row, parent, branchStep] = all.subarray(slotAt(slot)) as unknown as [number, number, number];
          if (parent === LATE) rows.set(row, { task, origin: 'late' });
          else if (parent === 0) rows.set(row, { task, origin: 'own' });
          else rows.set(row, { task, origin: 'fork', parent: all[slotAt(parent - 1)]!, branchStep });
        }
      }
      for (let i = sourceRows(plan); i < B; i++) {
        const row = rows.get(i);
        if (!row) throw new Error(`Row ${i} of the batch is of no tree.`);
        placeTask(plan, tasks, s, i, { row, count: i });
        given.branch(s * B + i, { parent: row.parent ?? -1, branchStep: row.branchStep ?? 0 });
        given.add([row], s, i);
      }
    }
  }
}
