import { laterWorld } from '../laterWorld.ts';
import { record } from './record.ts';

/** Takes the place of textmaze.ts in the registry of the site. */
export const textmaze = laterWorld(record, async () => (await import('./textmaze.ts')).textmaze);
