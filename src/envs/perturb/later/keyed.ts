import { laterAround } from '../../laterWorld.ts';

export const keyed = laterAround(async () => (await import('../keyed.ts')).keyed);
