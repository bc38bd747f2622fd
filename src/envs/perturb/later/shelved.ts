import { laterAround } from '../../laterWorld.ts';

export const shelved = laterAround(async () => (await import('../shelved.ts')).shelved);
