import { parse } from '../../core/settings.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { fieldAt } from '../../config/schema.ts';
import { kindOf, type Block } from './blocks.ts';
import { faultWords, readExpression } from './expression.ts';
import { lessonSchema, type Lesson } from './lesson.ts';

/** A lesson, or the sentences of all that is wrong with it. */
export type ReadLesson =
  { readonly ok: true; readonly lesson: Lesson } | { readonly ok: false; readonly issues: readonly string[] };

/** “blocks.3.predict” as people count, with the kind of the block. */
function placeOf(path: string, raw: unknown): string {
  const [first, index, ...rest] = path.split('.');
  if (first === undefined || first === '') return 'The lesson';
  if (index === undefined || !/^\d+$/.test(index)) return `${path} of the lesson`;
  const number = Number(index) + 1;
  const entry = (raw as Record<string, unknown[] | undefined>)[first]?.[Number(index)];
  const kind = first === 'blocks' ? kindOf(entry) : null;
  const named = (entry as { id?: unknown } | undefined)?.id;
  const which = kind ? ` (${kind})` : typeof named === 'string' ? ` (${named.slice(0, 40)})` : '';
  const inside = rest.length > 0 ? `${rest.join('.')} of ` : '';
  const one = first.replace(/s$/, '');
  return `${inside}${one} ${number}${which}`;
}
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Reads an untrusted lesson: plain data, against the schema, then everything that it refers to. Never throws. */
export function readLesson(raw: unknown): ReadLesson {
  const parsed = parse(lessonSchema, raw);
  if (!parsed.ok) {
    const issues = parsed.issues.map(({ path, message }) => `${capital(placeOf(path.slice(0, 200), raw))} ${message}.`);
    return { ok: false, issues };
  }
  const issues = [...referenceIssues(parsed.value)];
  return issues.length > 0 ? { ok: false, issues } : { ok: true, lesson: parsed.value };
}

/** The one sentence of what is wrong, where there may be many. */
export function firstOf(issues: readonly string[]): string {
  const [first = ''] = issues;
  const more = issues.length - 1;
  return more > 0 ? `${first} ${more} more thing${more > 1 ? 's are' : ' is'} wrong after that.` : first;
}

function* twice(what: string, ids: readonly string[]): Generator<string> {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) yield `Two ${what} are named “${id}”; each needs its own name.`;
    seen.add(id);
  }
}

const ofKind = <K extends string>(blocks: readonly Block[], kind: K) =>
  blocks.flatMap((block) => (kind in block ? [block as Extract<Block, Record<K, unknown>>] : []));

/** Ids that clash, names that nothing has, expressions that cannot be read. */
function* referenceIssues({ arms, blocks, checks, id, needs }: Lesson): Generator<string> {
  const predictions = ofKind(blocks, 'predict').map((b) => b.predict);
  const exercises = ofKind(blocks, 'exercise').map((b) => b.exercise);
  yield* twice(
    'arms',
    arms.map((arm) => arm.id),
  );
  yield* twice(
    'checks, predictions or exercises',
    [...checks, ...predictions, ...exercises].map((x) => x.id),
  );
  if (needs.includes(id)) yield `The lesson “${id}” needs itself.`;
  const hasArm = (name: string): boolean => arms.some((arm) => arm.id === name);
  const hasCheck = (name: string): boolean => checks.some((check) => check.id === name);
  const noArm = (where: string, name: string): string =>
    `${where} names the arm “${name}”, which the lesson does not have.`;
  const noCheck = (where: string, name: string): string =>
    `${where} names the check “${name}”, which the lesson does not have.`;
  const noMetric = (where: string, name: string): string =>
    `${where} names the metric “${name}”, which does not exist.`;
  for (const { id: arm, stopAt, changes } of arms) {
    if (stopAt && !(stopAt.metric in metricIndex)) yield noMetric(`stopAt of the arm ${arm}`, stopAt.metric);
    for (const path of Object.keys(changes))
      if (!fieldAt(path)) yield `The arm ${arm} changes “${path.slice(0, 60)}”, which is not a setting.`;
  }
  for (const { id: check, value } of checks) {
    const read = readExpression(value);
    if ('fault' in read) yield `The value of the check “${check}” ${faultWords(value, read.fault)}.`;
  }
  for (const [k, block] of blocks.entries()) {
    const where = `Block ${k + 1} (${kindOf(block)})`;
    if ('show' in block && block.show.arm && !hasArm(block.show.arm)) yield noArm(where, block.show.arm);
    if ('run' in block) {
      for (const name of block.run) if (!hasArm(name)) yield noArm(where, name);
      for (const name of block.chart) if (!(name in metricIndex)) yield noMetric(where, name);
    }
    if ('check' in block && !hasCheck(block.check)) yield noCheck(where, block.check);
    if ('reveal' in block) yield* revealIssues(where, block.reveal, { predictions, hasCheck });
    if ('formula' in block) {
      for (const [name, value] of Object.entries(block.formula.values)) {
        const read = readExpression(value);
        if ('fault' in read) yield `${where}: the value of ${name} ${faultWords(String(value), read.fault)}.`;
      }
    }
    if ('exercise' in block) {
      const { arm, goal, fields } = block.exercise;
      if (!hasArm(arm)) yield noArm(where, arm);
      if (!hasCheck(goal)) yield noCheck(where, goal);
      for (const path of fields)
        if (!fieldAt(path)) yield `${where} offers “${path.slice(0, 60)}”, which is not a setting.`;
    }
  }
}

type Known = {
  readonly predictions: readonly { id: string; choices?: readonly string[] | undefined }[];
  readonly hasCheck: (name: string) => boolean;
};

function* revealIssues(
  where: string,
  { of, answer }: { readonly of: string; readonly answer: number | string },
  { predictions, hasCheck }: Known,
): Generator<string> {
  const asked = predictions.find((p) => p.id === of);
  if (!asked) yield `${where} answers the prediction “${of}”, which the lesson does not ask.`;
  if (typeof answer === 'string' && !hasCheck(answer))
    yield `${where} names the check “${answer}”, which the lesson does not have.`;
  if (typeof answer === 'number' && asked?.choices && asked.choices[answer] === undefined)
    yield `${where} names choice ${answer}, but choices are numbered from 0 to ${asked.choices.length - 1}.`;
}
