import { laterAround } from '../../laterWorld.ts';

export const recalled = laterAround(async () => (await import('../recalled.ts')).recalled);
