import { serve } from '../../scripts/serve.mjs';

/** The built site with its real headers. */
export const serveBuilt = (): ReturnType<typeof serve> => serve({ dir: 'dist' });
