import { deflateSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { toBase64url } from './base64url.ts';
import { crc32 } from './crc.ts';
import { decodeLink, encodeLink, LINK_LIMITS } from './link.ts';
import { presetConfig, presets } from './presets.ts';
import { problemText } from './problems.ts';
import { configWith, defaultConfig, fields, getValue, SCHEMA_VERSION, type Field } from './schema.ts';

/** Links that strangers could send to do harm, by what they try (spec product §5.3). */

const OWN = Object.getOwnPropertyNames(Object.prototype);

function seal(plain: Uint8Array, codec: 'j' | 'd', version: number): string {
  const check = new Uint8Array(4);
  new DataView(check.buffer).setUint32(0, crc32(plain));
  return `${version}.${codec}.${toBase64url(codec === 'd' ? deflateSync(plain, { level: 9 }) : plain)}.${toBase64url(check)}`;
}

const pack = (json: string, codec: 'j' | 'd' = 'j', version: number = SCHEMA_VERSION): string =>
  seal(new TextEncoder().encode(json), codec, version);

/** The reason why a link is refused, said in words that hold no value of a program; 'ok' where it is opened. */
function refusal(payload: string): { readonly reason: string; readonly words: string } {
  const read = decodeLink(payload);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(OWN);
  if (read.ok) return { reason: 'ok', words: '' };
  if (read.problem.kind !== 'linkRejected') throw new Error(`another problem: ${read.problem.kind}`);
  const { sentence, way } = problemText(read.problem);
  const words = `${sentence} ${way}`;
  expect(words).not.toMatch(/undefined|NaN|\[object|TypeError|SyntaxError/);
  expect(way.length).toBeGreaterThan(5);
  return { reason: read.problem.reason, words };
}

const reasonOf = (payload: string): string => refusal(payload).reason;
/** A JSON object with one value at a path. */
const at = (path: readonly string[], value: string): string =>
  path.reduceRight((inner, name) => `{${JSON.stringify(name)}:${inner}}`, value);

const PROTO = ['__proto__', 'constructor', 'prototype'];
const PLACES: readonly (readonly string[])[] = [
  ...[[], ['c'], ['c', 'run'], ['c', 'advantage'], ['c', 'advantage', 'gigpo'], ['m'], ['e'], ['d'], ['s']],
  ...[['m', 'a'], ['s', 'v'], ['c', 'control', 'klStop'], ['t'], ['n']],
];

describe('names that reach into the language', () => {
  test.each(PROTO)('%s is refused wherever it stands, and changes no object', (name) => {
    for (const place of PLACES) {
      for (const value of ['{"polluted":1}', '1', 'null', '[{"polluted":1}]']) {
        const json = at([...place, name], value);
        const whole = json.startsWith('{"c"') ? json : json.replace(/^\{/, '{"c":{},');
        expect(reasonOf(pack(whole)), whole).toBe('tooDeep');
        expect(reasonOf(pack(whole, 'd', 1)), whole).toBe('tooDeep');
      }
    }
    expect('polluted' in {}).toBe(false);
  });

  test('those that every object has are unknown fields', () => {
    for (const name of ['toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', '__lookupSetter__'])
      for (const place of [['c'], ['c', 'run'], ['c', 'advantage', 'gigpo'], []])
        expect(reasonOf(pack(at([...place, name], '1').replace(/^\{(?!"c")/, '{"c":{},')))).toBe('unknownField');
  });

  test('paths in a comparison and estimators of a moment are looked up by name only', () => {
    const sweep = (path: string): string =>
      pack(JSON.stringify({ c: {}, s: { k: 'grid', v: [[path, [1, 2]]], s: 1, m: 'updates', n: 1, z: false } }));
    for (const path of ['__proto__.x', 'constructor', 'run.__proto__', 'a.b.c', '', 'advantage.toString'])
      expect(reasonOf(sweep(path)), path).toBe('badValue');
    const moment = (a: unknown): string =>
      pack(JSON.stringify({ c: {}, m: { u: 1, r: 0, i: 0, s: 0, t: 'watch', o: 'policy', a } }));
    for (const a of [
      ['toString'],
      [['constructor', {}]],
      [['gigpo', [1, 2]]],
      [['gigpo', { toString: 1 }]],
      'gigpo',
      {},
    ])
      expect(reasonOf(moment(a)), JSON.stringify(a)).toBe('badValue');
  });
});

describe('more than an experiment can be', () => {
  test('nesting, in every place', () => {
    for (const place of PLACES) {
      for (const [open, close] of [
        ['[', ']'],
        ['{"a":', '}'],
      ] as const) {
        const deep = `${open.repeat(4000)}1${close.repeat(4000)}`;
        const json = at([...place, 'x'], deep);
        const whole = json.startsWith('{"c"') ? json : json.replace(/^\{/, '{"c":{},');
        expect(reasonOf(pack(whole, 'd'))).toBe('tooDeep');
      }
    }
  });

  test('many values, many names, long texts', () => {
    expect(reasonOf(pack(`{"c":{"run":[${'0,'.repeat(LINK_LIMITS.nodes)}0]}}`, 'd'))).toBe('tooDeep');
    const names = Array.from({ length: LINK_LIMITS.nodes }, (_, k) => `"n${k}":0`).join();
    expect(reasonOf(pack(`{"c":{${names}}}`, 'd'))).toBe('tooDeep');
    const long = JSON.stringify('x'.repeat(LINK_LIMITS.text + 1));
    for (const field of fields.filter(({ setting }) => setting?.kind === 'text')) {
      const path = ['c', ...field.path.split('.')];
      expect(reasonOf(pack(at(path, long), 'd')), field.path).toBe('tooDeep');
      expect(reasonOf(pack(at(path, JSON.stringify('x'.repeat(LINK_LIMITS.text))), 'd')), field.path).not.toBe(
        'tooDeep',
      );
    }
    expect(reasonOf(pack(`{"c":{},"t":"${'t'.repeat(121)}"}`))).toBe('badValue');
    expect(reasonOf(pack(`{"c":{},"n":"${'n'.repeat(1001)}"}`))).toBe('badValue');
  });

  test.each([
    ['zeros', new Uint8Array(8 * 2 ** 20)],
    ['spaces before an experiment', new TextEncoder().encode(`${' '.repeat(300 * 1024)}{"c":{}}`)],
    ['an archive of zeros in an archive', deflateSync(new Uint8Array(64 * 2 ** 20), { level: 9 })],
    ['one name a million times', new TextEncoder().encode(`{"c":{${'"run":{},'.repeat(120_000)}"run":{}}}`)],
  ])('a bomb: %s', (_, bytes) => {
    const payload = seal(bytes, 'd', SCHEMA_VERSION);
    expect(payload.length).toBeLessThanOrEqual(LINK_LIMITS.input);
    // an archive in an archive is one text that nobody unpacks a second time
    expect(['tooLarge', 'notALink']).toContain(reasonOf(payload));
  });

  test('a payload longer than is read, whatever it holds', () => {
    const fine = encodeLink({ config: defaultConfig() });
    for (const tail of ['A', '.', ' ', '\0', '😀'])
      expect(reasonOf(fine + tail.repeat(LINK_LIMITS.input))).toBe('tooLong');
  });

  test('a comparison of more runs is refused before its thousands of values are looked at', () => {
    const values = Array.from({ length: 256 }, (_, k) => -1 - k);
    const v = ['optimizer.learningRate', 'advantage.gae.gamma', 'objective.klCoef'].map((path) => [path, values]);
    const read = refusal(pack(JSON.stringify({ c: {}, s: { k: 'grid', v, s: 1, m: 'updates', n: 1, z: false } })));
    expect(read.words).toContain('more than 256 runs');
  });
});

/** JSON values that no schema of a field takes; each field is asked for three of them, the next one for the next three. */
const NEVER = ['null', '{}', '{"a":1}', '[{}]', '[[1]]', '1e999', '-1e999', '[1e999]'];

/** JSON values that the schema of the k-th field can never take. */
function wrongFor({ setting }: Field, k: number): readonly string[] {
  const never = [0, 1, 2].map((n) => NEVER[(3 * k + n) % NEVER.length]!);
  switch (setting?.kind) {
    case 'switch':
      return [...never, '0', '1', '"true"', '[]'];
    case 'number':
    case 'integer':
      return [...never, '"1"', 'true', '[]', '[1]', '"NaN"', '1e308', '-1e308'];
    case 'integers':
      return [...never, '1', '"1"', 'true', '[0.5]', '["1"]', `[${'1,'.repeat(40)}1]`];
    case 'text':
      return [...never, '1', 'true', '[]'];
    default:
      return [...never, '1', 'true', '[]', '"no such thing"', '""', '"__proto__"', '"toString"'];
  }
}

test('every field refuses values of another type, not finite or far outside, and names itself', () => {
  let asked = 0;
  for (const [k, field] of fields.entries()) {
    for (const value of wrongFor(field, k)) {
      const path = ['c', ...field.path.split('.')];
      const { reason, words } = refusal(pack(at(path, value)));
      expect(reason, `${field.path}: ${value}`).toMatch(/^(badValue|tooDeep)$/);
      if (reason === 'badValue') expect(words, `${field.path}: ${value}`).toContain(field.path);
      asked++;
    }
  }
  expect(asked).toBeGreaterThan(fields.length * 6);
});

test('not a number is not JSON', () => {
  for (const value of ['NaN', 'Infinity', '-Infinity', 'undefined', '0x10', '1n', "'a'", '1,', '//'])
    expect(reasonOf(pack(`{"c":{"run":{"updates":${value}}}}`))).toBe('notALink');
});

describe('links that were cut, doubled or joined', () => {
  const links = presets.slice(0, 6).map((preset) => encodeLink({ config: presetConfig(preset), title: preset.title }));

  test('cut anywhere, or with one character changed in the middle, they are cut or no links', () => {
    for (const link of links) {
      for (let length = 0; length < link.length; length++)
        expect(['cut', 'notALink'], `${length} of ${link}`).toContain(reasonOf(link.slice(0, length)));
      const middle = link.length >> 1;
      const other = link[middle] === 'A' ? 'B' : 'A';
      expect(['cut', 'notALink', 'tooLarge']).toContain(
        reasonOf(link.slice(0, middle) + other + link.slice(middle + 1)),
      );
    }
  });

  test('doubled or joined they are no links', () => {
    for (const [k, link] of links.entries()) {
      const other = links[(k + 1) % links.length]!;
      for (const joined of [link + link, `${link}.${link}`, link + other, `${link} ${other}`, `.${link}`, `${link}.`])
        expect(['cut', 'notALink']).toContain(reasonOf(joined));
    }
  });
});

test('links of formats to come are said to be newer, also where they can be read', () => {
  for (const version of [SCHEMA_VERSION + 1, SCHEMA_VERSION + 7, 99, 9999]) {
    expect(reasonOf(pack('{"c":{}}', 'j', version))).toBe('newerVersion');
    expect(reasonOf(pack('{"c":{"tomorrow":{"x":1}}}', 'd', version))).toBe('newerVersion');
  }
  for (const version of ['0', '-1', '1e1', '12345', '٣', ' 1', '1.5', ''])
    expect(['notALink', 'cut'], version).toContain(reasonOf(pack('{"c":{}}').replace(/^\d+/, version)));
});

test('markup, addresses and styles in a title, a note, a level or a formula are texts and stay what they are', () => {
  const texts = [
    '<img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '"><script>alert(1)</script>',
    '${alert(1)} {{alert(1)}}',
    'url(https://example.org/x.png); } * { display: none',
    '\u202egnp.exe',
  ];
  for (const text of texts) {
    const config = configWith({
      'advantage.method': 'formula',
      'advantage.formula.text': text,
      'task.grid.text': text,
    });
    const read = decodeLink(encodeLink({ config, title: text, note: text }));
    if (!read.ok) throw new Error(text);
    expect([read.value.title, read.value.note]).toEqual([text, text]);
    expect(getValue(read.value.config, 'advantage.formula.text')).toBe(text);
    expect(getValue(read.value.config, 'task.grid.text')).toBe(text);
  }
});
