import { laterAround } from '../../laterWorld.ts';

export const noted = laterAround(async () => (await import('../noted.ts')).noted);
