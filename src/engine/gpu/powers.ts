import { choicesOf, softmax } from '../../core/math/distribution.ts';
import { together } from '../../core/together.ts';
import type { Gpu } from '../../gpu/device.ts';
import { readBack, whole } from '../../gpu/recorder.ts';
import { outputsOf } from '../../networks/policy.ts';
import type { Powers } from '../../slots/types.ts';
import { sumPowers } from '../cpu/powers.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';

/** What cpu/powers.ts tells of every step [S, B, T], from logits that come back with the look at a minibatch. */
export async function powersOnGpu(gpu: Gpu, plan: Plan, b: RunBuffers): Promise<Powers> {
  const [choice, out] = await together([readBack(gpu, whole(b.choice)), readBack(gpu, whole(b.out))]);
  const legal = new Uint32Array(choice);
  const n = outputsOf(plan);
  const bits = Uint32Array.from({ length: plan.actions }, (_, a) => 1 << a);
  const choices = choicesOf(new Float32Array(out), 0, plan.actions, bits);
  choices.inverse = 1 / plan.temperature;
  const p = new Float32Array(plan.actions);
  const steps = plan.S * plan.B * plan.T;
  const powers = { squares: new Float64Array(steps), cubes: new Float64Array(steps) };
  for (let k = 0; k < steps; k++) {
    choices.at = k * n;
    choices.legal = legal[k]!;
    softmax(choices, p, 0);
    sumPowers(p, 0, plan.actions, powers, k);
  }
  return powers;
}
