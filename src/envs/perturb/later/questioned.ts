import { laterAround } from '../../laterWorld.ts';

export const questioned = laterAround(async () => (await import('../questioned.ts')).questioned);
