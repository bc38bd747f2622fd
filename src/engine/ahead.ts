import { makeArrays, type Arrays } from './arrays.ts';
import { makeCpuPolicy, type CpuPolicy } from './cpu/policy.ts';
import type { Plan } from './plan.ts';
import { sourceContext } from './plannedRows.ts';

/** What answers for a plan: one row per task of a batch, which stands where it begins. */
type Answering = { readonly plan: Plan; readonly arrays: Arrays; readonly policy: CpuPolicy };
const answering = new WeakMap<Plan, Answering>();

function answeringOf(plan: Plan): Answering {
  let found = answering.get(plan);
  if (!found) {
    const rows: Plan = { ...plan, S: 1, B: plan.P, G: 1, scheme: null };
    answering.set(plan, (found = { plan: rows, arrays: makeArrays(rows), policy: makeCpuPolicy(rows) }));
  }
  return found;
}

/**
 * [S, P] V(s₀) of the levels that the source of each replica asks about before an update, with the weights it begins with.
 * Always by the definitions in TypeScript, on WebGPU too: P states are few. Nothing is blanked or hinted in these states.
 */
export function aheadOf(plan: Plan, update: number, theta: Float32Array): Float64Array {
  const { plan: rows, arrays, policy } = answeringOf(plan);
  const { S, P, T, env, obsWords, layout, source, sourceParams } = plan;
  const result = new Float64Array(S * P);
  for (let s = 0; s < S; s++) {
    const levels = source.ahead!(sourceContext(plan, plan.seeds[s]!, update), sourceParams);
    // an episode that has not begun ends where it starts
    arrays.length.fill(0);
    levels.forEach((levelSeed, p) => {
      const level = plan.level(levelSeed);
      env.reset(level, arrays.state, p * (T + 1) * env.words);
      env.observe(level, arrays.state, p * (T + 1) * env.words, arrays.obs, p * (T + 1) * obsWords);
    });
    // a copy, so that no memory of an earlier update is taken for one of these weights
    const own = theta.slice(s * layout.size, (s + 1) * layout.size);
    for (let first = 0; first < rows.B; first += policy.chunk)
      policy.finalValues(arrays, own, 0, first, Math.min(policy.chunk, rows.B - first));
    result.set(arrays.valueFinal, s * P);
  }
  return result;
}
