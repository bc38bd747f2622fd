import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LogDesk } from './desk.ts';
import { lessonNumber, LESSON } from './lesson.ts';
import { textFile } from './sampleLogs.ts';

const EXAMPLE = join(import.meta.dirname, '../../public/examples/house.jsonl');

async function house(): Promise<LogDesk> {
  const desk = new LogDesk();
  const opened = await desk.open([textFile('house.jsonl', readFileSync(EXAMPLE, 'utf8'))], {});
  if (!opened.ok) throw new Error(opened.sentence);
  expect([opened.tasks, opened.episodes, opened.successes]).toEqual([3, 18, 7]);
  expect(opened.silent).toMatchObject({ all: [2], won: 0, lost: 1 });
  return desk;
}

test('every number of the lesson is the credit of the step that it names', async () => {
  const desk = await house();
  for (const { words, numbers } of LESSON) {
    for (const { episode, t, told, credit } of numbers) {
      const place = desk.find(episode, t)!;
      const { A } = desk.step(place, told, [told]);
      expect([episode, t, told, lessonNumber(A!).replace('−0.000', '+0.000')]).toEqual([
        episode,
        t,
        told,
        lessonNumber(credit),
      ]);
      expect(words).toContain(lessonNumber(credit));
    }
    // and there is no number in the words that nobody has checked
    const written = words.match(/[+−]\d+\.\d{3}/g) ?? [];
    expect(written.filter((text) => !numbers.some(({ credit }) => lessonNumber(credit) === text))).toEqual([]);
  }
});

test('the documentation tells the same lesson', () => {
  const told = readFileSync(join(import.meta.dirname, '../../docs/trajectories.md'), 'utf8').replace(/\s+/g, ' ');
  expect(LESSON.filter(({ words }) => !told.includes(words))).toEqual([]);
});

test('what the lesson says of the choices in the hall and in the kitchen is so', async () => {
  const desk = await house();
  const hall = desk.step(desk.find('mug-4', 6)!, 'gigpo', ['gigpo']);
  expect(hall.state).toContain('You are in the hall. You carry the mug.');
  expect(hall.choices.map(({ action, visits, successes }) => [action, visits, successes])).toEqual([
    ['go to the study', 2, 2],
    ['look around', 1, 1],
    ['go to the bedroom', 1, 0],
    ['go to the kitchen', 1, 0],
  ]);
  const kitchen = desk.step(desk.find('mug-2', 4)!, 'salt', ['salt']);
  expect(kitchen.choices.map(({ action, visits }) => [action, visits])).toEqual([['take the mug', 6]]);
  // the explanation adds up to the credit that it is of
  const { explanation, A } = desk.step(desk.find('mug-1', 3)!, 'gigpo', ['gigpo', 'grpo']);
  expect(explanation!.terms.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(A!, 5);
});

test('the graph of a task has its states by their words, and the credit of its steps', async () => {
  const desk = await house();
  const made = desk.graph(0, 'salt', 0, []);
  if (typeof made === 'string') throw new Error(made);
  expect(made.names.map(({ short }) => short)).toContain('hall. You carry the mug.');
  const study = Array.from(made.graph.from.keys()).find(
    (e) =>
      made.actions[made.graph.action[e]!] === 'go to the study' &&
      made.names[made.graph.from[e]!]!.short === 'hall. You carry the mug.',
  )!;
  expect(made.credit[study]).toBeCloseTo(1.291, 3);
  expect(desk.graph(2, 'salt', 0, [])).not.toBeTypeOf('string');
});

test('disputes, pairs and the window of a page are of the same steps', async () => {
  const desk = await house();
  const [first] = desk.disputes('grpo', 'salt');
  const step = desk.step(first!, 'grpo', ['grpo', 'salt']);
  expect(first!.episode).toBe(step.episode);
  // of the two, only SALT finds nothing in this step
  expect(step.credit.map(({ A }) => Math.sign(A))).toEqual([Math.sign(first!.x), Math.sign(first!.y)]);
  const window = desk.window([0, 1], ['grpo', 'gae', 'salt']);
  // an estimator that the log does not allow has no strip
  expect(window.columns.map(({ id }) => id)).toEqual(['grpo', 'salt']);
  expect(window.B).toBe(12);
  const k = window.row.indexOf(first!.i);
  expect(window.columns[0]!.values[k * window.T + first!.t]).toBe(step.credit[0]!.A);
  expect(desk.pairs(['grpo', 'gigpo', 'salt']).pairs).toHaveLength(3);
  expect(desk.column('gae')).toMatchObject({
    why: expect.stringContaining('needs the value that a critic gave every state'),
  });
});
