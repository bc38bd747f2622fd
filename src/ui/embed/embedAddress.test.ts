import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeLink, linkFragment } from '../../config/link.ts';
import { defaultConfig, setValue } from '../../config/schema.ts';
import { EMBED_CONTROLS, EMBED_DEFAULTS, EMBED_THEMES, EMBED_VIEWS, embedHash, readEmbedHash } from './embedAddress.ts';
import { EMBED_SANDBOX, embedAddress, embedCode } from './embedCode.ts';

const link = `https://lab.example/${linkFragment({ config: setValue(defaultConfig(), 'run.seeds', 2), title: 'A “title”' })}`;

describe('the address of a frame', () => {
  test('what is written is what is read', () => {
    const options = fc.record({
      run: fc.boolean(),
      controls: fc.constantFrom(...EMBED_CONTROLS),
      theme: fc.constantFrom(...EMBED_THEMES),
      metrics: fc.uniqueArray(fc.stringMatching(/^[a-zA-Z]{1,12}$/), { maxLength: 6 }),
      readonly: fc.boolean(),
      height: fc.constantFrom('auto' as const, null),
      lesson: fc.option(fc.stringMatching(/^[a-z-]{1,20}$/)),
    });
    const x = fc.option(fc.stringMatching(/^[0-9]\.[dj]\.[\w-]{1,60}\.[\w-]{6}$/));
    fc.assert(
      fc.property(fc.constantFrom(...EMBED_VIEWS), x, options, (view, payload, asked) => {
        expect(readEmbedHash(embedHash(view, payload, asked))).toEqual({
          view,
          x: payload,
          options: asked,
          trouble: null,
        });
      }),
    );
  });

  test('what is as it would be anyway is left out', () => {
    expect(embedHash('stage', null, EMBED_DEFAULTS)).toBe('#/embed/stage');
    expect(embedHash('charts', null, { metrics: ['success', 'entropy'], run: true })).toBe(
      '#/embed/charts?run=1&metrics=success,entropy',
    );
  });

  test.each([
    ['#/embed/', 'There is no view “”; use stage, charts, credit, graph, compare or lesson.'],
    ['#/embed/world', 'There is no view “world”; use stage, charts, credit, graph, compare or lesson.'],
    ['#/embed/stage?controls=all', '“controls=all” is not possible; use full, min or none.'],
    ['#/embed/stage?theme=blue', '“theme=blue” is not possible; use auto, light or dark.'],
    ['#/embed/stage?lang=de', '“lang=de” is not possible; use en.'],
    ['#/embed/stage?run=yes', '“run=yes” is not possible; use 0 or 1.'],
    ['#/embed/charts?metrics=a,b,c,d,e,f,g', 'At most 6 metrics fit; 7 are named.'],
  ])('%s is told in one sentence', (hash, trouble) => expect(readEmbedHash(hash).trouble).toBe(trouble));

  test('any text is read without a throw, and gives at most one view and six metrics', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.webFragments());
    fc.assert(
      fc.property(text, (rest) => {
        const { view, trouble, options } = readEmbedHash(`#/embed/${rest}`);
        expect(view === null || EMBED_VIEWS.includes(view)).toBe(true);
        expect(view !== null || trouble !== null).toBe(true);
        expect(options.metrics.length).toBeLessThanOrEqual(6);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the code for a page', () => {
  test('it is one frame in a sandbox without the origin of the page, with the experiment of the link', () => {
    const code = embedCode('stage', link, { theme: 'dark', pixels: 400 });
    expect(code).toMatch(/^<iframe src="https:\/\/lab\.example\/#\/embed\/stage\?theme=dark&amp;x=[\w.-]+"/);
    expect(code).toContain(`sandbox="${EMBED_SANDBOX}"`);
    expect(code).toContain('height="400"');
    expect(EMBED_SANDBOX).not.toContain('same-origin');
    const src = /src="([^"]*)"/.exec(code)![1]!.replaceAll('&amp;', '&');
    const { x } = readEmbedHash(src.slice(src.indexOf('#')));
    expect(decodeLink(x!)).toEqual({
      ok: true,
      value: { config: setValue(defaultConfig(), 'run.seeds', 2), title: 'A “title”' },
    });
  });

  test('a link without an experiment shows the default one', () =>
    expect(embedAddress('charts', 'https://lab.example/v/0.1.0/')).toBe('https://lab.example/v/0.1.0/#/embed/charts'));

  test('nothing in a link or title leaves its attribute', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('"><script>', "'", '&quot;', '<!--', '" on=x'),
    );
    fc.assert(
      fc.property(text, text, fc.constantFrom(...EMBED_VIEWS), (hostile, title, view) => {
        const code = embedCode(view, `https://lab.example/${hostile}#/lab?x=${hostile}`, { title });
        expect(code).toMatch(/^<iframe( [a-z]+="[^"<>]*"){8}><\/iframe>$/s);
      }),
    );
  });
});
