import { given } from '../given.ts';
import { hierarchicalAdvantage, type HaeRule } from './hae.ts';
import { isEntry, isPlanned, levelsOf, type Stepped } from './levelsOfSteps.ts';

/** Advantage and target of every step, [B, T]. */
type StepCredit = { readonly adv: Float32Array; readonly target: Float32Array };

/**
 * HAE of a batch in which decisions are steps: each step gets the advantage and the target of its own level. What was decided
 * last, with no action after it, gets nothing, and earlier entries of a plan the target of its last one.
 */
export function hierarchicalSteps(batch: Stepped, rule: HaeRule): StepCredit {
  const { B, T, value, length } = batch;
  const decides = given(batch, 'decides');
  const { switched, acted, chose, kept } = levelsOf(batch);
  const { action, subgoal, switch: ofSwitch } = hierarchicalAdvantage(switched, rule);
  const [adv, target] = [new Float32Array(B * T), new Float32Array(B * T)];
  for (let i = 0; i < B; i++) {
    for (let k = i * T; k < i * T + length[i]!; k++) target[k] = value[k]!;
    for (let k = i * T; k < i * T + switched.length[i]!; k++) {
      const give = (to: number, from: { readonly adv: Float32Array; readonly target: Float32Array }): void => {
        if (to < 0) return;
        adv[to] = from.adv[k]!;
        target[to] = from.target[k]!;
      };
      give(acted[k]!, action);
      give(chose[k]!, subgoal);
      give(kept[k]!, ofSwitch);
      for (let e = chose[k]! - 1; chose[k]! >= 0 && e >= i * T && isEntry(decides[e]!); e--) {
        target[e] = subgoal.target[k]!;
        adv[e] = target[e]! - value[e]!;
      }
    }
  }
  return { adv, target };
}

/**
 * The same batch as one chain, for comparison: GAE over all steps, with discount and trace between steps of the world alone,
 * so that a decision which leaves the world as it is costs nothing.
 *
 *   δ[t] = V[t+1] − V[t], A[t] = δ[t] + A[t+1]              a decision of the planner
 *   δ[t] = r[t] + γV[t+1] − V[t], A[t] = δ[t] + γλ·A[t+1]   a step of who acts
 */
export function flatSteps(batch: Stepped, { gamma, lambdaLow, cut }: HaeRule): StepCredit {
  const { B, T, length, terminated, reward, value, valueFinal } = batch;
  const decides = given(batch, 'decides');
  const [adv, target] = [new Float32Array(B * T), new Float32Array(B * T)];
  for (let i = 0; i < B; i++) {
    const end = i * T + length[i]! - 1;
    let next = 0;
    if (terminated[i] === 0 && cut !== 'zero') next = cut === 'final' ? valueFinal[i]! : value[end]!;
    let carry = 0;
    for (let k = end; k >= i * T; k--) {
      const [g, l] = isPlanned(decides[k]!) ? [1, 1] : [gamma, lambdaLow];
      carry = reward[k]! + g * next - value[k]! + g * l * carry;
      adv[k] = carry;
      target[k] = carry + value[k]!;
      next = value[k]!;
    }
  }
  return { adv, target };
}
