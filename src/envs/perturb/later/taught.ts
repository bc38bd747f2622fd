import { laterAround } from '../../laterWorld.ts';

export const taught = laterAround(async () => (await import('../taught.ts')).taught);
