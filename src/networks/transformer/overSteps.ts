import type { NetworkIssue, Smaller } from '../types.ts';

/** Settings of the layers of a transformer over the steps of an episode. */
export const layerSettings = {
  width: {
    kind: 'integer',
    label: 'Width',
    default: 32,
    min: 4,
    max: 64,
    doc: 'Numbers per step; a multiple of the heads.',
    formula: 'D',
  },
  layers: {
    kind: 'integer',
    label: 'Layers',
    default: 2,
    min: 1,
    max: 3,
    doc: 'Attention and feed-forward, one after the other.',
  },
  heads: {
    kind: 'choice',
    label: 'Heads',
    default: '2',
    options: ['1', '2', '4'],
    doc: 'Attention heads of a layer: each looks back at other steps.',
  },
  hidden: {
    kind: 'integer',
    label: 'Feed-forward width',
    default: 64,
    min: 4,
    max: 256,
    doc: 'Hidden units between two attention layers.',
  },
} as const;

/** How its layers join the stream. */
export const gateSettings = {
  gate: {
    kind: 'choice',
    label: 'Gate',
    default: 'gru',
    options: ['gru', 'output', 'highway', 'sigtanh', 'input', 'residual'],
    optionLabels: ['GRU', 'output', 'highway', 'sigmoid-tanh', 'input', 'plain sum'],
    doc: 'How a layer joins the stream; all but “input” and the sum start near the identity.',
  },
  gateBias: {
    kind: 'number',
    label: 'Gate bias',
    default: 2,
    min: 0,
    max: 6,
    doc: 'The larger it is, the less a fresh layer changes the stream, and the less it remembers.',
    formula: 'b',
    when: { setting: 'gate', is: ['gru', 'output', 'highway', 'sigtanh'] },
  },
} as const;

type Widths = { readonly width: number; readonly heads: string };

/** Made smaller where a run takes too much: by the width, in whole shares of the heads. */
export function smallerWidth({ width, heads }: Widths): Smaller {
  const share = Number(heads);
  const steps = Math.max(0, Math.ceil(width / share) - 1);
  return { setting: 'width', steps, at: (step) => share * (steps - step) };
}

/** Heads share the width. */
export function headIssues({ width, heads }: Widths): NetworkIssue[] {
  const share = Number(heads);
  if (width % share === 0) return [];
  const value = Math.max(share, Math.round(width / share) * share);
  const message = `is not a multiple of the ${heads} heads, which share it`;
  return [{ severity: 'error', setting: 'width', message, repair: { label: `set ${value}`, value } }];
}
