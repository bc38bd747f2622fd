import type { Description } from './description.ts';

/** What ends a cell before its updates are over. Only seconds depend on the machine: such a run is not repeated exactly. */
export type Limit = { readonly of: 'environmentSteps' | 'seconds'; readonly amount: number };

export function limitOf({ match, steps, seconds }: Description): Limit | null {
  if (match === 'environmentSteps') return { of: match, amount: steps! };
  return match === 'seconds' ? { of: match, amount: seconds! } : null;
}

/** What an address has after the digest of the config: "-5000" environment steps, "-60s" seconds. */
export const suffixOf = (limit: Limit | null): string =>
  limit === null ? '' : `-${limit.amount}${limit.of === 'seconds' ? 's' : ''}`;

/** False where another training of the same config and seed may end with other numbers. */
export const isRepeatable = (limit: Limit | null | undefined): boolean => limit?.of !== 'seconds';

/** The limit that an address names; null: its updates end the cell. */
export function limitOfAddress(address: string): Limit | null {
  const found = /-(\d+)(s?)$/.exec(address);
  return found && { of: found[2] === 's' ? 'seconds' : 'environmentSteps', amount: Number(found[1]) };
}
