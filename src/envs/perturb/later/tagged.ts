import { laterAround } from '../../laterWorld.ts';

export const tagged = laterAround(async () => (await import('../tagged.ts')).tagged);
