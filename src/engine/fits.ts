import { ARRAYS } from '../contract/numbers.ts';
import { lengthOf, type TensorSpec, type TrainState } from '../contract/state.ts';
import type { Plan } from './plan.ts';
import { stateSizes, statesOf } from './stateTable.ts';
import { sourceState } from './taskFeed.ts';

/**
 * The first tensor of a state that has another type or size than every stage of this run declares; null where all fit.
 * Names that no stage knows are not read. A state that may come from a stranger's file is asked before it is loaded.
 */
export function unfitPart(whole: Plan, { tensors }: TrainState): string | null {
  const stages = [whole, ...whole.past.map(({ plan }) => plan)];
  const specs = stages.map((plan) => ({ ...statesOf(plan), ...sourceState(plan) }));
  const sizes = stateSizes(whole);
  const isUnfit = (name: string): boolean => {
    const values = tensors[name]!;
    const fits = (tensor: TensorSpec): boolean =>
      values instanceof ARRAYS[tensor.type] && values.length === sizes.S * lengthOf(tensor, sizes);
    const declared = specs.flatMap((spec) => (Object.hasOwn(spec, name) ? [spec[name]!] : []));
    return declared.length > 0 && !declared.some(fits);
  };
  return Object.keys(tensors).find(isUnfit) ?? null;
}
