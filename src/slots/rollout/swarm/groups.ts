import { mean } from '../../../core/stats.ts';

/** J for I groups of a batch: at least one. */
export const foreignGroups = ({ foreign }: { readonly foreign: number }, P: number): number =>
  Math.max(1, Math.round((P * foreign) / (1 - foreign)));

/** (R − mean)/std inside a group of others; null where all earned the same, or nobody is there to compare with. */
export function creditInside(outcomes: readonly number[]): readonly number[] | null {
  const center = mean(outcomes);
  const std = Math.sqrt(mean(outcomes.map((R) => (R - center) ** 2)));
  return std > 0 ? outcomes.map((R) => (R - center) / std) : null;
}
