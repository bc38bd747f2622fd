import { laterAround } from '../../laterWorld.ts';

export const serial = laterAround(async () => (await import('../serial.ts')).serial);
