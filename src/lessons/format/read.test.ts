import { describe, expect, test } from 'vitest';
import { bindExpression } from '../bind.ts';
import { faultWords } from './expression.ts';
import { firstOf, readLesson } from './read.ts';
import { sampleLesson } from './sampleLesson.ts';

/** The sentences of what is wrong with the sample once something in it is replaced. */
function issuesWith(changes: Readonly<Record<string, unknown>>): readonly string[] {
  const read = readLesson(sampleLesson(changes));
  return read.ok ? [] : read.issues;
}

test('the sample is a lesson', () => {
  expect(issuesWith({})).toEqual([]);
});

describe('one sentence for each mistake', () => {
  const check = { id: 'learned', says: 'It learned.', value: 'mean(last(a, success))', atLeast: 0.5, source: 'exact' };
  test.each<[string, Record<string, unknown>, string]>([
    ['another version', { format: 2 }, 'Format of the lesson must be 1, the only version there is.'],
    ['a field of its own', { script: 'alert(1)' }, 'Script of the lesson is not a known field.'],
    ['no title', { title: undefined }, 'Title of the lesson is missing.'],
    ['a title that is a number', { title: 5 }, 'Title of the lesson must be a text.'],
    ['an empty title', { title: ' ' }, 'Title of the lesson is empty.'],
    [
      'a block of no kind',
      { blocks: [{ html: '<b>' }] },
      'Block 1 must be one of say, show, predict, run, reveal, formula, check, exercise, terms.',
    ],
    [
      'a block with two kinds',
      { blocks: [{ say: 'x', check: 'learned' }] },
      'Check of block 1 (say) is not a known field.',
    ],
    [
      'a choice that is alone',
      { blocks: [{ predict: { id: 'p', question: 'What?', choices: ['a'] } }] },
      'Predict.choices of block 1 (predict) needs at least two choices.',
    ],
    [
      'a prediction of nothing',
      { blocks: [{ predict: { id: 'p', question: 'What?' } }] },
      'Predict of block 1 (predict) needs either choices or number.',
    ],
    [
      'a check without a bound',
      { checks: [{ ...check, atLeast: undefined }] },
      'Check 1 (learned) needs one of between, atLeast and atMost.',
    ],
    [
      'a bound that is upside down',
      { checks: [{ ...check, atLeast: undefined, between: [2, 1] }] },
      'Between of check 1 (learned) must be two numbers, the smaller one first.',
    ],
    [
      'two checks with one name',
      { checks: [check, check] },
      'Two checks, predictions or exercises are named “learned”; each needs its own name.',
    ],
    [
      'an arm that is not there',
      { blocks: [{ run: ['b'] }] },
      'Block 1 (run) names the arm “b”, which the lesson does not have.',
    ],
    [
      'a metric that is not there',
      { blocks: [{ run: ['a'], chart: ['fun'] }] },
      'Block 1 (run) names the metric “fun”, which does not exist.',
    ],
    [
      'a setting that is not there',
      { arms: [{ id: 'a', label: 'A', changes: { 'run.speed': 3 } }] },
      'The arm a changes “run.speed”, which is not a setting.',
    ],
    [
      'a reveal of nothing',
      { blocks: [{ reveal: { of: 'p', answer: 1, text: 'Yes.' } }] },
      'Block 1 (reveal) answers the prediction “p”, which the lesson does not ask.',
    ],
    [
      'a name that is a word of expressions',
      { arms: [{ id: 'in', label: 'A' }] },
      'Id of arm 1 (in) is a word that expressions use for something else.',
    ],
    [
      'an expression with an end missing',
      { checks: [{ ...check, value: 'mean(last(a, success)' }] },
      'The value of the check “learned” cannot be read at its end: “,” is expected here, not the end.',
    ],
    [
      'an expression with a strange letter',
      { checks: [{ ...check, value: '2 $ 3' }] },
      'The value of the check “learned” cannot be read at letter 3 (“$”): “$” is not read here.',
    ],
  ])('%s', (_, changes, sentence) => {
    expect(firstOf(issuesWith(changes))).toContain(sentence);
  });
});

describe('names in expressions', () => {
  test.each<[string, string]>([
    ['mean(last(b, success))', 'cannot be read at letter 11 (“b”): there is no arm “b” (did you mean a?)'],
    [
      'mean(last(a, sucess))',
      'cannot be read at letter 14 (“sucess”): there is no metric “sucess” (did you mean success?)',
    ],
    ['meen(last(a, success))', 'cannot be read at letter 1 (“meen”): there is no measure “meen” (did you mean mean?)'],
    ['last(a)', 'cannot be read at letter 1 (“last(a)”): last takes 2 values, not 1'],
    ['a + 1', 'cannot be read at letter 1 (“a”): a is not a number'],
    ['last(3, success)', 'cannot be read at letter 6 (“3”): an arm is expected here'],
    ['last(arm: a, success)', 'cannot be read at letter 6 (“arm”): values have no names here'],
  ])('%s', (text, words) => {
    const found = bindExpression(text, { arms: ['a'] });
    expect('fault' in found && faultWords(text, found.fault)).toContain(words);
  });
});
