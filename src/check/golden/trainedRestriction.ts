import { defaultsOf } from '../../core/settings.ts';
import { setOf } from '../conformance/judge.ts';
import { realUnits, unitsOf, type Computation } from '../conformance/units.ts';
import { nlpo } from '../../slots/objective/nlpo.ts';
import { RestrictedPlayer, type Player } from '../../engine/cpu/restricted.ts';
import { tableBatch } from './trainedCase.ts';

/** The key `nlpo`: what the player of a rollout leaves of the legal actions, and log π over it as training reads it. */
export const nlpoRun: Computation = (units, { topP, minKeep }) => {
  const { actions, mask, action, logitsRef, L, B } = units.inputs;
  // golden sets cover padding too: every slot is a step in its own place
  const all = unitsOf({ ...units.inputs, mask: mask.map(() => 1) });
  const params = { ...defaultsOf(nlpo.params), topP: topP!, minKeep: minKeep! };
  const set = setOf(all, all.logpOld, () => 0);
  const batch = tableBatch({ units: all, set, objective: nlpo, params, mode: 'unitMean' });
  const { plan, policy, arrays, theta } = batch;
  const weights = new Float32Array(plan.layout.size);
  weights.set(logitsRef);
  // what is chosen is given: only the set it is chosen from is asked for
  const chosen: Player = { ...{ chunk: policy.chunk, decide: () => true }, finalValues: none, probsOf: none };
  const player = new RestrictedPlayer(plan, { module: nlpo.restricts!, params }, policy, chosen, weights);
  const acting = { arrays, theta, s: 0, mode: 'train', tasks: null as never } as const;
  const decide = (isReal: number): void => {
    for (let u = 0; u < B * L; u++)
      if (Math.min(1, mask[u]!) === isReal) player.decide(acting, [Math.floor(u / L)], 0, 1, u % L);
  };
  decide(1);
  const maskedShare = player.removed / player.legal;
  decide(0);
  const keep = Uint8Array.from(
    { length: B * L * actions },
    (_, k) => (arrays.legal[Math.floor(k / actions)]! >>> (k % actions)) & 1,
  );
  const actionOutside = new Float64Array(mask.length);
  const logp = new Float64Array(mask.length);
  for (const u of realUnits(units)) {
    actionOutside[u] = 1 - keep[u * actions + action[u]!]!;
    // a batch holds no action outside its set; that of the case is put there
    arrays.legal[u]! |= 1 << action[u]!;
    policy.unitLogProbs({ arrays, theta, s: 0, step: Int32Array.of(u), n: 1 }, logp);
  }
  return { keep, maskedShare, actionOutside, logp };
};

const none = (): void => undefined;
