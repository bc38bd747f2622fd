import { create } from 'zustand';
import type { Config } from '../../config/slots.ts';
import { defaultsOf, type AnyValues } from '../../core/settings.ts';
import { offeredEstimators } from '../../config/offered.ts';
import { estimators } from '../../slots/methods.ts';
import type { Asked } from '../../worker/protocol.ts';

/** Estimators side by side, at most; a link holds as many. */
export const MOST = 4;

export type CreditView = 'run' | 'compare' | 'step' | 'rewards';

/** Pages of the comparison, under its table. */
export type ComparePage = 'strips' | 'points' | 'batches' | 'map';

type Compare = {
  readonly view: CreditView;
  readonly page: ComparePage;
  /** null: the method of the run and one to hold against it */
  readonly methods: readonly Asked[] | null;
  /** what the difference strip shows: numbers of columns, or −1 for the truth */
  readonly difference: readonly [number, number];
};

export const useCompare = create<Compare>(() => ({ view: 'run', page: 'strips', methods: null, difference: [0, -1] }));

export const compare = (change: Partial<Compare>): void => useCompare.setState(change);

/** An estimator with the settings that the run holds for it; the defaults where it holds none. */
export function askedOf(config: Config | null, id: string): Asked {
  const own = config?.advantage[id] as AnyValues | undefined;
  const record = estimators.find((e) => e.id === id);
  return { id, params: own ?? (record ? defaultsOf(record.params) : {}) };
}

/** What is compared until a person chooses: the estimator of the run, and GRPO (or GiGPO beside GRPO). */
export function firstMethods(config: Config | null): readonly Asked[] {
  const own = config?.advantage.method ?? 'gigpo';
  return [askedOf(config, own), askedOf(config, own === 'grpo' ? 'gigpo' : 'grpo')];
}

/** The next estimator to offer: the first in the menu that is not there yet. */
export function nextMethod(methods: readonly Asked[]): string {
  const offers = ['salt', 'hgpo', 'rloo', 'rtmc', ...offeredEstimators.map((e) => e.id)];
  return offers.find((id) => methods.every((m) => m.id !== id)) ?? offeredEstimators[0]!.id;
}

/** The same list with one entry replaced, taken out (null), or added at the end. */
export function withMethod(methods: readonly Asked[], at: number, asked: Asked | null): readonly Asked[] {
  const list = [...methods];
  if (asked) list[at] = asked;
  else list.splice(at, 1);
  return list.slice(0, MOST);
}
