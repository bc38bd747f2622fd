import { laterAround } from '../../laterWorld.ts';

export const hinted = laterAround(async () => (await import('../hinted.ts')).hinted);
