import { expect, test } from 'vitest';
import { lessonModule } from './lib/lessonYaml.mjs';

test('a file becomes plain data at build time; a list gets only what it shows', () => {
  const text = 'format: 1\nid: a\ntitle: "<b>"\nminutes: 3\nobjective: x\nblocks: [{ say: y }]\n';
  expect(lessonModule(text, false)).toBe(
    'export const lesson = {"format":1,"id":"a","title":"<b>","minutes":3,"objective":"x","blocks":[{"say":"y"}]};',
  );
  expect(lessonModule(text, true)).toBe(
    'export const about = {"needs":[],"id":"a","title":"<b>","minutes":3,"objective":"x","checks":0};',
  );
});
