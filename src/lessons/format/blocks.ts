import * as v from 'valibot';
import { id, list, name, text, words } from './fields.ts';

const number = v.pipe(v.number('must be a number'), v.finite('must be a number'));
const index = v.pipe(
  v.number('must be a number'),
  v.integer('must be a whole number'),
  v.minValue(0, 'must be 0 or more'),
);
const metric = words(40);

/** Where a lesson points the lab: every part is optional, and the reader's first touch takes over. */
const viewSchema = v.strictObject({
  arm: v.optional(name),
  /** what is beside the text */
  tab: v.optional(
    v.picklist(
      ['watch', 'credit', 'charts', 'episodes', 'graph', 'update', 'setup'],
      'must be one of watch, credit, charts, episodes, graph, update, setup',
    ),
  ),
  /** what the map of the stage shows */
  layer: v.optional(
    v.picklist(
      ['policy', 'visits', 'credit', 'entropy', 'change'],
      'must be one of policy, visits, credit, entropy, change',
    ),
  ),
  pace: v.optional(v.picklist(['step', 'slow', 'normal', 'full'], 'must be one of step, slow, normal, full')),
  /** from 0 */
  seed: v.optional(index),
  trajectory: v.optional(index),
  step: v.optional(index),
  /** the lab trains from here on, as if the reader had pressed Run */
  run: v.optional(v.boolean('must be true or false')),
});
export type LessonView = v.InferOutput<typeof viewSchema>;

const range = v.pipe(
  v.strictObject({ min: number, max: number, unit: v.optional(words(30)) }),
  v.check(({ min, max }) => min < max, 'needs a min that is smaller than its max'),
);
const predictionSchema = v.pipe(
  v.strictObject({
    id,
    question: words(400),
    choices: v.optional(v.pipe(list(words(200), 6), v.minLength(2, 'needs at least two choices'))),
    number: v.optional(range),
  }),
  v.check(
    ({ choices, number: asked }) => (choices === undefined) !== (asked === undefined),
    'needs either choices or number',
  ),
);
export type Prediction = v.InferOutput<typeof predictionSchema>;

const expression = v.union([number, words(2000)], 'must be a number or an expression');
const button = words(60);

const BLOCKS = {
  say: v.strictObject({ say: text(4000) }),
  show: v.strictObject({ show: viewSchema, words: v.optional(button, 'Show me') }),
  predict: v.strictObject({ predict: predictionSchema }),
  run: v.strictObject({
    run: v.pipe(list(name, 6), v.minLength(1, 'needs at least one arm')),
    chart: v.optional(v.pipe(list(metric, 3), v.minLength(1, 'needs at least one metric')), ['success']),
  }),
  /** `answer`: number of the right choice from 0, the right number, or the id of the check that has it */
  reveal: v.strictObject({
    reveal: v.strictObject({
      of: id,
      answer: v.union([number, id], 'must be a number or the id of a check'),
      text: text(2000),
    }),
  }),
  formula: v.strictObject({
    formula: v.strictObject({
      text: words(300),
      values: v.pipe(
        v.record(words(20), expression, 'must be a group of values'),
        v.check((values) => Object.keys(values).length <= 12, 'has more than 12 values'),
      ),
    }),
  }),
  check: v.strictObject({ check: id }),
  exercise: v.strictObject({
    exercise: v.strictObject({
      id,
      text: text(2000),
      arm: name,
      fields: v.pipe(list(words(80), 5), v.minLength(1, 'needs at least one field')),
      goal: id,
    }),
  }),
  terms: v.strictObject({ terms: v.pipe(list(words(40), 12), v.minLength(1, 'needs at least one term')) }),
} as const;
const KINDS = Object.keys(BLOCKS) as (keyof typeof BLOCKS)[];

export type Block = v.InferOutput<(typeof BLOCKS)[keyof typeof BLOCKS]>;
export type BlockOf<K extends keyof typeof BLOCKS> = v.InferOutput<(typeof BLOCKS)[K]>;

/** The first kind whose name a block holds; null: none. */
export function kindOf(block: unknown): keyof typeof BLOCKS | null {
  return KINDS.find((kind) => typeof block === 'object' && block !== null && Object.hasOwn(block, kind)) ?? null;
}

const ofNoKind = v.custom<Block>(() => false, `must be one of ${KINDS.join(', ')}`);
/** A block is what its key says; so a mistake is told of that kind, and not of all the others. */
export const blockSchema: v.GenericSchema<unknown, Block> = v.lazy((block): v.GenericSchema<unknown, Block> => {
  const kind = kindOf(block);
  return kind === null ? ofNoKind : BLOCKS[kind];
});
