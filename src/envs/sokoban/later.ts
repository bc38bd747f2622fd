import { laterWorld } from '../laterWorld.ts';
import { record } from './record.ts';

/** Takes the place of sokoban.ts in the registry of the site. */
export const sokoban = laterWorld(record, async () => (await import('./sokoban.ts')).sokoban);
