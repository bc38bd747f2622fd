/** A reward as a setting, in whole thousandths of at most `most` to either side; people read and type 1.0. */
export const milli = (label: string, fallback: number, doc: string, most = 10_000) =>
  ({ kind: 'integer', label, default: fallback, min: -most, max: most, per: 1000, doc }) as const;

/** The step limit T as a setting; `usual` says what 0 stands for. */
export const stepLimit = (usual: string) =>
  ({
    kind: 'integer',
    label: 'Step limit',
    default: 0,
    min: 0,
    max: 2048,
    doc: `Longest episode; 0 = ${usual}.`,
    formula: 'T',
  }) as const;

/** Slip of walking as a setting: weights of going left of the direction, in it, and right of it. */
export const slipWeights = (label: string, doc: string) =>
  ({
    kind: 'integers',
    group: 'Perturbations',
    label,
    default: [0, 1, 0],
    min: 0,
    max: 1000,
    minItems: 3,
    maxItems: 3,
    doc,
  }) as const;
