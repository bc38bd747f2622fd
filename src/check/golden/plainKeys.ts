import type { Batch } from '../../contract/columns.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { hbpo as hbpoCredit } from '../../slots/advantage/hbpo.ts';
import { returnsToGo } from '../../core/batch.ts';
import { aboveStep } from '../../slots/advantage/aboveStep.ts';
import { stepSamples } from '../../slots/advantage/stepSamples.ts';
import { carl } from '../../slots/reward/carl.ts';
import { eapo } from '../../slots/reward/eapo.ts';
import { hbpo } from '../../slots/reward/hbpo.ts';
import { climb } from '../../slots/reward/ladder.ts';
import { coverage } from '../../contract/coverage.ts';
import { subpo } from '../../slots/reward/subpo.ts';
import type { RewardModule } from '../../slots/reward/types.ts';
import type { Got } from '../conformance/check.ts';
import { list, type Fields } from '../conformance/shape.ts';
import type { RewardCase } from './rewardCase.ts';

/** Parameters of a case that the keys below read. */
export const PLAIN_NEEDS: { readonly [key: string]: readonly string[] } = {
  ...{ carl: ['carlPenalty'], eapo: ['eapoGamma'], ladder: [] },
  subpo: [],
  hbpo: ['hbpoAlpha', 'hbpoBeta'],
};

const steps = list('B', 'T');
/** Inputs of a case that the keys below read, beside those of every case. */
export const PLAIN_INPUTS: { readonly [key: string]: Fields } = {
  carl: {
    hardEvent: steps,
    softPenalty: list('B', 'T', 2),
    completion: (x, of) => list(Number(of['B']) * (Number(of['T']) + 1))(x, of),
  },
  hbpo: { budget: list('B') },
  ladder: { stream: list('B', 3), streamWeight: list(3), streamThreshold: list(3) },
};
type More = { readonly [name in 'completion' | 'hardEvent' | 'softPenalty' | 'budget']: readonly number[] } & {
  readonly [name in 'stream' | 'streamWeight' | 'streamThreshold']: readonly number[];
};

/** Keys of rewards that are functions of a finished episode, each computed by what pays in a run. */
export function plainKeys(
  { params, inputs }: RewardCase,
  batch: Batch,
  paid: (batch: Batch, module: RewardModule, params: AnyValues) => Batch,
): { readonly [key: string]: () => Got } {
  const more = inputs as RewardCase['inputs'] & More;
  return {
    ladder() {
      const rungs = more.streamWeight.map((weight, j) => ({ weight, least: more.streamThreshold[j]! }));
      const rows = Array.from(batch.length, (_, i) => climb(more.stream.slice(3 * i, 3 * i + 3), rungs));
      return { total: rows.map(({ total }) => total), opened: rows.map(({ opened }) => opened) };
    },
    carl() {
      const told = {
        ...batch,
        completion: Float32Array.from(more.completion),
        softPenalty: Float32Array.from(more.softPenalty),
        hardEvent: Float32Array.from(more.hardEvent),
      };
      const { reward, outcome } = paid(told, carl, { ...defaultsOf(carl.params), penalty: params['carlPenalty']! });
      return { reward, outcome };
    },
    hbpo() {
      const { B, T, length } = batch;
      const told = { ...batch, budget: Float32Array.from(more.budget), budgetReward: new Float32Array(B) };
      // a case gives α by the step
      const values = { beta: params['hbpoBeta']!, alpha: params['hbpoAlpha']! * T, clamp: false };
      const after = paid(told, hbpo, values);
      const { A, parts } = hbpoCredit.run(after, {});
      const first = (x: Float32Array): Float32Array => Float32Array.from(length, (_, i) => x[i * T]!);
      return { reward: after.outcome, intra: first(parts!['intra']!), inter: first(parts!['inter']!), total: first(A) };
    },
    subpo() {
      const { B, T, length, stateKey, finalStateKey } = batch;
      const { cover, cellWeight } = inputs as unknown as { cover: Record<string, number[]>; cellWeight: number[] };
      const told = { ...batch, covered: new Float32Array(B * (T + 1)), cover: new Float32Array(B * (T + 1)) };
      const name = (keys: Uint32Array, k: number): string =>
        String((BigInt(keys[2 * k]!) << 32n) | BigInt(keys[2 * k + 1]!));
      for (let i = 0; i < B; i++) {
        const n = length[i]!;
        const keyAt = (t: number): string => (t < n ? name(stateKey, i * T + t) : name(finalStateKey, i));
        const { covered, own } = coverage(
          n,
          (t, add) => cover[keyAt(t)]!.forEach(add),
          (item) => cellWeight[item]!,
        );
        told.covered.set(covered, i * (T + 1));
        told.cover.set(own, i * (T + 1));
      }
      const of = (pays: string): Batch => paid(told, subpo, { pays, radius: 1, w: 1 });
      const gain = of('gain');
      return {
        ...{ gain: gain.reward, prefix: of('prefix').reward },
        value: Float32Array.from(length, (n, i) => told.covered[i * (T + 1) + n]!),
        // a case counts the state at the start, too
        modular: of('modular').outcome.map((sum, i) => sum + told.cover[i * (T + 1)]!),
        ...{ returns: returnsToGo(gain, 1), adv: aboveStep.run(gain, { gamma: 1 }).A },
      };
    },
    eapo() {
      const after = paid(batch, eapo, { gamma: params['eapoGamma']! });
      return { reward: after.reward, adv: stepSamples.run(after, {}).A };
    },
  };
}
