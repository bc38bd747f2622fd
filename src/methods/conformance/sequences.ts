import { adaptKlCoefficient } from '../objective/kl.ts';
import { valueTerm, type ValueMode, type ValueTerm } from '../objective/value.ts';
import { adam } from '../optimizer/adam.ts';
import { clipByNorm } from '../optimizer/clip.ts';
import type { Got } from './check.ts';

type List = readonly number[];

/** Inputs of a case of kind `optimizer` that the built keys read. */
export type SequenceInputs = {
  readonly theta0: List;
  readonly gradients: readonly List[];
  readonly kl: List;
  readonly value: List;
  readonly valueOld: List;
  readonly ret: List;
  readonly valueMask: List;
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
    adam.step(theta, gradient, m, v, n + 1, lr, { beta1, beta2, epsilon: eps, weightDecay });
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
  adaptiveKl: ({ kl }, { adaptiveKl: { beta0, target, n, horizon } }) => {
    let beta = beta0;
    return kl.slice(0, 30).map((x) => (beta = adaptKlCoefficient(beta, x, target, n, horizon)));
  },
};
