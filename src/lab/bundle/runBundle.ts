import { canonicalJson } from '../../config/canonical.ts';
import { configDigest } from '../../config/digest.ts';
import { summaryText } from '../../config/expect.ts';
import type { Config } from '../../config/slots.ts';
import type { TrainState } from '../../contract/state.ts';
import { mean } from '../../core/stats.ts';
import type { TrainedOn } from '../../core/trainedOn.ts';
import { outcomeOf } from '../../engine/outcome.ts';
import { citationCff } from '../cite/cite.ts';
import { seedsOf } from '../runs/soFar.ts';
import { foreignWords, neverEqual } from '../runs/foreign.ts';
import { Overview, tableOf, type CurvesInParts } from '../runs/inParts.ts';
import { episodesOf, summaryBy } from '../runs/summary.ts';
import { archiveOf, sha256, tableFile, type BundleFile, type Pieces } from './archive.ts';
import { whyTooLong } from './curveLimit.ts';
import { figuresOf } from './figures.ts';
import { expectOfRun, foreignOf, linkOfRun } from './linkOfRun.ts';
import { newManifest } from './manifest.ts';
import { stateFiles } from './state.ts';
import { trajectoryLines, type BatchToKeep } from './trajectories.ts';

/** A run of one seed or several, with everything that is known of it. */
export type RunToPack = {
  readonly config: Config;
  readonly title: string;
  readonly note: string;
  readonly curves: CurvesInParts;
  /** exact digest of all seeds, and the chain of each, in hex; null where only the first is known */
  readonly digests: { readonly all: string; readonly perSeed: readonly string[] | null };
  readonly backend: TrainedOn;
  readonly adapter: string;
  readonly lab: string;
  readonly commit: string | null;
  readonly seconds: number | null;
  /** milliseconds since 1970 */
  readonly at: number;
  /** address of the lab, for links; null where it has none */
  readonly site: string | null;
  readonly doi: string | null;
  readonly state: TrainState | null;
  readonly batches: readonly BatchToKeep[];
  /** what was measured beside the run, as a table */
  readonly measured?: string | undefined;
};

export type PackOptions = {
  /** columns under the names of other stacks as well: see slots/metrics/aliases.ts */
  readonly hasAliases?: boolean;
  /** bytes of metrics.parquet, where that is wanted */
  readonly parquet?: (curves: CurvesInParts, overview: Overview, seeds: readonly number[]) => Pieces;
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 1)}\n`;

const CHECK = (name: string): string => `To check it: press Verify there, or run
  npm run lab -- verify ${name}.labrun.zip
in a checkout of the lab. It is trained again and compared: identical, equivalent or different.`;

/** `why`: the sentence of why it cannot be checked; null: it can. */
const README = (
  name: string,
  link: string | null,
  why: string | null,
): string => `This is a run of Horizon Lab, experiment ${name}.

To open it: drop this zip file on the page of the lab, or choose “Open a bundle” in its share dialog. It opens as a new
run and a draft beside your own.
${why ?? CHECK(name)}
${link === null ? '' : `Its experiment as a link:\n  ${link}\n`}
manifest.json           what the bundle holds, digests, where and when it was trained
config.json             the whole experiment
metrics.csv             one line per update and seed, one column per metric; metrics.parquet, if there, has the same
summary.json            final results
trajectories.jsonl      tasks of the last batch: levels, states, actions, rewards, credit
measured.csv            what was measured beside the run, where its sweep asked for that
weights.safetensors     the policy, by layer, [seeds, in, out]
optimizer.safetensors   everything else that training continues from
figures/                curves as SVG
CITATION.cff            how to cite it, the lab, and the papers of its methods
`;

/** Name of the file that a bundle is offered as. */
export function fileName(title: string, name: string, kind: 'labrun' | 'labsweep'): string {
  const slug = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `${slug === '' ? name : `${slug}-${name}`}.${kind}.zip`;
}

/** Final results of a run in numbers. */
function resultOf({ config, digests, backend }: RunToPack, overview: Overview): object {
  const { training, evaluation, best, scores } = outcomeOf(overview);
  const updates = overview.length;
  const foreign = foreignOf(overview);
  return {
    ...{ backend, seeds: overview.S, updates, envStepsPerSeed: Math.round(overview.envSteps(updates - 1)) },
    ...{ trainingSuccess: training, evaluationSuccess: evaluation, bestEvaluation: best },
    score: scores && mean(scores),
    scores,
    checkpoints: summaryBy(overview.numbers, episodesOf(config)),
    ...(foreign > 0 ? { episodesOfOtherTabs: foreign, caution: foreignWords(foreign, 'this bundle') } : {}),
    digest: digests.all,
  };
}

/**
 * The files of a bundle: the manifest first, with the digest of each of the others. Long tables are not there yet; they are
 * made when they are read.
 */
export async function filesOfRun(run: RunToPack, options: PackOptions = {}, known?: Overview): Promise<BundleFile[]> {
  const { config, curves, title, note, digests, at } = run;
  const why = whyTooLong(curves.updates * curves.S);
  if (why !== null) throw new Error(why);
  const overview = known ?? (await Overview.of(curves));
  const seeds = seedsOf(config);
  const name = await configDigest(config);
  const link = linkOfRun(run, overview);
  const foreign = foreignOf(overview);
  const caution = foreignWords(foreign, link === null ? 'its bundle' : 'its link');
  const state = run.state && stateFiles(config, curves.S, run.state);
  const table = await tableFile(() => tableOf(curves, overview, seeds, options.hasAliases ?? false));
  const files: BundleFile[] = [
    { name: 'config.json', data: `${canonicalJson(config)}\n` },
    { name: 'metrics.csv', data: table.data },
    ...(options.parquet ? [{ name: 'metrics.parquet', data: options.parquet(curves, overview, seeds) }] : []),
    { name: 'summary.json', data: json(resultOf(run, overview)) },
    ...(run.batches.length > 0
      ? [{ name: 'trajectories.jsonl', data: run.batches.map(trajectoryLines).join('') }]
      : []),
    ...(run.measured === undefined ? [] : [{ name: 'measured.csv', data: run.measured }]),
    ...(state
      ? [
          { name: 'weights.safetensors', data: state.weights },
          { name: 'optimizer.safetensors', data: state.optimizer },
        ]
      : []),
    ...figuresOf(overview.numbers, seeds).map((figure) => ({ name: `figures/${figure.name}`, data: figure.svg })),
    {
      name: 'CITATION.cff',
      data: citationCff({ config, title, name, link, result: digests.all, caution, version: run.lab, at }),
    },
    { name: 'README.txt', data: README(name, link, neverEqual(foreign)) },
  ];
  const hashes: [string, string][] = [];
  for (const file of files) hashes.push([file.name, file.data === table.data ? table.hash : await sha256(file.data)]);
  const manifest = newManifest({
    ...{ lab: run.lab, commit: run.commit, title, note, createdAt: new Date(at).toISOString() },
    ...{ backend: run.backend, adapter: run.adapter.slice(0, 200), seconds: run.seconds },
    ...{ updates: overview.length, seeds, doi: run.doi, files: Object.fromEntries(hashes) },
    digests: {
      ...{
        config: name,
        exact: digests.all,
        perSeed: digests.perSeed,
        summary: summaryText(expectOfRun(run, overview).summary),
      },
    },
  });
  return [{ name: 'manifest.json', data: json(manifest) }, ...files];
}

/** A file as it comes into being. */
export type Packed = { readonly name: string; readonly archive: ReadableStream<Uint8Array<ArrayBuffer>> };

/** The name that the bundle of a run is offered under. */
export const nameOfRun = async ({ title, config }: Pick<RunToPack, 'title' | 'config'>): Promise<string> =>
  fileName(title, await configDigest(config), 'labrun');

/** A run bundle and the name of its file. */
export async function packRun(run: RunToPack, options: PackOptions = {}): Promise<Packed> {
  const files = await filesOfRun(run, options);
  return { name: await nameOfRun(run), archive: archiveOf(files, new Date(run.at)) };
}
