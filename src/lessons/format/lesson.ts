import * as v from 'valibot';
import { blockSchema } from './blocks.ts';
import { id, list, name, text, words } from './fields.ts';

/** Largest sizes of a lesson, wherever it comes from. */
export const CAPS = { bytes: 256_000, blocks: 100, arms: 6, checks: 30, fields: 5, seconds: 60 } as const;

const setting = v.union(
  [v.number(), v.string(), v.boolean(), v.array(v.union([v.number(), v.string()]))],
  'must be a number, a text, true or false, or a list',
);
const changes = v.pipe(
  v.record(v.string(), setting, 'must be a group of settings'),
  v.check((settings) => Object.keys(settings).length <= 60, 'has more than 60 settings'),
);

/** What is trained: an experiment, on the CPU path. It stops early where the mean of a metric over all seeds reaches a level. */
const armSchema = v.strictObject({
  id: name,
  label: words(60),
  /** id of an experiment of the lab; without it the changes are to the defaults */
  preset: v.optional(words(60)),
  changes: v.optional(changes, {}),
  stopAt: v.optional(v.strictObject({ metric: words(40), level: v.number('must be a number') })),
});

/** Where the expected value of a check comes from. The page marks it. */
export const SOURCES = ['exact', 'specification', 'fixture', 'engine'] as const;

const bound = v.optional(v.pipe(v.number('must be a number'), v.finite('must be a number')));

/** A claim about the trained arms: the value of an expression lies where the lesson says. */
const checkSchema = v.pipe(
  v.strictObject({
    id,
    says: words(300),
    value: words(2000),
    between: v.optional(
      v.pipe(
        list(v.number('must be a number'), 2),
        v.check(([low, high]) => low! <= high!, 'must be two numbers, the smaller one first'),
      ),
    ),
    atLeast: bound,
    atMost: bound,
    source: v.picklist(SOURCES, `must be one of ${SOURCES.join(', ')}`),
  }),
  v.check(
    ({ between, atLeast, atMost }) => [between, atLeast, atMost].filter((x) => x !== undefined).length === 1,
    'needs one of between, atLeast and atMost',
  ),
);

const paperSchema = v.strictObject({
  title: words(200),
  arxiv: v.optional(v.pipe(words(20), v.regex(/^\d{4}\.\d{4,5}$/, 'must be an arXiv id such as 2505.10978'))),
});

export const lessonSchema = v.strictObject({
  format: v.literal(1, 'must be 1, the only version there is'),
  id,
  number: v.optional(
    v.pipe(v.number('must be a number'), v.integer('must be a whole number'), v.minValue(1), v.maxValue(99)),
  ),
  title: words(120),
  minutes: v.pipe(
    v.number('must be a number'),
    v.minValue(1, 'must be at least 1'),
    v.maxValue(60, 'must be at most 60'),
  ),
  objective: words(300),
  needs: v.optional(list(id, 12), []),
  papers: v.optional(list(paperSchema, 20), []),
  arms: v.pipe(list(armSchema, CAPS.arms), v.minLength(1, 'needs at least one arm')),
  blocks: v.pipe(list(blockSchema, CAPS.blocks), v.minLength(1, 'needs at least one block')),
  checks: v.optional(list(checkSchema, CAPS.checks), []),
  /** “What this small model cannot show” */
  limits: text(3000),
  /** one page for the teacher */
  notes: v.optional(text(8000)),
  /** an exercise sheet that prints: questions, with answers on the teacher's page */
  sheet: v.optional(list(v.strictObject({ question: text(1500), answer: text(1500) }), 20), []),
});

/** A lesson: data only. Texts are a subset of Markdown, numbers are checked, expressions are read and never run as code. */
export type Lesson = v.InferOutput<typeof lessonSchema>;
export type ArmSpec = v.InferOutput<typeof armSchema>;
export type CheckSpec = v.InferOutput<typeof checkSchema>;
export type Source = (typeof SOURCES)[number];
/** What a list of lessons shows of each, with the number of its checks. */
export type AboutLesson = Pick<Lesson, 'id' | 'number' | 'title' | 'minutes' | 'objective' | 'needs'> & {
  readonly checks: number;
};
