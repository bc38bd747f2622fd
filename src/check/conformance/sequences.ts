import { adaptKlCoefficient } from '../../slots/objective/adaptiveKl.ts';
import { massBalance } from '../../slots/objective/massBalance.ts';
import { SafeController, type SafeSettings } from '../../slots/objective/safe.ts';
import { softMin, valueTerm, type ValueMode, type ValueTerm } from '../../core/value.ts';
import { adam } from '../../slots/optimizer/adam.ts';
import { clipByNorm } from '../../core/math/gradientNorm.ts';
import { npgIgt } from '../../slots/optimizer/npgIgt.ts';
import type { Got } from './check.ts';

type List = readonly number[];

/** Inputs of a case of kind `optimizer`. */
export type SequenceInputs = {
  readonly theta0: List;
  readonly gradients: readonly List[];
  readonly kl: List;
  readonly value: List;
  readonly valueOld: List;
  readonly ret: List;
  readonly valueMask: List;
  readonly igtTarget: List;
  readonly igtNoise: readonly List[];
  readonly entropy: List;
  readonly reward: List;
  readonly v1: List;
  readonly v2: List;
  readonly p: List;
  readonly correct: List;
  readonly sampledCount: List;
};

export type SequenceParams = {
  readonly adam: {
    readonly lr: number;
    readonly beta1: number;
    readonly beta2: number;
    readonly eps: number;
    readonly weightDecay: number;
    readonly clipNorm: number;
  };
  readonly value: { readonly clip: number; readonly huberDelta: number };
  readonly adaptiveKl: {
    readonly beta0: number;
    readonly target: number;
    readonly horizon: number;
    readonly n: number;
  };
  readonly npgIgt: { readonly gamma0: number; readonly etaPower: number; readonly offset: number };
  readonly safe: SafeSettings;
  readonly softMin: { readonly alpha: number };
  readonly massBalance: {
    readonly rewardCorrect: number;
    readonly rewardWrong: number;
    readonly eta: number;
    readonly rollouts: number;
  };
};

function adamRun({ theta0, gradients }: SequenceInputs, params: SequenceParams): Got {
  const { lr, beta1, beta2, eps, weightDecay, clipNorm } = params.adam;
  const theta = Float32Array.from(theta0);
  const m = new Float32Array(theta.length);
  const v = new Float32Array(theta.length);
  const path: number[][] = [];
  const gradNorm: number[] = [];
  gradients.forEach((g, n) => {
    const gradient = Float32Array.from(g);
    gradNorm.push(clipByNorm(gradient, clipNorm));
    adam.step({ theta, gradient, m, v }, n + 1, lr, { beta1, beta2, epsilon: eps, weightDecay });
    path.push([...theta]);
  });
  return { theta: path, gradNorm };
}

function valueRun(
  { value, valueOld, ret, valueMask }: SequenceInputs,
  clip: number,
  mode: ValueMode,
  delta: number,
): Got {
  const units = valueMask.reduce((total, m) => total + m, 0);
  const out: ValueTerm = { loss: 0, gradient: 0 };
  let loss = 0;
  const grad = value.map((V, k) => {
    if (valueMask[k] === 0) return 0;
    valueTerm(V, valueOld[k]!, ret[k]!, clip, mode, delta, out);
    loss += out.loss / units;
    return out.gradient / units;
  });
  return { loss, grad };
}

/** The optimizer holds and is asked at the extrapolated point; the parameters themselves are its second moments. */
function igtRun(
  { theta0, igtTarget, igtNoise }: SequenceInputs,
  { npgIgt: { gamma0, etaPower, offset } }: SequenceParams,
): Got {
  const at = Float32Array.from(theta0);
  const direction = new Float32Array(at.length);
  const theta = new Float32Array(at.length);
  const path = igtNoise.map((noise, k) => {
    const uphill = at.map((x, j) => igtTarget[j]! - x + noise[j]!);
    const gradient = uphill.map((g) => -g);
    npgIgt.step({ theta: at, gradient, m: direction, v: theta }, k + 1, gamma0, { power: etaPower, offset });
    return [...theta];
  });
  return { theta: path };
}

function safeRun({ kl, entropy, reward }: SequenceInputs, { safe }: SequenceParams): Got {
  const controller = new SafeController(safe);
  const steps = kl.map((x, k) => controller.step(x, entropy[k]!, reward[k]!));
  const names = ['klShort', 'threshold', 'penalty', 'slope', 'phase', 'gate'] as const;
  return Object.fromEntries(names.map((name) => [name, steps.map((step) => step[name])]));
}

/** How each key of kind `optimizer` is computed. */
export const sequenceKeys: { readonly [key: string]: (inputs: SequenceInputs, params: SequenceParams) => Got } = {
  adam: adamRun,
  value: (inputs, { value: { clip, huberDelta } }) => ({
    msePlain: valueRun(inputs, clip, 'plain', 0),
    mseMax: valueRun(inputs, clip, 'max', 0),
    mseMean: valueRun(inputs, clip, 'mean', 0),
    huberPlain: valueRun(inputs, clip, 'plain', huberDelta),
    huberMax: valueRun(inputs, clip, 'max', huberDelta),
    huberMean: valueRun(inputs, clip, 'mean', huberDelta),
  }),
  npgIgt: igtRun,
  safe: safeRun,
  softMin: ({ v1, v2 }, { softMin: { alpha } }) => v1.map((V, k) => softMin(V, v2[k]!, alpha).V),
  softMinWeight1: ({ v1, v2 }, { softMin: { alpha } }) => v1.map((V, k) => softMin(V, v2[k]!, alpha).weight1),
  massBalance: ({ p, correct, sampledCount }, { massBalance: step }) => massBalance(p, correct, sampledCount, step),
  adaptiveKl: ({ kl }, { adaptiveKl: { beta0, target, n, horizon } }) => {
    let beta = beta0;
    return kl.slice(0, 30).map((x) => (beta = adaptKlCoefficient(beta, x, target, n, horizon)));
  },
};
