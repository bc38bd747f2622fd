/** For tests: the smallest lesson with one arm and one check, with some of its fields replaced; `undefined` leaves one out. */
export function sampleLesson(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const lesson = {
    format: 1,
    id: 'sample',
    title: 'A sample',
    minutes: 1,
    objective: 'See that a table learns.',
    arms: [SAMPLE_ARM],
    blocks: [{ say: 'A text.' }, { run: ['a'] }, { check: 'learned' }],
    checks: [
      { id: 'learned', says: 'It finds the door.', value: 'mean(last(a, success))', atLeast: 0.5, source: 'exact' },
    ],
    limits: 'It is small.',
    ...changes,
  };
  return JSON.parse(JSON.stringify(lesson)) as Record<string, unknown>;
}

/** Learns to open the door within two dozen updates. */
export const SAMPLE_ARM = {
  id: 'a',
  label: 'A table',
  preset: 'lesson-grpo',
  changes: { 'run.seeds': 2, 'run.updates': 24, 'analysis.evalEvery': 0, 'optimizer.learningRate': 0.8 },
};
