/** Where a number is shown (spec metrics §12). */
export type MetricGroup = 'live' | 'exploration' | 'data' | 'structure' | 'optimizer' | 'credit';

/** What a setting, named by its path in a config, must be for a number to exist: one of some values, or above one. */
export type Need = { readonly setting: string } & (
  { readonly is: readonly (string | boolean)[] } | { readonly above: number }
);

/** One number that is measured again and again, and what people need to know about it. */
export type Metric = {
  readonly id: string;
  readonly title: string;
  readonly group: MetricGroup;
  readonly unit: string;
  /** definition, one sentence */
  readonly doc: string;
  /** what good and bad look like, one sentence */
  readonly look: string;
  readonly range?: readonly [number, number];
  /** settings without which there is a gap in every run; with all of them there are numbers */
  readonly needs?: readonly Need[];
};

/** A list of metrics that keeps their ids as a type. */
export const define = <const M extends readonly Metric[]>(list: M): M => list;
