import { mean } from '../../core/stats.ts';
import { makeArrays } from '../../engine/arrays.ts';
import { makeCpuPolicy } from '../../engine/cpu/policy.ts';
import { restricted } from '../../engine/cpu/restricted.ts';
import { rolloutReplica } from '../../engine/cpu/rollout.ts';
import { noExactReason } from '../../engine/exactValues.ts';
import { panelLevels, type Plan } from '../../engine/plan.ts';
import type { LookaheadSettings } from '../analysis/lookahead.ts';
import { panelTasks } from '../panel.ts';
import { Tables } from './levelTable.ts';
import { playAhead, type Played } from './play.ts';
import { StateJudges, whyNoLookahead } from './stateJudges.ts';

/** Levels that are played, and episodes on each where chance decides something. */
const LEVELS = 16;
const EPISODES = 8;

export type AheadRequest = LookaheadSettings;

export type AheadResult = {
  readonly request: AheadRequest;
  readonly levels: number;
  /** success is a probability, not a share of episodes */
  readonly isExact: boolean;
  /** success of the policy as it samples; of its likeliest actions, where that is exact */
  readonly policy: number;
  readonly likeliest: number | null;
  /** [depth] success with 1, 2, … steps of lookahead */
  readonly success: readonly number[];
  /** [depth] mean number of states that a decision looked at; null where all states were looked at at once */
  readonly held: readonly number[] | null;
  /** share of decisions that had to look less far, because too many states followed */
  readonly shrunk: number;
};

/** Success with 1 … D steps of lookahead, on fixed levels; or the sentence of why there is none. Yields the share done. */
export function* measureLookahead(
  plan: Plan,
  replica: number,
  { theta, restriction }: { readonly theta: Float32Array; readonly restriction?: Float32Array | undefined },
  request: AheadRequest,
): Generator<number, AheadResult | string> {
  const why = whyNoLookahead(plan, request);
  if (why !== null) return why;
  const judges = new StateJudges(plan, theta, restriction, request.leaf);
  const seeds = panelLevels(plan, replica, LEVELS);
  for (const seed of seeds) {
    const cannot = judges.whyNot(plan.level(seed));
    if (cannot !== null) return cannot;
  }
  const tables = new Tables(plan, judges, request);
  const isExact = noExactReason(plan) === null && seeds.every((seed) => tables.fits(seed));
  const D = request.depth;
  const success = Array.from({ length: D }, (): number[] => []);
  const held = Array.from({ length: D }, (): number[] => []);
  const own: number[] = [];
  const likeliest: number[] = [];
  let [shrunk, decisions] = [0, 0];
  for (const [k, seed] of seeds.entries()) {
    if (isExact) {
      const table = tables.of(seed);
      own.push(table.chances(() => table.probs)[0]!);
      likeliest.push(table.chances(() => table.likeliest)[0]!);
      for (let d = 1; d <= D; d++) {
        success[d - 1]!.push(table.chancesWith(d)[0]!);
        yield (k + d / D) / seeds.length;
      }
      continue;
    }
    for (let d = 1; d <= D; d++) {
      const n = plan.env.chances(plan.level(seed)) > 1 ? EPISODES : 1;
      const played: Played[] = [];
      for (let e = 0; e < n; e++) {
        played.push(playAhead(plan, judges, { ...request, depth: d }, { replica, seed, episode: e }));
        yield (k + (d - 1 + (e + 1) / n) / D) / (seeds.length + 1);
      }
      success[d - 1]!.push(mean(played.map((x) => x.success)));
      held[d - 1]!.push(...played.map((x) => x.held / x.decisions));
      for (const x of played) [shrunk, decisions] = [shrunk + x.shrunk, decisions + x.decisions];
    }
  }
  if (!isExact) own.push(...sampledSuccess(plan, replica, seeds, theta, restriction));
  return {
    ...{ request, levels: seeds.length, isExact, policy: mean(own) },
    likeliest: isExact ? mean(likeliest) : null,
    success: success.map(mean),
    held: isExact ? null : held.map(mean),
    shrunk: decisions > 0 ? shrunk / decisions : 0,
  };
}

/** Share of sampled episodes that succeed, without any lookahead, level by level. */
function sampledSuccess(
  run: Plan,
  replica: number,
  levelSeeds: readonly number[],
  theta: Float32Array,
  restriction: Float32Array | undefined,
): number[] {
  const P = levelSeeds.length;
  const seeds = run.seeds.slice(replica, replica + 1);
  const plan: Plan = { ...run, S: 1, P, G: EPISODES, B: P * EPISODES, seeds };
  const arrays = makeArrays(plan);
  const policy = restricted(plan, makeCpuPolicy(plan), restriction);
  rolloutReplica(plan, arrays, { policy, theta, tasks: panelTasks(plan, levelSeeds, 0), mode: 'panel' }, 0);
  return Array.from({ length: P }, (_, p) => mean(arrays.success.subarray(p * EPISODES, (p + 1) * EPISODES)));
}
