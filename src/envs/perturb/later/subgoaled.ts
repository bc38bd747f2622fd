import { laterAround } from '../../laterWorld.ts';

export const subgoaled = laterAround(async () => (await import('../subgoaled.ts')).subgoaled);
