import { laterAround } from '../../laterWorld.ts';

export const optioned = laterAround(async () => (await import('../optioned.ts')).optioned);
