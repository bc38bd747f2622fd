import { replicasOf, thetaOf } from '../contract/state.ts';
import { seenBy } from '../engine/past.ts';
import { restrictionAfter } from '../engine/restriction.ts';
import type { Run } from '../engine/run.ts';
import { measureStops, type StopsResult } from '../lab/stops.ts';
import { mayGoOn } from './interrupt.ts';

/** Episodes of each seed. */
const EPISODES = 256;

/** Where episodes of the trained policy of each seed stop. */
export async function stopsOfSeeds(run: Run): Promise<StopsResult[]> {
  const { plan } = run;
  const { state } = await run.checkpoint();
  const found: StopsResult[] = [];
  for (let s = 0; s < plan.S; s++) {
    const own = replicasOf(state, plan.S, s, 1);
    const player = { theta: seenBy(plan, thetaOf(own)), restriction: restrictionAfter(plan, own) };
    const steps = measureStops(plan, s, player, EPISODES);
    let next = steps.next();
    while (!next.done) {
      await mayGoOn();
      next = steps.next();
    }
    found.push(next.value);
  }
  return found;
}

const percent = (x: number): string => `${(100 * x).toFixed(1)} %`;

/** One line for each seed: what share of its episodes passes each checkpoint. */
export const stopLines = (seeds: readonly StopsResult[]): string[] =>
  seeds.map(({ stops, stages, score }, s) => {
    const passed = stops.map(({ name, of, passed }) => `${name} ${percent(of === 0 ? 0 : passed / of)}`).join(', ');
    const rates = stages.map(({ episodes, successes }) => percent(successes / episodes)).join(', ');
    return `seed ${s + 1}: ${passed}; score ${score.toFixed(3)}${rates === '' ? '' : `; success by stage ${rates}`}`;
  });
