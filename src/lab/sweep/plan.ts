import * as v from 'valibot';
import { canonicalJson } from '../../config/canonical.ts';
import { withLaterSettings } from '../../config/migrations.ts';
import { configWith, parseConfig } from '../../config/schema.ts';
import { parse } from '../../core/settings.ts';
import type { Cell, Group, Sweep } from './expand.ts';

/** Columns of the table of finished cells; diverged: in which update, empty where the run went to its end. */
export const SUMMARY_NAMES = [
  'group',
  'seed',
  'updates',
  'envSteps',
  'score',
  'evalSuccess',
  'diverged',
  'digest',
  'cell',
];

/** What a sweep consists of, apart from how it was described: enough to compare what it left behind. */
export type Plan = Pick<Sweep, 'groups' | 'threshold'> & {
  readonly cells: readonly Pick<Cell, 'address' | 'group' | 'seed' | 'config' | 'measure'>[];
};

const KIND = 'horizon-lab sweep';
const VERSION = 1;
const settingValue = v.union([v.number(), v.string(), v.boolean(), v.pipe(v.array(v.number()), v.readonly())]);
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
const schema = v.strictObject({
  kind: v.literal(KIND),
  version: v.literal(VERSION),
  threshold: v.number(),
  groups: v.array(
    v.strictObject({
      name: v.string(),
      config: v.record(v.string(), v.unknown()),
      measure: v.optional(
        v.strictObject({
          id: v.pipe(v.string(), v.regex(/^[a-zA-Z]{1,40}$/)),
          params: v.record(v.string(), settingValue),
          address: v.pipe(v.string(), v.regex(/^[a-z2-7]{10}$/)),
        }),
      ),
    }),
  ),
  cells: v.array(
    v.strictObject({ address: v.pipe(v.string(), v.regex(/^[a-z2-7]{10}(-\d+s?)?$/)), group: index, seed: index }),
  ),
});

export function writePlan({ groups, threshold, cells }: Sweep): string {
  const listed = cells.map(({ address, group, seed }) => ({ address, group, seed }));
  return `${canonicalJson({ kind: KIND, version: VERSION, threshold, groups, cells: listed })}\n`;
}

/** Reads what `writePlan` wrote; null for anything else. */
export function readPlan(text: string): Plan | null {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = parse(schema, raw);
  if (!parsed.ok) return null;
  const groups: Group[] = [];
  for (const { name, config, measure } of parsed.value.groups) {
    const read = parseConfig(withLaterSettings(config));
    if (!read.ok) return null;
    groups.push({ name, config: read.value, ...(measure ? { measure } : {}) });
  }
  if (parsed.value.cells.some(({ group }) => group >= groups.length)) return null;
  const cells = parsed.value.cells.map((cell) => {
    const { config, measure } = groups[cell.group]!;
    return { ...cell, config: configWith({ 'run.seed': cell.seed }, config), ...(measure ? { measure } : {}) };
  });
  return { groups, threshold: parsed.value.threshold, cells };
}
