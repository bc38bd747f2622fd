import { tensorsOf, type Tensors } from '../../../contract/state.ts';
import { utteranceCritics } from '../../advantage/hierarchy/archer.ts';
import { RewardNet, type Input } from '../../reward/learned/net.ts';
import { CRITICS } from './twinState.ts';

/** A replayed step, and an action that the policy of now drew in its state. */
export type ReplayedStep = {
  readonly seen: Input;
  readonly next: Input;
  readonly action: number;
  readonly fresh: number;
  readonly reward: number;
  /** the world ended the episode with it */
  readonly isLast: boolean;
};

/** Two critics Q and V over whole actions and their slow copies, as `utteranceCritics` says what they learn. */
export class TwinCritics {
  private readonly memory: Tensors;
  private readonly learned: readonly RewardNet[];
  private readonly slow: readonly RewardNet[];

  constructor(memory: Tensors) {
    this.memory = memory;
    // each begins differently, and its copy like it
    this.learned = CRITICS.map((name, k) => new RewardNet(tensorsOf(memory, name), k + 1));
    this.slow = CRITICS.map((name, k) => new RewardNet(tensorsOf(memory, `${name}Slow`), k + 1));
  }

  private both(of: readonly RewardNet[], kind: 'q' | 'v', seen: Input, action = -1): [number, number] {
    const at = kind === 'q' ? 0 : 2;
    return [of[at]!.of(seen, action), of[at + 1]!.of(seen, action)];
  }

  /** A of the fresh actions: the smaller Q less the smaller V. */
  advantages(steps: readonly ReplayedStep[]): Float32Array {
    const { learned } = this;
    const q = steps.flatMap(({ seen, fresh }) => this.both(learned, 'q', seen, fresh));
    const v = steps.flatMap(({ seen }) => this.both(learned, 'v', seen));
    return this.of(steps, { q, v, qFresh: q, vSlow: new Float32Array(4 * steps.length) }, 0).adv;
  }

  /** One step of all four critics towards their targets, after which the copies follow; the mean squared error of Q before. */
  learn(
    steps: readonly ReplayedStep[],
    { gamma, tau, rate }: { readonly gamma: number; readonly tau: number; readonly rate: number },
  ): number {
    const { learned, slow } = this;
    const n = steps.length;
    const qFresh = steps.flatMap(({ seen, fresh }) => this.both(slow, 'q', seen, fresh));
    const vSlow = steps.flatMap(({ next }) => [0, 0, ...this.both(slow, 'v', next)]);
    const { qTarget, vTarget } = this.of(steps, { q: qFresh, v: qFresh, qFresh, vSlow }, gamma);
    let squares = 0;
    steps.forEach(({ seen, action }, k) => {
      for (let h = 0; h < 2; h++) {
        const missing = learned[h]!.of(seen, action) - qTarget[2 * k + h]!;
        squares += (missing * missing) / (2 * n);
        learned[h]!.addGradient(seen, (2 * missing) / n, action);
        const [v, target] = [learned[2 + h]!, vTarget[2 * k + h]!];
        v.addGradient(seen, (2 * (v.of(seen) - target)) / n);
      }
    });
    for (const net of learned) net.step(rate);
    for (const name of CRITICS) this.follow(name, tau);
    return squares;
  }

  /** The definition over these steps, each a row of one. */
  private of(
    steps: readonly ReplayedStep[],
    values: Record<'q' | 'v' | 'qFresh' | 'vSlow', ArrayLike<number>>,
    gamma: number,
  ): ReturnType<typeof utteranceCritics> {
    const B = steps.length;
    const terminated = steps.map(({ isLast }) => Number(isLast));
    const reward = steps.map((step) => step.reward);
    return utteranceCritics({ B, T: 1, length: new Uint8Array(B).fill(1), terminated, reward, ...values }, gamma);
  }

  private follow(name: (typeof CRITICS)[number], tau: number): void {
    for (const part of ['weights', 'rest']) {
      const [to, of] = [this.memory[`${name}Slow.${part}`]!, this.memory[`${name}.${part}`]!];
      for (let k = 0; k < to.length; k++) if (to[k] !== of[k]) to[k]! += tau * (of[k]! - to[k]!);
    }
  }
}
