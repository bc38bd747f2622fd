import { laterAround } from '../../laterWorld.ts';

export const budgeted = laterAround(async () => (await import('../budgeted.ts')).budgeted);
