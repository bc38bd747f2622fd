import { payloadOf } from '../../config/link.ts';
import { embedHash, type EmbedOptions, type EmbedView } from './embedAddress.ts';

/** How high a view is where its host does not say so, in CSS pixels. */
export const EMBED_HEIGHT: Readonly<Record<EmbedView, number>> = {
  stage: 520,
  charts: 400,
  credit: 420,
  graph: 480,
  compare: 520,
  lesson: 720,
};

/** What a person reads who cannot see the frame. */
export const EMBED_TITLE: Readonly<Record<EmbedView, string>> = {
  stage: 'Horizon Lab: the world and its agent',
  charts: 'Horizon Lab: curves of a run',
  credit: 'Horizon Lab: credit of every step',
  graph: 'Horizon Lab: graph of the episodes of a task',
  compare: 'Horizon Lab: credit of several methods compared',
  lesson: 'Horizon Lab: a lesson',
};

/**
 * A frame on its own origin, whatever page it stands on: it can neither read that page nor be taken out of its sandbox by
 * it. Pages that it opens are free of the sandbox.
 */
export const EMBED_SANDBOX = 'allow-scripts allow-downloads allow-popups allow-popups-to-escape-sandbox';

export type EmbedCodeOptions = Partial<EmbedOptions> & {
  /** in CSS pixels; the view's own where it is left out */
  readonly pixels?: number;
  /** what screen readers call the frame */
  readonly title?: string;
};

/**
 * The address of one view of an experiment, for a frame. `link`: the whole address that the lab hands out
 * (`https://…/#/lab?x=…`), or one without an experiment: the frame then shows the default one.
 */
export function embedAddress(view: EmbedView, link: string, options: Partial<EmbedOptions> = {}): string {
  const [site = ''] = link.split('#', 1);
  const x = /[?&#]x=/.test(link) ? payloadOf(link) : null;
  return site + embedHash(view, x, options);
}

/** HTML that shows one view of an experiment in another page: one `iframe`, nothing of the lab runs outside of it. */
export function embedCode(view: EmbedView, link: string, options: EmbedCodeOptions = {}): string {
  const { pixels = EMBED_HEIGHT[view], title = EMBED_TITLE[view], ...asked } = options;
  const attributes = {
    src: embedAddress(view, link, asked),
    title,
    sandbox: EMBED_SANDBOX,
    loading: 'lazy',
    referrerpolicy: 'no-referrer',
    width: '100%',
    height: String(Math.round(pixels)),
    style: 'border: 0',
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`);
  return `<iframe ${written.join(' ')}></iframe>`;
}

/** A text inside the quotes of an attribute. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
