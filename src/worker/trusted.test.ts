import { expect, test } from 'vitest';
import { ownScript } from './trusted.ts';

test('scripts of this site are let through as they are, and no others', () => {
  const base = 'https://lab.example/site/index.html#/lab?x=1';
  for (const own of ['assets/worker-1.js', 'https://lab.example/site/assets/worker-1.js', '/a.js'])
    expect(ownScript(own, base)).toBe(own);
  const foreign = ['https://example.org/a.js', '//example.org/a.js', 'data:text/javascript,1', 'javascript:1'];
  for (const text of [...foreign, 'blob:https://lab.example/1', 'https://'])
    expect(ownScript(text, base), text).toBeNull();
});
