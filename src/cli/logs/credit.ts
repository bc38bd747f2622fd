import { join } from 'node:path';
import { batchOf, type LogBatch } from '../../logs/batch.ts';
import { compute, estimatorOf, lackOf, offeredBy, type Computed } from '../../logs/estimate.ts';
import { readLog, type ReadLog } from '../../logs/read.ts';
import { anchorsOf, pairsOf, silentOf, type Anchors, type Silent } from '../../logs/summary.ts';
import { creditCsv, pairsCsv, shares, summaryOf } from '../../logs/tables.ts';
import { ROLES, type KeyRule, type Mapping, type ReadOptions, type Role } from '../../logs/types.ts';
import type { Args } from '../args.ts';
import { prepareFolder, writeWhole } from '../files.ts';
import { filesAt } from './files.ts';
import { prepareEstimators } from '../../slots/estimatorOf.ts';

export const CREDIT_USAGE = `npm run lab -- credit FILE… [--estimators gigpo,grpo] [--out DIR] [--map role=column,…] [--key exact|spaces|digits|similar:0.95|pattern:REGEX] [--skip-bad] [--share-ends]
  credit for the trajectories of your own agents, from JSON Lines, JSON, CSV, folders and zip archives of them: docs/trajectories.md`;

const FILES = ['credit.csv', 'disagreement.csv', 'summary.json'];

function say(sentence: string): number {
  console.error(sentence);
  return 1;
}

/** How states are compared, as an option says it; a sentence where it does not. */
export function keyIn(text: string): KeyRule | string {
  const [kind, rest = ''] = text.split(/:(.*)/s) as [string, string?];
  if (kind === 'exact' || kind === 'spaces' || kind === 'digits') return { kind };
  if (kind === 'pattern') return { kind, pattern: rest };
  const threshold = rest === '' ? 0.95 : Number(rest);
  if (kind === 'similar' && threshold >= 0.5 && threshold <= 1) return { kind, threshold };
  if (kind === 'similar') return 'The likeness of --key similar is a number from 0.5 to 1, as in similar:0.95.';
  return `There is no --key “${text.slice(0, 40)}”; there are exact, spaces, digits, similar and pattern.`;
}

/** Columns by role, as an option says them: task=prompt_id,episode=rollout. */
export function mapIn(text: string): Mapping | string {
  const map: Partial<Record<Role, string>> = {};
  for (const part of text.split(',')) {
    const [role, column] = part.split(/=(.*)/s) as [string, string?];
    if (!(ROLES as readonly string[]).includes(role) || column === undefined)
      return `“${part.slice(0, 60)}” is not a role and its column; the roles are ${ROLES.join(', ')}.`;
    map[role as Role] = column;
  }
  return map;
}

function optionsIn({ options }: Args): ReadOptions | string {
  const key = keyIn(options['key'] ?? 'exact');
  const mapping = options['map'] === undefined ? undefined : mapIn(options['map']);
  if (typeof key === 'string') return key;
  if (typeof mapping === 'string') return mapping;
  return {
    key,
    ...(mapping ? { mapping } : {}),
    ...{ leavesOutBad: 'skip-bad' in options, sharesEnds: 'share-ends' in options },
  };
}

/** Computes credit for logs. Resolves with the exit code. */
export async function creditCommand(args: Args): Promise<number> {
  const paths = args.words.slice(1);
  if (paths.length === 0) return say(`Usage: ${CREDIT_USAGE}`);
  const options = optionsIn(args);
  if (typeof options === 'string') return say(options);
  const out = args.options['out'];
  const unready = out === undefined ? null : await prepareFolder(out, FILES, 1e5);
  if (unready !== null) return say(unready);
  const files = await filesAt(paths);
  if (typeof files === 'string') return say(files);
  const read = await readLog(files, options);
  if (!read.ok) return say(`${read.sentence}${read.canLeaveOut ? ' Use --skip-bad.' : ''}`);
  const log = batchOf(read.table);
  if (typeof log === 'string') return say(log);
  const asked = args.options['estimators'];
  const offered = offeredBy(log.fields);
  const ids = asked === undefined ? offered.map(({ id }) => id) : asked.split(',');
  const unknown = ids.find((id) => !offered.some((o) => o.id === id));
  if (unknown !== undefined)
    return say(`There is no estimator “${unknown.slice(0, 40)}”; there are ${offered.map(({ id }) => id).join(', ')}.`);
  await prepareEstimators(ids);
  const computed = ids.map((id) => compute(log, id));
  tell(read, log, anchorsOf(log), silentOf(log), computed);
  return out === undefined ? 0 : keep(out, read, log, computed);
}

const percent = (x: number): string => `${(100 * x).toFixed(1)} %`;

function tell(
  { found }: ReadLog,
  log: LogBatch,
  anchors: Anchors | null,
  silent: Silent,
  computed: readonly Computed[],
): void {
  console.log(found.sentence);
  for (const note of [...found.notes, ...log.notes]) console.log(`- ${note}`);
  if (anchors)
    console.log(
      `${anchors.states} states, ${anchors.shared} of them met by more than one episode of their task: ` +
        `${percent(anchors.stepsShared / anchors.steps)} of the steps can be compared.`,
    );
  console.log(`${silent.all.length} of ${silent.tasks} tasks are silent: all their episodes have the same outcome.`);
  for (const c of computed) {
    if (!c.ok) continue;
    const { up, down, none } = shares(c.A);
    console.log(`${c.title}: ▲ ${percent(up)}, ▼ ${percent(down)}, none ${percent(none)}`);
  }
  const reasons = new Map<string, string[]>();
  for (const { ok, id, title } of computed) {
    if (ok) continue;
    const found = lackOf(estimatorOf(id)!, log.fields);
    const reason = found ? `needs ${found.what}. ${found.how}`.trimEnd() : 'its numbers are not finite';
    reasons.set(reason, [...(reasons.get(reason) ?? []), title]);
  }
  for (const [reason, titles] of reasons) console.log(`Not computed (${reason}): ${titles.join(', ')}`);
}

async function keep(out: string, read: ReadLog, log: LogBatch, computed: readonly Computed[]): Promise<number> {
  const done = computed.filter((c) => c.ok);
  const summary = summaryOf(read.found, log, anchorsOf(log), silentOf(log), computed);
  const failed = await writeWhole(out, [
    { name: FILES[0]!, text: () => creditCsv(read.table, log, done) },
    { name: FILES[1]!, text: pairsCsv(done, pairsOf(done.map(({ A }) => A))) },
    { name: FILES[2]!, text: `${JSON.stringify(summary, null, 2)}\n` },
  ]);
  if (failed !== null) return say(failed);
  console.log(`Credit of every step is in ${join(out, FILES[0]!)}`);
  return 0;
}
