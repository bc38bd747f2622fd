import { blockUntilReady, defaultDevice, jit, lax, nn, numpy as np, random, tree, valueAndGrad } from '@jax-js/jax';
import type { TableWorld } from '../world.ts';
import type { Contender } from '../types.ts';
import { adamStep, momentsOf, startJax, type JaxDevice, type Moments, type Params } from './jax.ts';

/**
 * The update of the lab written with jax-js, as its users would: the world as tables, all episodes step by step in one
 * jitted function, observations gathered as dense one-hot rows, group-normalized credit, the clipped objective, the norm
 * limit and Adam in a second one. Nothing is read back in between.
 */

const EPS = 0.2;
const CLIP_NORM = 1;

/** What a step leaves behind, [B] each. */
type Seen = { s: np.Array; a: np.Array; logp: np.Array; r: np.Array };

const ints = (values: Int32Array<ArrayBuffer>, device: JaxDevice): np.Array => np.array(values, { device });

function logits({ w1, b1, w2, b2 }: Params, X: np.Array): np.Array {
  return np.matmul(np.tanh(np.matmul(X, w1).add(b1)), w2).add(b2);
}

/** Log-probability of the taken actions. */
function logpOf(params: Params, X: np.Array, a: np.Array, actions: number): np.Array {
  return nn.logSoftmax(logits(params, X)).mul(nn.oneHot(a, actions)).sum(-1);
}

export async function jaxUpdate(
  device: JaxDevice,
  world: TableWorld,
  groups: number,
  groupSize: number,
  rates: { readonly learning: number; readonly timed: number },
  checkUpdates: number,
): Promise<Contender> {
  await startJax(device);
  const { states, actions, features, T } = world;
  const B = groups * groupSize;
  const looks = np.array(world.looks as Float32Array<ArrayBuffer>, { shape: [states + 1, features], device });
  const next = ints(world.next as Int32Array<ArrayBuffer>, device);
  const rewards = np.array(world.reward as Float32Array<ArrayBuffer>, { device });

  const step = jit((p: Params, s: np.Array, key: np.Array, tables: np.Array[]): [Seen, np.Array, np.Array] => {
    const [look, to, pay] = tables as [np.Array, np.Array, np.Array];
    const z = logits(p, np.take(look, s.ref, 0));
    const a = random.categorical(key.ref, z.ref) as np.Array;
    const logp = nn.logSoftmax(z).mul(nn.oneHot(a.ref, actions)).sum(-1);
    const at = s.ref.mul(actions).add(a.ref);
    const seen = { s, a, logp, r: np.take(pay, at.ref) };
    return [seen, np.take(to, at), key.add(np.array(Uint32Array.of(0, 1), { device }))];
  });

  const learn = jit(
    (state: Moments, seen: Seen[], look: np.Array, c1: np.Array, c2: np.Array, rate: np.Array): Moments => {
      const flat = (pick: (x: Seen) => np.Array): np.Array => np.concatenate(seen.map(pick));
      const [s, a, old, r] = [flat((x) => x.s), flat((x) => x.a), flat((x) => x.logp), flat((x) => x.r)];
      const R = r.reshape([T, groups, groupSize]).sum(0);
      const mean = np.mean(R.ref, 1, { keepdims: true });
      const std = np.std(R.ref, 1, { correction: 1, keepdims: true });
      const A = np.tile(R.sub(mean).div(std.add(1e-6)).reshape([B]), T);
      const mask = s.ref.less(states).astype(np.float32);
      const loss = (p: Params, X: np.Array, a_: np.Array, old_: np.Array, A_: np.Array, mask_: np.Array): np.Array => {
        const ratio = np.exp(logpOf(p, X, a_, actions).sub(old_));
        const clipped = np.clip(ratio.ref, 1 - EPS, 1 + EPS).mul(A_.ref);
        const gain = np.minimum(ratio.mul(A_), clipped);
        return gain.mul(mask_.ref).sum().div(mask_.sum()).neg();
      };
      const [L, g] = valueAndGrad(loss)(tree.ref(state.p), np.take(look, s, 0), a, lax.stopGradient(old), A, mask);
      L.dispose();
      const gradient = g as Params;
      const norm = np.sqrt(
        Object.values(gradient)
          .map((x) => np.square(x.ref).sum())
          .reduce((x, y) => x.add(y)),
      );
      const factor = np.minimum(np.array(CLIP_NORM, { device }).div(norm.add(1e-6)), 1);
      const short = tree.map((x: np.Array) => x.mul(factor.ref), gradient) as Params;
      factor.dispose();
      return adamStep(state, short, rate, c1, c2);
    },
  );

  const scalar = (x: number): np.Array => np.array(Float32Array.of(x), { shape: [], device });
  const trainer = (
    learningRate: number,
  ): { update(): void; state(): Moments; wins(): Promise<number>; free(): void } => {
    let state = momentsOf(world.start, device);
    let key = np.array(Uint32Array.of(1, 0), { device });
    let n = 0;
    let last: np.Array | null = null;
    return {
      state: () => state,
      update() {
        n++;
        let s = ints(new Int32Array(B), device);
        const seen: Seen[] = [];
        for (let t = 0; t < T; t++) {
          const [now, to, k] = step(tree.ref(state.p), s, key, [looks.ref, next.ref, rewards.ref]) as [
            Seen,
            np.Array,
            np.Array,
          ];
          seen.push(now);
          [s, key] = [to, k];
        }
        last?.dispose();
        last = s;
        state = learn(
          state,
          seen,
          looks.ref,
          scalar(1 - 0.9 ** n),
          scalar(1 - 0.999 ** n),
          scalar(learningRate),
        ) as Moments;
      },
      // an episode that has ended before the limit has won: the world ends in nothing else
      async wins() {
        const ended = [...((await last!.ref.data()) as Int32Array)].filter((s) => s === states);
        return ended.length / B;
      },
      free() {
        tree.dispose(state);
        key.dispose();
        last?.dispose();
      },
    };
  };
  const timed = trainer(rates.timed);
  return {
    name: `jax-js ${device}`,
    async run(times) {
      defaultDevice(device);
      for (let k = 0; k < times; k++) timed.update();
      await blockUntilReady(timed.state());
    },
    async check() {
      const learning = trainer(rates.learning);
      for (let k = 0; k < checkUpdates; k++) {
        learning.update();
        await blockUntilReady(learning.state());
      }
      const share = await learning.wins();
      learning.free();
      return Float32Array.of(share);
    },
    dispose() {
      timed.free();
      for (const array of [looks, next, rewards]) array.dispose();
      step.dispose();
      learn.dispose();
    },
  };
}
