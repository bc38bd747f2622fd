/** What the device check found out: about the random numbers, the kernels, short runs, and how fast each path is. */

/** The parts of a check, in their order. `paths`: the CPU path in both of its forms. */
export const PARTS = ['paths', 'random', 'kernels', 'runs', 'speed'] as const;
export type PartId = (typeof PARTS)[number];

/** How far a part is: what it compared, and what of that differs. */
export type PartState = {
  readonly id: PartId;
  readonly done: number;
  readonly of: number;
  readonly wrong: number;
};

/** One difference in one sentence, with the name of what differs. */
export type Finding = { readonly part: PartId; readonly name: string; readonly sentence: string };

/** A short run on both paths. Digests are over tasks, actions, rewards and lengths of every update. */
export type ShortRun = {
  readonly preset: string;
  readonly updates: number;
  readonly seeds: number;
  readonly cpu: string;
  /** null: there is no device */
  readonly gpu: string | null;
  /** what is to be known beside the digests, one sentence, or null */
  readonly note: string | null;
};

/** How fast the same work is on both paths, in `unit`: more is faster. Measured during the check. */
export type SpeedRow = {
  readonly what: string;
  readonly unit: string;
  readonly cpu: number;
  readonly gpu: number | null;
};

/** What an adapter says of itself, and what it can do. */
export type AdapterFacts = {
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  /** runs shaders on the CPU */
  readonly isSoftware: boolean;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
};

/** Everything about one check, as it is saved. It names no person, no browser and no time. */
export type CheckReport = {
  readonly schema: 'device-check/1';
  readonly lab: string;
  readonly commit: string;
  /** adapter as everybody calls it, or null where there is none */
  readonly name: string | null;
  /** why there is no device, one sentence, or null */
  readonly why: string | null;
  readonly adapter: AdapterFacts | null;
  /** the CPU path has its SIMD kernels */
  readonly hasSimd: boolean;
  /** false while it goes on, and where it was stopped */
  readonly isWhole: boolean;
  readonly parts: readonly PartState[];
  readonly findings: readonly Finding[];
  readonly runs: readonly ShortRun[];
  readonly speeds: readonly SpeedRow[];
};

/** What a part is called, and what it does, in one sentence. */
export const PART_WORDS: Readonly<Record<PartId, readonly [title: string, sentence: string]>> = {
  paths: [
    'CPU path',
    'The random numbers must be the known ones, and the SIMD kernels give the bits of their definitions.',
  ],
  random: ['Random numbers', 'The device must draw the same numbers as the CPU, in every bit.'],
  kernels: [
    'Kernels',
    'Every kernel runs twice on its test cases: it must repeat its bits and agree with its definition.',
  ],
  runs: [
    'Short runs',
    'The first updates of ten experiments must play the episodes of the CPU path, whose digests are known.',
  ],
  speed: ['Speed', 'The same work on both paths, measured now.'],
};

/** One sentence for what a check found of the device, the first thing that anybody wants to know. */
export function verdict(report: Pick<CheckReport, 'findings' | 'isWhole' | 'name' | 'why'>): string {
  const { findings, isWhole, name, why } = report;
  const [first] = findings;
  if (first) {
    const more = findings.length === 1 ? '' : ` (and ${findings.length - 1} more)`;
    const of = first.part === 'paths' ? 'The CPU path of this browser' : 'This device';
    return `${of} computes something else than it should: ${first.sentence}${more}`;
  }
  if (!isWhole) return 'Nothing differs in what was compared so far.';
  return name === null
    ? `${why ?? 'There is no graphics device.'} The CPU path was checked and is right.`
    : 'Everything that was compared agrees with its definition and with the CPU path.';
}

/** Differences of the device itself, for which runs should not train on it. */
export const ofDevice = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(({ part }) => part !== 'paths');

/** The file that is saved or copied. */
export const fileText = (report: CheckReport): string => `${JSON.stringify(report, null, 1)}\n`;

/**
 * What is kept of a report: its first difference with how many there are, null: that there is none. A difference is kept as soon as a
 * check has ended; that there is none, only if everything was compared, else undefined. `isPart`: it was asked for some parts only.
 */
export function keptOf(report: Pick<CheckReport, 'findings' | 'isWhole'>, isPart: boolean): string | null | undefined {
  const [first, ...more] = ofDevice(report.findings);
  if (!first) return report.isWhole && !isPart ? null : undefined;
  return more.length === 0 ? first.sentence : `${first.sentence} There are ${1 + more.length} differences.`;
}
