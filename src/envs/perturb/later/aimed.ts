import { laterAround } from '../../laterWorld.ts';

export const aimed = laterAround(async () => (await import('../aimed.ts')).aimed);
