import { useMemo } from 'react';
import { useRunConfig } from '../session.ts';
import type { Asked } from '../../worker/protocol.ts';
import { firstMethods, MOST, useCompare } from './compareStore.ts';

/** Color, shape and letter of an estimator, 0 … 3, once it has been shown: taking out another one does not change it. */
const known = new Map<string, number>();

/** The slots of estimators that are shown together: its own where it is free, else the first free one. */
export function slotsOf(methods: readonly Pick<Asked, 'id'>[], memory = known): number[] {
  const slots = methods.map(({ id }, k) => {
    const own = memory.get(id);
    const isFirst = methods.findIndex((m) => memory.get(m.id) === own) === k;
    return own !== undefined && isFirst ? own : -1;
  });
  for (const [k, slot] of slots.entries()) {
    if (slot >= 0) continue;
    slots[k] = Array.from({ length: MOST }, (_, at) => at).find((at) => !slots.includes(at)) ?? 0;
    if (!memory.has(methods[k]!.id)) memory.set(methods[k]!.id, slots[k]);
  }
  return slots;
}

/** Slot of an estimator of the comparison by its place in the list; −1, the truth, stays −1. */
export function useSlot(): (at: number) => number {
  const config = useRunConfig();
  const chosen = useCompare((c) => c.methods);
  return useMemo(() => {
    const slots = slotsOf(chosen ?? firstMethods(config));
    return (at) => slots[at] ?? at;
  }, [chosen, config]);
}
