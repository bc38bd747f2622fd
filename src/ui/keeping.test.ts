import { expect, test } from 'vitest';
import { forgets } from './keeping.ts';

const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15';
const CHROME_ON_IOS =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/137.0.7151.51 Mobile/15E148 Safari/604.1';
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

test('only WebKit forgets after seven days, whatever it is called, and only without a promise to keep', () => {
  expect([SAFARI, CHROME_ON_IOS, CHROME, FIREFOX].map((agent) => forgets(agent, false))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(forgets(SAFARI, true)).toBe(false);
});
