import { normalizeHeads } from '../segments.ts';

/** What HAE reads of a batch in which each step keeps its subgoal or switches to another one. */
export type Switched = {
  readonly B: number;
  readonly T: number;
  readonly length: ArrayLike<number>;
  readonly terminated: ArrayLike<number>;
  readonly reward: ArrayLike<number>;
  /** [B, T] 1 = a new subgoal; the first step of an episode opens a segment whatever it says */
  readonly switched: ArrayLike<number>;
  /** [B, T] V_lo(o, g), V_hi(o) and V_sw(o, g before it), and [B] V_lo after the last step */
  readonly valueLow: ArrayLike<number>;
  readonly valueHigh: ArrayLike<number>;
  readonly valueTerm: ArrayLike<number>;
  readonly valueLowFinal: ArrayLike<number>;
};

/**
 * With what the last segment of an episode is closed that was cut: nothing; as the released code does, V_lo of the last state
 * for actions and V_hi of the start of the segment for subgoal and switch; or V_lo of the final state, for all three.
 */
export type SegmentCut = 'zero' | 'last' | 'final';

export type HaeRule = {
  readonly gamma: number;
  readonly lambdaLow: number;
  readonly lambdaHigh: number;
  readonly cut: SegmentCut;
};

/** The roles of a hierarchy. */
type Decided = 'action' | 'subgoal' | 'switch';

/** Advantage and value target of one role, [B, T]. */
type RoleCredit = { readonly adv: Float32Array; readonly target: Float32Array };

export type HaeCredit = {
  readonly action: RoleCredit;
  /** at the first step of each segment, 0 elsewhere */
  readonly subgoal: RoleCredit;
  readonly switch: RoleCredit;
  /** [B, T] first step of the segment of each step, −1 on padding */
  readonly segmentStart: Int32Array;
  /** [B, T] discounted reward of each segment, at its first step */
  readonly segmentReturn: Float32Array;
};

/** [B, T] the step at which the segment of each step began; −1 on padding. */
export function segmentStarts({
  B,
  T,
  length,
  switched,
}: Pick<Switched, 'B' | 'T' | 'length' | 'switched'>): Int32Array {
  const start = new Int32Array(B * T).fill(-1);
  for (let i = 0; i < B; i++)
    for (let t = 0; t < length[i]!; t++)
      start[i * T + t] = t === 0 || switched[i * T + t] === 1 ? t : start[i * T + t - 1]!;
  return start;
}

/**
 * Hierarchical advantage estimation (HiPER, arXiv 2602.16165): a segment is as long as its subgoal is kept, and closes with b,
 * V_hi of the state where the next one begins, or 0 where the episode ended by itself.
 *
 *   action   δ[t] = r[t] + γv − V_lo[t], v = V_lo[t+1] inside and b at the end     A[t] = δ[t] + γλ_lo·A[t+1], cut at the end
 *   subgoal  A_k = Σ γ^(t−s) r[t] + γ^d·b − V_hi[s] + γ^d·λ_hi·A_(k+1)             d steps from s on; the last has no A_(k+1)
 *   switch   A[t] = Σ to the end of the segment of γ^(u−t) r[u] + γ^…·b − V_sw[t]
 *
 * Targets are A + V of the same level. An action sees reward beyond its segment only through V_hi.
 */
export function hierarchicalAdvantage(batch: Switched, { gamma, lambdaLow, lambdaHigh, cut }: HaeRule): HaeCredit {
  const { B, T, length, reward, valueLow, valueHigh, valueTerm } = batch;
  const empty = (): RoleCredit => ({ adv: new Float32Array(B * T), target: new Float32Array(B * T) });
  const [action, subgoal, ofSwitch] = [empty(), empty(), empty()];
  const segmentReturn = new Float32Array(B * T);
  const segmentStart = segmentStarts(batch);
  for (let i = 0; i < B; i++) {
    const n = length[i]!;
    const isCut = batch.terminated[i] === 0;
    const final = isCut && cut === 'final' ? batch.valueLowFinal[i]! : 0;
    let above = 0;
    for (let end = n - 1; end >= 0;) {
      const from = segmentStart[i * T + end]!;
      const isLast = end === n - 1;
      const isOpen = isLast && isCut && cut === 'last';
      const close = isOpen ? valueHigh[i * T + from]! : isLast ? final : valueHigh[i * T + end + 1]!;
      let next = isOpen ? valueLow[i * T + end]! : close;
      let [carry, paid, toEnd] = [0, 0, close];
      for (let t = end; t >= from; t--) {
        const k = i * T + t;
        carry = reward[k]! + gamma * next - valueLow[k]! + gamma * lambdaLow * carry;
        action.adv[k] = carry;
        action.target[k] = carry + valueLow[k]!;
        next = valueLow[k]!;
        paid = reward[k]! + gamma * paid;
        toEnd = reward[k]! + gamma * toEnd;
        ofSwitch.adv[k] = toEnd - valueTerm[k]!;
        ofSwitch.target[k] = toEnd;
      }
      const k = i * T + from;
      const discount = gamma ** (end - from + 1);
      above = paid + discount * close - valueHigh[k]! + (isLast ? 0 : discount * lambdaHigh * above);
      subgoal.adv[k] = above;
      subgoal.target[k] = above + valueHigh[k]!;
      segmentReturn[k] = paid;
      end = from - 1;
    }
  }
  return { action, subgoal, switch: ofSwitch, segmentStart, segmentReturn };
}

/** The credit of each role compared among its own steps of the batch, σ over n; fewer than two give 0. */
export function comparedByRole(credit: HaeCredit, T: number): Readonly<Record<Decided, Float32Array>> {
  const { segmentStart } = credit;
  const all = segmentStart.map((s) => (s < 0 ? -1 : 0));
  const first = segmentStart.map((s, k) => (s === k % T ? 0 : -1));
  const compared = (role: Decided): Float32Array =>
    normalizeHeads(credit[role].adv, role === 'subgoal' ? first : all, 'std', true);
  return { action: compared('action'), subgoal: compared('subgoal'), switch: compared('switch') };
}
