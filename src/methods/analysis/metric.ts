/** Where a number is shown (spec metrics §12). */
export type MetricGroup = 'live' | 'exploration' | 'data' | 'structure' | 'optimizer' | 'credit';

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
};

export const define = <const M extends readonly Metric[]>(list: M): M => list;
