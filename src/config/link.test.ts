import { deflateSync } from 'fflate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toBase64url } from './base64url.ts';
import { canonicalJson } from './canonical.ts';
import { crc32 } from './crc.ts';
import { packExpect, readExpect, type Expect } from './expect.ts';
import corpus from './fixtures/links.json' with { type: 'json' };
import { decodeLink, encodeLink, lengthClass, LINK_LIMITS, linkFragment, payloadOf, type Shared } from './link.ts';
import { stagesOf } from './fork.ts';
import { migrate } from './migrations.ts';
import { configWith, defaultConfig, fields, getValue, SCHEMA_VERSION, setValue } from './schema.ts';
import type { SharedSweep } from './sharedSweep.ts';
import type { Config } from './slots.ts';

/** A payload with any content, packed as the encoder packs it. */
function pack(json: string, codec: 'j' | 'd' = 'j', version = 1): string {
  const plain = new TextEncoder().encode(json);
  const check = new Uint8Array(4);
  new DataView(check.buffer).setUint32(0, crc32(plain));
  return `${version}.${codec}.${toBase64url(codec === 'd' ? deflateSync(plain) : plain)}.${toBase64url(check)}`;
}

function reasonOf(payload: string): string {
  const result = decodeLink(payload);
  if (result.ok) return 'ok';
  return result.problem.kind === 'linkRejected' ? result.problem.reason : result.problem.kind;
}

/** A valid config that differs from the defaults in some random fields. */
const configs: fc.Arbitrary<Config> = fc
  .array(fc.tuple(fc.nat(fields.length - 1), fc.nat(1_000_000), fc.string({ maxLength: 12, unit: 'grapheme' })), {
    maxLength: 8,
  })
  .map((changes) =>
    changes.reduce((config, [at, n, text]) => {
      const field = fields[at]!;
      const setting = field.setting;
      if (setting === null) return setValue(config, field.path, field.slot.modules[n % field.slot.modules.length]!.id);
      switch (setting.kind) {
        case 'integer':
          return setValue(
            config,
            field.path,
            setting.min + (n % (Math.min(setting.max, setting.min + 1_000_000) - setting.min + 1)),
          );
        case 'number':
          return setValue(config, field.path, setting.min + ((setting.max - setting.min) * n) / 1_000_000);
        case 'switch':
          return setValue(config, field.path, n % 2 === 0);
        case 'choice':
          return setValue(config, field.path, setting.options[n % setting.options.length]);
        case 'integers':
          return setValue(
            config,
            field.path,
            Array.from({ length: Math.max(2, setting.minItems) }, (_, k) => (k === 0 ? 1 + (n % setting.max) : 3)),
          );
        case 'text':
          return setValue(config, field.path, text);
      }
    }, defaultConfig()),
  );

test('a link carries exactly the experiment, whatever it is', () => {
  fc.assert(
    fc.property(configs, fc.string({ maxLength: 120, unit: 'grapheme' }), (config, title) => {
      const short = [...title].join('').slice(0, 120);
      const decoded = decodeLink(encodeLink({ config, title: short }));
      expect(decoded).toEqual({ ok: true, value: { config, ...(short ? { title: short } : {}) } });
    }),
  );
});

test('the same experiment gives the same link, and the default one is short', () => {
  const config = configWith({ 'advantage.method': 'grpo', 'run.seeds': 5 });
  expect(encodeLink({ config })).toBe(encodeLink({ config: structuredClone(config) }));
  expect(encodeLink({ config }).length).toBeLessThan(100);
  expect(payloadOf(`https://example.org/x${linkFragment({ config })}&view=1`)).toBe(encodeLink({ config }));
});

/** Links that were made by a version of the lab, and what they say: `config` differs from the defaults, `rest` is beside it. */
const kept: readonly { link: string; config: object; rest?: Partial<Omit<Shared, 'config'>> }[] = corpus as never;

// entries are only ever added: each is a link that somebody has
test('links of every released version decode to their stored experiments, byte for byte', () => {
  const versions = new Set(kept.map(({ link }) => Number.parseInt(link, 10)));
  expect([...versions]).toEqual(Array.from({ length: SCHEMA_VERSION }, (_, n) => n + 1));
  for (const { link, config, rest = {} } of kept) {
    const decoded = decodeLink(link);
    if (!decoded.ok) throw new Error(link);
    const { config: found, ...beside } = decoded.value;
    expect(canonicalJson(found)).toBe(canonicalJson(configWith(config as Record<string, unknown>)));
    expect(beside, link).toEqual(rest);
  }
});

test('what they say today is still written as the same links', () => {
  const today = kept.filter(({ link }) => link.startsWith(`${SCHEMA_VERSION}.`));
  expect(today.length).toBeGreaterThan(90);
  for (const { link } of today) {
    const decoded = decodeLink(link);
    expect(decoded.ok && encodeLink(decoded.value)).toBe(link);
  }
});

describe('a link with the result of its sender', () => {
  const config = configWith({ 'run.updates': 80 });
  const summary = { updates: 80, successes: [1, 2, 3, 4, 5, 60, 700, 8000], entropy: 0.81, ess: 1, evaluated: null };
  const expected: Expect = { backend: 'cpu', version: '0.1.0', exact: 'AbC-_fGhIjKlMnOp', summary };

  test('carries it, in about 60 characters', () => {
    const link = encodeLink({ config, expect: expected });
    expect(decodeLink(link)).toEqual({ ok: true, value: { config, expect: expected } });
    expect(packExpect(expected).length).toBeLessThan(75);
    const gpu = { ...expected, backend: 'webgpu', summary: { ...summary, entropy: 1.2e-7, evaluated: 9 } } as const;
    expect(decodeLink(encodeLink({ config, expect: gpu }))).toEqual({ ok: true, value: { config, expect: gpu } });
    const both = { ...gpu, backend: 'both' } as const;
    expect(decodeLink(encodeLink({ config, expect: both }))).toEqual({ ok: true, value: { config, expect: both } });
  });

  test.each([
    'c0.1.0~28~AbC-_fGhIjKlMnOp~1.2.3.4.5.6.7~0.8~1~', // seven counts
    'c0.1.0~28~AbC-_fGhIjKlMnOp~1.2.3.4.5.6.7.8~0.80~1~', // 0.80 is not how 0.8 is written
    'c0.1.0~28~AbC-_fGhIjKlMnOp~1.2.3.4.5.6.7.8~-~1~',
    'c0.1.0~0~AbC-_fGhIjKlMnOp~1~0.8~1~',
    'c0.1.0~zzz~AbC-_fGhIjKlMnOp~1.2.3.4.5.6.7.8~0.8~1~', // more updates than any run has
    'c0.1.0~2g~AbC-_fGhIjKlMnOp~1.2.3.4.5.6.7.8~0.8~1~', // more updates than this one has
    'x0.1.0~28~AbC-_fGhIjKlMnOp~1.2.3.4.5.6.7.8~0.8~1~',
    'c0.1.0~28~short~1.2.3.4.5.6.7.8~0.8~1~',
    '',
  ])('is refused where no run can have that result: %s', (text) => {
    expect(reasonOf(pack(JSON.stringify({ c: { run: { updates: 80 } }, d: text }), 'j', 2))).toBe('badValue');
  });

  test.each([[7], [null], [{}], [['c']]])('is refused where it is no text: %s', (value) => {
    expect(reasonOf(pack(JSON.stringify({ c: {}, d: value })))).toBe('badValue');
  });

  test('no text whatever makes reading it throw', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readExpect(text)));
    fc.assert(
      fc.property(fc.stringMatching(/^[bcg][\d.]{1,9}~[0-9a-z]{1,3}~[\w-]{16}(~[0-9a-z.e-]{0,9}){4}$/), (text) => {
        const read = readExpect(text);
        if (read.ok) expect(packExpect(read.value)).toBe(text);
      }),
    );
  });
});

describe('a link with a comparison', () => {
  const sweep: SharedSweep = {
    ...{ kind: 'grid', seeds: 8, match: 'updates', amount: 100, isSizeMatched: false },
    varied: [
      { path: 'optimizer.learningRate', values: [0.001, 0.003] },
      { path: 'advantage.method', values: ['grpo', 'gigpo'] },
    ],
  };
  const packed = (change: Partial<SharedSweep>): string =>
    encodeLink({ config: defaultConfig(), sweep: { ...sweep, ...change } });

  test('carries what differs in its order, and opens with it', () => {
    for (const one of [sweep, { ...sweep, kind: 'single', match: 'seconds', isSizeMatched: true } as const])
      expect(decodeLink(packed(one))).toEqual({ ok: true, value: { config: defaultConfig(), sweep: one } });
    expect(packed({}).length).toBeLessThan(330);
  });

  test.each<[string, Partial<SharedSweep>]>([
    ['a field that does not exist', { varied: [{ path: 'no.field', values: [1] }] }],
    ['a field of the run itself', { varied: [{ path: 'run.seed', values: [1, 2] }] }],
    ['a field twice', { varied: [sweep.varied[0]!, sweep.varied[0]!] }],
    ['an impossible value', { varied: [{ path: 'optimizer.learningRate', values: [0.001, -1] }] }],
    ['a value twice', { varied: [{ path: 'optimizer.learningRate', values: [0.001, 0.001] }] }],
    ['no value', { varied: [{ path: 'optimizer.learningRate', values: [] }] }],
    ['nothing that differs', { varied: [] }],
    ['no seed', { seeds: 0 }],
    ['half a seed', { seeds: 1.5 }],
    ['more than 256 runs', { seeds: 65 }],
    ['another form', { match: 'luck' as 'updates' }],
  ])('is refused with %s', (_, change) => {
    expect(reasonOf(packed(change))).toBe('badValue');
  });
});

test('a link that a chat program cut is recognized as cut, wherever it was cut', () => {
  const link = encodeLink({ config: configWith({ 'task.grid.level': 'custom', 'task.grid.text': 'S..\n.#.\n..G' }) });
  for (let length = link.length - 1; length > 4; length--)
    expect(reasonOf(link.slice(0, length)), `${length}`).toBe('cut');
});

describe('links from strangers', () => {
  test.each([
    ['tooLong', 'x'.repeat(LINK_LIMITS.input + 1)],
    ['notALink', 'hello'],
    ['notALink', ''],
    ['notALink', '1.x.e30.AAAAAA'],
    ['newerVersion', '999.j.e30.AAAAAA'],
    ['cut', '1.j.e30.AAAAAA'],
    ['tooLarge', pack('"' + 'a'.repeat(400 * 1024) + '"', 'd')],
    ['tooDeep', pack('{"c":' + '['.repeat(40) + ']'.repeat(40) + '}')],
    ['tooDeep', pack(`{"c":{"run":[${'0,'.repeat(6000)}0]}}`, 'd')],
    ['tooDeep', pack(`{"c":{},"n":"${'a'.repeat(LINK_LIMITS.text + 1)}"}`)],
    ['tooDeep', pack('{"c":{"__proto__":{"polluted":1}}}')],
    ['tooDeep', pack('{"c":{"constructor":{"prototype":{"polluted":1}}}}')],
    ['tooDeep', pack('{"c":{"run":{"updates":1e999}}}')],
    ['unknownField', pack('{"c":{"nonsense":{"a":1}}}')],
    ['unknownField', pack('{"c":{"toString":1}}')],
    ['unknownField', pack('{"c":{},"run":true}')],
    ['badValue', pack('{"c":{"run":{"seeds":1000000}}}')],
    ['badValue', pack('{"c":{"run":{"seeds":"3"}}}')],
    ['badValue', pack('{"c":{"run":3}}')],
    ['badValue', pack(`{"c":{},"t":"${'a'.repeat(121)}"}`)],
    ['notALink', pack('[]')],
    ['notALink', pack('{')],
  ])('%s is the reason, in words: %.40s', (reason, payload) => {
    expect(reasonOf(payload)).toBe(reason);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
  });

  test('a bomb of 64 MiB of zeros is stopped while it is unpacked', () => {
    const bomb = deflateSync(new Uint8Array(8 * 1024 * 1024), { level: 9 });
    const payload = `1.d.${toBase64url(bomb)}.AAAAAA`;
    expect(payload.length).toBeLessThan(LINK_LIMITS.input);
    expect(reasonOf(payload)).toBe('tooLarge');
  });

  test('an impossible value names its field', () => {
    const result = decodeLink(pack('{"c":{"advantage":{"gigpo":{"gamma":7}}}}'));
    expect(!result.ok && result.problem.kind === 'linkRejected' && result.problem.detail).toContain(
      'advantage.gigpo.gamma',
    );
  });

  test('no text whatever makes it throw', () => {
    const parts = fc.tuple(
      fc.constantFrom('1', '0', '7', 'x'),
      fc.constantFrom('j', 'd', 'q'),
      fc.string(),
      fc.base64String(),
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void decodeLink(text)));
    fc.assert(fc.property(parts, (p) => void decodeLink(p.join('.'))));
    fc.assert(fc.property(fc.json(), (json) => void decodeLink(pack(json))));
  });
});

describe('GraphGPO’s distance decay, whose default changed with version 2', () => {
  const decayOf = (content: object, version: number): unknown => {
    const link = decodeLink(pack(JSON.stringify({ c: content }), 'j', version));
    return link.ok && getValue(link.value.config, 'advantage.graphGpo.decay');
  };

  test('a link of version 1 with GraphGPO means w = 0.1, one of today w = 0.8', () => {
    expect([1, 2].map((version) => decayOf({ advantage: { method: 'graphGpo' } }, version))).toEqual([0.1, 0.8]);
  });

  test('an old fork of a run with GraphGPO still means w = 0.1 before it', () => {
    const fork = '[{"at":4,"was":{"advantage.method":"graphGpo"}}]';
    const link = decodeLink(pack(JSON.stringify({ c: { run: { fork } } })));
    const stages = link.ok && stagesOf(link.value.config);
    const parent = stages && stages.ok && stages.stages[0]!.config;
    expect(parent && getValue(parent, 'advantage.graphGpo.decay')).toBe(0.1);
  });

  test('an old link without GraphGPO is the same experiment as today’s, also where nobody looks', () => {
    expect(decayOf({ advantage: { method: 'grpo' } }, 1)).toBe(0.8);
    expect(decayOf({ advantage: { graphGpo: { decay: 0.3 } } }, 1)).toBe(0.3);
  });

  test('a wrong value of an old link is refused in words, not met by the migration', () => {
    expect(reasonOf(pack('{"c":{"advantage":{"graphGpo":{"decay":"x"}},"run":{"fork":7}}}'))).toBe('badValue');
  });
});

test('what a link of an older version says is what the link made of it now says', () => {
  for (const { link } of corpus) {
    const old = decodeLink(link);
    expect(old.ok && decodeLink(encodeLink(old.value))).toEqual(old);
  }
});

test('older versions are carried up step by step', () => {
  const chain = { 1: (c: object) => ({ ...c, two: true }), 2: (c: object) => ({ ...c, three: true }) };
  expect(migrate({ one: true }, 1, chain)).toEqual({ one: true, two: true, three: true });
  expect(migrate({ one: true }, 2, chain)).toEqual({ one: true, three: true });
});

test('the length says how far a link travels', () => {
  expect([1000, 1001, 2001, 8001].map((n) => lengthClass(n).id)).toEqual(['everywhere', 'chats', 'browser', 'tooLong']);
});

test('the checksum is the one of zip and PNG', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
});

test('the checksum of every length and in pieces is that of bit after bit', () => {
  const bytes = Uint8Array.from({ length: 41 }, (_, k) => (k * 197 + 90) & 255);
  let register = 0xffffffff;
  for (let length = 0; length <= bytes.length; length++) {
    const head = bytes.subarray(0, length);
    expect(crc32(head), `${length} bytes`).toBe((register ^ 0xffffffff) >>> 0);
    const cut = length % 11;
    expect(crc32(head.subarray(cut), crc32(head.subarray(0, cut)))).toBe(crc32(head));
    for (let bit = 0; bit < 8; bit++) {
      const isOne = ((register ^ ((bytes[length] ?? 0) >>> bit)) & 1) === 1;
      register = (register >>> 1) ^ (isOne ? 0xedb88320 : 0);
    }
  }
});
