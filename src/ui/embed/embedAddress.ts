/** The views that a frame can show, one at a time (spec product §6). */
export const EMBED_VIEWS = ['stage', 'charts', 'credit', 'graph', 'compare', 'lesson'] as const;
export type EmbedView = (typeof EMBED_VIEWS)[number];

export const EMBED_CONTROLS = ['full', 'min', 'none'] as const;
export const EMBED_THEMES = ['auto', 'light', 'dark'] as const;

/** What the address of a frame says besides the experiment. All of it can be left out. */
export type EmbedOptions = {
  /** Starts by itself as soon as it is in sight, where it takes at most 10 s. */
  readonly run: boolean;
  readonly controls: (typeof EMBED_CONTROLS)[number];
  /** auto: that of the reader's system */
  readonly theme: (typeof EMBED_THEMES)[number];
  /** ids of the curves, in their order; none: the two that everybody needs */
  readonly metrics: readonly string[];
  /** A host cannot load another experiment. */
  readonly readonly: boolean;
  /** auto: the frame tells its host how high its content is */
  readonly height: 'auto' | null;
  /** which lesson, in the view of that name */
  readonly lesson: string | null;
};

export const EMBED_DEFAULTS: EmbedOptions = {
  run: false,
  controls: 'full',
  theme: 'auto',
  metrics: [],
  readonly: false,
  height: null,
  lesson: null,
};

/** More curves do not fit into a frame. */
export const MOST_METRICS = 6;

/** What a frame is asked to show; `trouble`: what of it makes no sense, in one sentence that names a way out. */
export type EmbedAsked = {
  readonly view: EmbedView | null;
  readonly options: EmbedOptions;
  readonly x: string | null;
  readonly trouble: string | null;
};

/** Reads `#/embed/<view>?x=…&run=1&…`. It never throws, and says of the first part that makes no sense what is possible. */
export function readEmbedHash(hash: string): EmbedAsked {
  const [path = '', query = ''] = hash.replace(/^#\/embed\//, '').split(/\?(.*)/s, 2);
  const given = new URLSearchParams(query);
  const troubles: string[] = [];
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = given.get(name);
    if (value === null) return fallback;
    const found = allowed.find((word) => word === value);
    if (!found) troubles.push(`“${name}=${short(value)}” is not possible; use ${orList(allowed)}.`);
    return found ?? fallback;
  };
  const view = EMBED_VIEWS.find((word) => word === path) ?? null;
  if (!view) troubles.push(`There is no view “${short(path)}”; use ${orList(EMBED_VIEWS)}.`);
  const unknown = [...given.keys()].find((name) => !NAMES.includes(name));
  if (unknown !== undefined) troubles.push(`“${short(unknown)}” is not known here; use ${orList(NAMES)}.`);
  oneOf('lang', ['en'], 'en');
  const metrics = given.get('metrics')?.split(',').filter(Boolean) ?? [];
  if (metrics.length > MOST_METRICS) troubles.push(`At most ${MOST_METRICS} metrics fit; ${metrics.length} are named.`);
  const options: EmbedOptions = {
    run: oneOf('run', ['0', '1'], '0') === '1',
    controls: oneOf('controls', EMBED_CONTROLS, EMBED_DEFAULTS.controls),
    theme: oneOf('theme', EMBED_THEMES, EMBED_DEFAULTS.theme),
    metrics: metrics.slice(0, MOST_METRICS),
    readonly: oneOf('readonly', ['0', '1'], '0') === '1',
    height: oneOf('height', ['auto', ''], '') === 'auto' ? 'auto' : null,
    lesson: given.get('lesson'),
  };
  return { view, options, x: given.get('x'), trouble: troubles[0] ?? null };
}

const NAMES: readonly string[] = ['x', 'run', 'controls', 'theme', 'lang', 'metrics', 'readonly', 'height', 'lesson'];
const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
const orList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** The fragment that `readEmbedHash` reads; what is as it would be anyway is left out. */
export function embedHash(view: EmbedView, x: string | null, options: Partial<EmbedOptions> = {}): string {
  const o = { ...EMBED_DEFAULTS, ...options };
  const query = [
    o.lesson !== null && `lesson=${encodeURIComponent(o.lesson)}`,
    o.run && 'run=1',
    o.controls !== EMBED_DEFAULTS.controls && `controls=${o.controls}`,
    o.theme !== EMBED_DEFAULTS.theme && `theme=${o.theme}`,
    o.metrics.length > 0 && `metrics=${o.metrics.map(encodeURIComponent).join(',')}`,
    o.readonly && 'readonly=1',
    o.height !== null && `height=${o.height}`,
    // long: what people may want to change stands before it
    x !== null && `x=${encodeURIComponent(x)}`,
  ].filter((part) => part !== false);
  return `#/embed/${view}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}
