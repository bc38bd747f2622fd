import { canonicalJson } from '../../config/canonical.ts';
import { configDigest } from '../../config/digest.ts';
import { summaryText } from '../../config/expect.ts';
import type { Config } from '../../config/slots.ts';
import type { TrainState } from '../../contract/state.ts';
import { mean } from '../../core/stats.ts';
import type { TrainedOn } from '../../core/trainedOn.ts';
import { outcomeOf } from '../../engine/outcome.ts';
import { Series } from '../../engine/series.ts';
import { citationCff } from '../cite/cite.ts';
import { seedsOf } from '../runs/soFar.ts';
import { foreignIn, foreignWords, neverEqual } from '../runs/foreign.ts';
import { episodesOf, expectOf, summaryOf, type Curves } from '../runs/summary.ts';
import { whyTooLong } from './curveLimit.ts';
import { figuresOf } from './figures.ts';
import { linkOfRun, resultOfRun } from './linkOfRun.ts';
import { newManifest } from './manifest.ts';
import { metricsCsv } from './metricsCsv.ts';
import { stateFiles } from './state.ts';
import { trajectoryLines, type BatchToKeep } from './trajectories.ts';
import { writeZip, type BundleFile } from './zip.ts';

/** A run of one seed or several, with everything that is known of it. */
export type RunToPack = {
  readonly config: Config;
  readonly title: string;
  readonly note: string;
  readonly curves: Curves;
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
  readonly parquet?: (curves: Curves, seeds: readonly number[]) => Uint8Array<ArrayBuffer>;
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
function resultOf({ config, curves, digests, backend }: RunToPack): object {
  const series = new Series(curves.S);
  series.join(curves.part);
  const { training, evaluation, best, scores } = outcomeOf(series);
  const updates = curves.part.steps.length;
  const foreign = foreignIn(curves);
  return {
    ...{ backend, seeds: curves.S, updates, envStepsPerSeed: Math.round(curves.part.steps[updates - 1]!) },
    ...{ trainingSuccess: training, evaluationSuccess: evaluation, bestEvaluation: best },
    score: scores && mean(scores),
    scores,
    checkpoints: summaryOf(curves, episodesOf(config)),
    ...(foreign > 0 ? { episodesOfOtherTabs: foreign, caution: foreignWords(foreign, 'this bundle') } : {}),
    digest: digests.all,
  };
}

export async function sha256(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The files of a bundle: the manifest first, with the digest of each of the others. */
export async function filesOfRun(run: RunToPack, options: PackOptions = {}): Promise<BundleFile[]> {
  const { config, curves, title, note, digests, at } = run;
  const why = whyTooLong(curves.part.steps.length * curves.S);
  if (why !== null) throw new Error(why);
  const seeds = seedsOf(config);
  const name = await configDigest(config);
  const link = linkOfRun(run);
  const foreign = foreignIn(curves);
  const caution = foreignWords(foreign, link === null ? 'its bundle' : 'its link');
  const state = run.state && stateFiles(config, curves.S, run.state);
  const files: BundleFile[] = [
    { name: 'config.json', data: `${canonicalJson(config)}\n` },
    { name: 'metrics.csv', data: metricsCsv(curves, seeds, options.hasAliases ?? false) },
    ...(options.parquet ? [{ name: 'metrics.parquet', data: options.parquet(curves, seeds) }] : []),
    { name: 'summary.json', data: json(resultOf(run)) },
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
    ...figuresOf(curves, seeds).map((figure) => ({ name: `figures/${figure.name}`, data: figure.svg })),
    {
      name: 'CITATION.cff',
      data: citationCff({ config, title, name, link, result: digests.all, caution, version: run.lab, at }),
    },
    { name: 'README.txt', data: README(name, link, neverEqual(foreign)) },
  ];
  const hashes = await Promise.all(files.map(async (file) => [file.name, await sha256(file.data)] as const));
  const manifest = newManifest({
    ...{ lab: run.lab, commit: run.commit, title, note, createdAt: new Date(at).toISOString() },
    ...{ backend: run.backend, adapter: run.adapter.slice(0, 200), seconds: run.seconds },
    ...{ updates: curves.part.steps.length, seeds, doi: run.doi, files: Object.fromEntries(hashes) },
    digests: {
      ...{
        config: name,
        exact: digests.all,
        perSeed: digests.perSeed,
        summary: summaryText(expectOf(resultOfRun(run)).summary),
      },
    },
  });
  return [{ name: 'manifest.json', data: json(manifest) }, ...files];
}

/** A run bundle and the name of its file. */
export async function packRun(
  run: RunToPack,
  options: PackOptions = {},
): Promise<{ readonly name: string; readonly bytes: Uint8Array<ArrayBuffer> }> {
  const files = await filesOfRun(run, options);
  const bytes = await writeZip(files, new Date(run.at));
  return { name: fileName(run.title, await configDigest(run.config), 'labrun'), bytes };
}
