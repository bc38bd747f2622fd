import type { ReceivedGroup } from '../../contract/peers.ts';
import type { TrainState } from '../../contract/state.ts';
import { prepareTask } from '../../config/level.ts';
import { configWith } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import type { Backend, BatchView, Live, UpdateRecord } from '../backend.ts';
import { makePlan, makeTasks, type Chosen, type Plan, type RolloutMode } from '../plan.ts';
import { makeCpuBackend } from './cpuBackend.ts';

/** What one update is made of: the calls on the backend, in order, in a form that travels. */
export type Call =
  | {
      readonly slot: 'rollout';
      readonly update: number;
      readonly mode: RolloutMode;
      readonly chosen?: Chosen | undefined;
      readonly received?: readonly ReceivedGroup[] | undefined;
    }
  | { readonly slot: 'credit'; readonly live: Live | undefined }
  | { readonly slot: 'optimize'; readonly update: number; readonly live: Live };

export type ShareRecord = { readonly record: UpdateRecord; readonly memory: Readonly<Record<string, number>> };

/** Some replicas of a run, worked on somewhere else. Calls are answered in order. */
export interface Share {
  /** Config of these replicas alone: as many seeds as they are, the first seed theirs. */
  open(config: Config, state: TrainState): Promise<void>;
  load(state: TrainState): Promise<void>;
  update(calls: readonly Call[], update: number): Promise<ShareRecord>;
  view(replica: number): Promise<BatchView>;
  save(): Promise<TrainState>;
  close(): Promise<void>;
}

/** Config of replicas from … from + count of a run: the same experiment with fewer seeds. */
export function configOfShare(plan: Plan, from: number, count: number): Config {
  return configWith({ 'run.seeds': count, 'run.seed': plan.seeds[from]! }, plan.config);
}

/** The other end: a CPU backend that does what it is told, and answers between two calls when asked whether it lives. */
export class CpuShare implements Share {
  private plan: Plan | null = null;
  private backend: Backend | null = null;

  async ping(): Promise<void> {}

  async open(config: Config, state: TrainState): Promise<void> {
    await this.close();
    await prepareTask(config);
    const plan = makePlan(config);
    if (!plan.ok) throw new Error('The plan of a run could not be made again for a part of its seeds.');
    this.plan = plan.value;
    this.backend = await makeCpuBackend(plan.value, state);
  }

  async load(state: TrainState): Promise<void> {
    this.backend!.load(state);
  }

  async update(calls: readonly Call[], update: number): Promise<ShareRecord> {
    const backend = this.backend!;
    for (const call of calls) {
      if (call.slot === 'rollout') {
        const { update: u, mode, chosen, received } = call;
        await backend.rollout({ ...makeTasks(this.plan!, u, mode, chosen), received }, mode);
      } else if (call.slot === 'credit') await backend.credit(call.live);
      else await backend.optimize(call.update, call.live);
    }
    return { record: await backend.finish(update), memory: backend.memory() };
  }

  view(replica: number): Promise<BatchView> {
    return this.backend!.view(replica);
  }

  save(): Promise<TrainState> {
    return this.backend!.save();
  }

  async close(): Promise<void> {
    this.backend?.dispose();
    this.backend = null;
  }
}
