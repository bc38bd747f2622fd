import type { LabWorker } from '../../worker/protocol.ts';

/** What the credit views ask the worker for. */
export type CreditDoor = Pick<LabWorker, 'credit' | 'explain' | 'hold' | 'rewards'>;

let door: (() => CreditDoor) | null = null;

/** The page connects its worker here once; a getter, because a worker that crashed is replaced. */
export function connectCredit(to: () => CreditDoor): void {
  door = to;
}

/** The worker, or null before the page has one. */
export const creditDoor = (): CreditDoor | null => door?.() ?? null;
