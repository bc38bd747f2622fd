import type { SignalRule } from '../contract/signalSteps.ts';
import { signalColumns, signalNames, type SignalName } from '../contract/signals.ts';

const OF = { distance: 0, milestone: 1, value: 2 } as const;
const MILESTONE = { progress: 0, completion: 1 } as const;
const WASTES = { none: 0, push: 1, idle: 2 } as const;
const EFFORT = { refusals: 0, pushes: 1, steps: 2 } as const;
/** The place of a signal that nobody wants. */
export const NOWHERE = 0xffffffff;

/** Number that stands for a potential in kernels. */
export const potentialId = (of: SignalRule['of']): number => OF[of];

/** Numbers of a signal for this many rows. */
export function signalLength(name: SignalName, rows: number, T: number): number {
  const spec: { readonly per: 'row' | 'step' | 'stepAndEnd'; readonly width?: () => number } = signalColumns[name];
  return { row: rows, step: rows * T, stepAndEnd: rows * (T + 1) }[spec.per] * (spec.width?.() ?? 1);
}

/** Dims of the kernel. `places`: first word of each signal that is wanted. */
export function signalDims(
  rows: number,
  T: number,
  { of, milestone, wastes, effort, own }: SignalRule,
  places: Readonly<Partial<Record<SignalName, number>>>,
): Record<string, number> {
  const rule = { of_: OF[of], milestone: MILESTONE[milestone], wastes: WASTES[wastes], effort: EFFORT[effort], own };
  const all = signalNames.map((name) => [name, places[name] ?? NOWHERE] as const);
  return { rows, T, ...rule, ...Object.fromEntries(all) };
}
