import { describe, expect, test } from 'vitest';
import { LessonRuns } from '../runs.ts';
import { configOfArm } from '../arms.ts';
import { SAMPLE_ARM, sampleLesson } from './sampleLesson.ts';
import { firstOf } from './read.ts';
import { readLessonText } from './text.ts';

/** What a stranger may have written into a lesson file: each is one clear sentence, and nothing of it starts. */

const text = (changes: Readonly<Record<string, unknown>>): string => JSON.stringify(sampleLesson(changes));
const sentenceOf = async (written: string): Promise<string | null> => {
  const read = await readLessonText(written);
  return read.ok ? null : firstOf(read.issues);
};
const check = (value: string) => ({ checks: [{ id: 'c', says: 'It is so.', value, atLeast: 0, source: 'exact' }] });
const LAUGHS = `a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]`;

describe('files that are no lessons', () => {
  test.each<[string, string, string | RegExp]>([
    ['aliases that grow', LAUGHS, 'The file holds an alias (*name); a lesson is written without.'],
    ['one alias', 'format: &x 1\nid: *x', 'The file holds an alias (*name); a lesson is written without.'],
    [
      'a tag',
      'format: !!js/function "() => 1"',
      /^The file holds a tag \(.*js\/function\); a lesson is written without\.$/,
    ],
    ['a merge key', '<<: {format: 1}', /is missing\. .* more things are wrong/],
    ['a text', 'hello', 'The file holds no lesson: it must begin with “format: 1”.'],
    ['nothing', '', 'The file holds no lesson: it must begin with “format: 1”.'],
    ['a list', '- 1', 'The file holds no lesson: it must begin with “format: 1”.'],
    ['two documents', 'format: 1\n---\nformat: 1', /^The file could not be read as YAML: /],
    ['one key twice', 'id: a\nid: b', /^The file could not be read as YAML: Map keys must be unique/],
    ['a picture', '\u0000\u0001\u0002', /^The file (could not be read as YAML|holds no lesson)/],
    ['brackets without end', '['.repeat(50_000), /^The file could not be read as YAML: /],
    [
      'brackets 5,000 deep',
      `a: ${'['.repeat(5000)}${']'.repeat(5000)}`,
      /^(The file could not be read as YAML: |The lesson is nested too deeply)/,
    ],
    ['more than fits', `title: ${'x'.repeat(256_001)}`, 'The file has 257 kB; a lesson has at most 256 kB.'],
    ['letters of several bytes', `title: ${'€'.repeat(90_000)}`, 'The file has 271 kB; a lesson has at most 256 kB.'],
  ])('%s', async (_, written, sentence) => {
    const found = await sentenceOf(written);
    if (typeof sentence === 'string') expect(found).toBe(sentence);
    else expect(found).toMatch(sentence);
  });
});

describe('lessons with something in them that must not be there', () => {
  test.each<[string, string, string]>([
    [
      'a prototype',
      `{"__proto__": {"polluted": 1}, ${text({}).slice(1)}`,
      'The lesson is nested too deeply or has a forbidden name.',
    ],
    ['a constructor', text({ papers: [{ title: 'x', constructor: 1 }] }), 'forbidden name'],
    ['a field that nobody knows', text({ onload: 'alert(1)' }), 'Onload of the lesson is not a known field.'],
    ['a field in an arm', text({ arms: [{ ...SAMPLE_ARM, code: '1' }] }), 'Code of arm 1 (a) is not a known field.'],
    [
      '101 blocks',
      text({ blocks: Array.from({ length: 101 }, () => ({ say: 'x' })) }),
      'Blocks of the lesson has more than 100 entries.',
    ],
    [
      'seven arms',
      text({ arms: Array.from({ length: 7 }, (_, k) => ({ ...SAMPLE_ARM, id: `a${k}` })) }),
      'Arms of the lesson has more than 6 entries.',
    ],
    ['arms of one name', text({ arms: [SAMPLE_ARM, SAMPLE_ARM] }), 'Two arms are named “a”; each needs its own name.'],
    [
      'a number without end',
      text({}).replace('"minutes":1', '"minutes":1e999'),
      'Minutes of the lesson must be at most 60.',
    ],
    ['no number', text({ minutes: '.nan' }), 'Minutes of the lesson must be a number.'],
    ['a bound without end', 'checks', 'must be a number'],
    ['a long text', text({ limits: 'x'.repeat(3001) }), 'Limits of the lesson is longer than 3000 letters.'],
    [
      'a path that leads elsewhere',
      text({ arms: [{ ...SAMPLE_ARM, changes: { 'run.__proto__.x': 1 } }] }),
      'The arm a changes “run.__proto__.x”, which is not a setting.',
    ],
    [
      'an address for a paper',
      text({ papers: [{ title: 'x', arxiv: 'https://example.com' }] }),
      'Arxiv of paper 1 must be an arXiv id such as 2505.10978.',
    ],
    [
      'an expression that is long',
      text(check('1+'.repeat(50_000) + '1')),
      'Value of check 1 (c) is longer than 2000 letters.',
    ],
    [
      'an expression that is deep',
      text(check(`${'('.repeat(900)}1${')'.repeat(900)}`)),
      'more than 40 brackets are open here',
    ],
    ['an expression with many pieces', text(check('1'.padEnd(1999, '+1'))), 'has more than 400 pieces'],
    ['a call of something else', text(check('fetch(1)')), ''],
  ])('%s', async (_, written, sentence) => {
    const whole = written === 'checks' ? text(check('1')).replace('"atLeast":0', '"atLeast":1e999') : written;
    const read = await readLessonText(whole);
    const opened = read.ok ? LessonRuns.open(read.lesson, configOfArm) : null;
    const issues = read.ok ? (opened && 'issues' in opened ? opened.issues : []) : read.issues;
    expect(issues.length).toBeGreaterThan(0);
    expect(firstOf(issues)).toContain(sentence);
    // not a word of the file is repeated at length
    expect(firstOf(issues).length).toBeLessThan(400);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

test('HTML, links and code in texts are texts', async () => {
  const nasty = '<img src=x onerror=alert(1)> [x](javascript:alert(1)) {{constructor}} ${1}';
  const read = await readLessonText(text({ title: nasty, limits: nasty, blocks: [{ say: nasty }] }));
  expect(read).toMatchObject({ ok: true, lesson: { title: nasty, limits: nasty, blocks: [{ say: nasty }] } });
});

test.each<[string, Record<string, unknown>]>([
  ['too many episodes', { 'rollout.tasksPerBatch': 512, 'rollout.groupSize': 512 }],
  ['a network that is too large', { 'policy.method': 'mlp', 'policy.mlp.hidden': [512, 512, 512, 512, 512, 512] }],
  ['updates beyond the range', { 'run.updates': 1e9 }],
  ['seeds that are no number', { 'run.seeds': 'many' }],
  ['a method that is none', { 'advantage.method': 'constructor' }],
])('an arm over the caps is refused before anything of it is made: %s', async (_, changes) => {
  const read = await readLessonText(text({ arms: [{ ...SAMPLE_ARM, changes }] }));
  if (!read.ok) throw new Error(firstOf(read.issues));
  const config = await configOfArm(read.lesson.arms[0]!);
  expect(config).toEqual(expect.stringMatching(/^The arm a cannot be trained/));
});
