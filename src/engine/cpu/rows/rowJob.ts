import type { Live } from '../../backend.ts';
import type { Mode } from '../policy.ts';
import { SITES, type Site } from '../sites.ts';

const MODES: readonly Mode[] = ['train', 'eval', 'side', 'panel'];

/** What the cores of a run do together: play rows, look at chunks of steps, add up what chunks left, or ask about chunks of steps. */
export type RowJob =
  | {
      readonly kind: 'play';
      readonly s: number;
      readonly mode: Mode;
      readonly site: Site;
      readonly update: number;
      /** rows of the replica from `first` on, in so many parts; see rowTasks.ts for what they play */
      readonly first: number;
      readonly count: number;
      readonly parts: number;
      /** of the weights */
      readonly versions: number;
      /** 0: of the batch itself */
      readonly round: number;
      /** the weights of the reference restrict the choice of actions */
      readonly isRestricted: boolean;
      /** what is remembered is written into states */
      readonly shows: boolean;
    }
  | ({ readonly kind: 'look'; readonly s: number; readonly live: Live; readonly policyWeight: number } & Takes)
  | { readonly kind: 'sum'; readonly chunks: number; readonly columns: number; readonly parts: number }
  | { readonly kind: 'ask'; readonly s: number };

export type PlayJob = RowJob & { readonly kind: 'play' };

/** Rows of part k of `parts` that B rows are cut into: the first of them, and how many. */
export function partOf(B: number, k: number, parts: number): readonly [first: number, count: number] {
  const first = Math.floor((k * B) / parts);
  return [first, Math.floor(((k + 1) * B) / parts) - first];
}

/** Whether a job reads the reference: where KL to it is measured, or where it restricts the choice of actions. */
export function readsReference(job: RowJob): boolean {
  if (job.kind === 'play') return job.isRestricted;
  return job.kind === 'look' && job.live.klCoef > 0;
}

/** Versions of the weights that a job needs. */
export const versionsOf = (job: RowJob): number => (job.kind === 'play' ? job.versions : 1);

/** Whether a look takes a gradient, and which columns it reads where a run has them. */
type Takes = {
  readonly takesGradient: boolean;
  readonly hasTarget: boolean;
  readonly hasMark: boolean;
  readonly hasUnitA: boolean;
};

export function writeJob(job: RowJob, to: Float64Array): void {
  if (job.kind === 'play') {
    const { s, mode, site, update, first, count, parts, versions, round, isRestricted, shows } = job;
    const rest = [Number(isRestricted), Number(shows), SITES.indexOf(site)];
    to.set([0, s, MODES.indexOf(mode), update, first, count, parts, versions, round, ...rest]);
  } else if (job.kind === 'sum') to.set([2, job.chunks, job.columns, job.parts]);
  else if (job.kind === 'ask') to.set([3, job.s]);
  else {
    const { learningRate, entropyCoef, klCoef } = job.live;
    const flags = [job.takesGradient, job.hasTarget, job.hasMark, job.hasUnitA].map(Number);
    to.set([1, job.s, learningRate, entropyCoef, klCoef, job.policyWeight, ...flags]);
  }
}

type Nine = [number, number, number, number, number, number, number, number, number];

export function readJob(from: Float64Array): RowJob {
  const [kind, a, b, c, d, e, f, g, h] = from as unknown as Nine;
  const flag = (k: number): boolean => from[k] === 1;
  if (kind === 0) {
    const rows = { site: SITES[from[11]!]!, first: d, count: e, parts: f, versions: g, round: h };
    return { kind: 'play', s: a, mode: MODES[b]!, update: c, ...rows, isRestricted: flag(9), shows: flag(10) };
  }
  if (kind === 2) return { kind: 'sum', chunks: a, columns: b, parts: c };
  if (kind === 3) return { kind: 'ask', s: a };
  const takes = { takesGradient: flag(6), hasTarget: flag(7), hasMark: flag(8), hasUnitA: flag(9) };
  return { kind: 'look', s: a, live: { learningRate: b, entropyCoef: c, klCoef: d }, policyWeight: e, ...takes };
}
