import fc from 'fast-check';
import { deflateSync, inflateSync } from 'fflate';
import { expect, test } from 'vitest';
import { LevelStream } from '../core/random.ts';
import { toBase64url } from './base64url.ts';
import { estimateCost } from './cost.ts';
import corpus from './fixtures/links.json' with { type: 'json' };
import { crc32 } from './crc.ts';
import { decodeLink, encodeLink, LINK_LIMITS } from './link.ts';
import { presetConfig, presets } from './presets.ts';
import { problemText } from './problems.ts';
import { checkRules } from './rules.ts';
import { defaultConfig, fieldAt, fields, parseConfig, SCHEMA_VERSION, setValue, type Field } from './schema.ts';
import type { Config } from './slots.ts';

/** What strangers send, drawn anew with `PROPERTY_SEED`. */
const LINKS = 5_000;
const CONFIGS = 600;
const SEED = fc.readConfigureGlobal().seed!;
const FAMILY = { links: 101, configs: 102, raw: 103 };

const OWN = Object.getOwnPropertyNames(Object.prototype);
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=%#&?/ ', '\0', '😀', '\u202e'];

/** Values that somebody could put where another belongs. */
const VALUES: readonly string[] = [
  ...['0', '-1', '1', '64', '1e308', '1e999', '-1e-320', '0.1', '9007199254740993', 'null', 'true', 'false', '""'],
  ...[
    '"grpo"',
    '"webgpu"',
    '"custom"',
    '[]',
    '[512]',
    '[1,2,3,4,5,6,7]',
    '[[1]]',
    '{}',
    '{"a":1}',
    '"\\u0000<script>"',
  ],
  ...['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '"#####\\n#@$.#\\n#####"'],
  ...[
    '{"u":1,"r":0,"i":0,"s":0,"t":"watch","o":"policy","a":[["gigpo",{"gamma":7}]]}',
    '[3,"0123zz"]',
    '"c0.1.0~1~AbC-_fGhIjKlMnOp~1.2.3.4.5.6.7.8~0.8~1~"',
    '{"k":"grid","v":[["optimizer.learningRate",[0.1,0.2]]],"s":2,"m":"updates","n":9,"z":false}',
    '"step = normalize(returns(reward, 0.9), state)"',
    '"[{\\"at\\":4,\\"was\\":{\\"run.__proto__\\":1}}]"',
  ],
  ...[`"${'x'.repeat(4100)}"`, `${'['.repeat(20)}${']'.repeat(20)}`, '"40 optimizer.learningRate 0.001"'],
];
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'nonsense', '', 'method', 'c'];

/** Text of a JSON object that sets some fields, known and unknown ones. */
function content(draw: LevelStream): string {
  const parts: string[] = [];
  for (let n = draw.below(4); n > 0; n--) {
    const { slot, module, name } = draw.pick(fields);
    const called = draw.below(12) === 0 ? draw.pick(NAMES) : name;
    const value = `${JSON.stringify(called)}:${draw.pick(VALUES)}`;
    const group = draw.below(20) === 0 ? draw.pick(NAMES) : slot.id;
    parts.push(`${JSON.stringify(group)}:{${module === null ? value : `${JSON.stringify(module)}:{${value}}`}}`);
  }
  const more =
    draw.below(10) === 0
      ? `,"${draw.pick(['t', 'n', 'd', 'm', 'e', 's', 'run', '__proto__'])}":${draw.pick(VALUES)}`
      : '';
  return draw.below(20) === 0 ? draw.pick(VALUES) : `{"c":{${parts.join()}}${more}}`;
}

/** A payload as the encoder packs it, with a right checksum. */
function seal(json: string, draw: LevelStream): string {
  const plain = new TextEncoder().encode(json);
  const check = new Uint8Array(4);
  new DataView(check.buffer).setUint32(0, crc32(plain));
  const isDeflated = draw.below(4) === 0;
  const version = draw.below(10) === 0 ? draw.below(12) : 1 + draw.below(SCHEMA_VERSION);
  return `${version}.${isDeflated ? 'd' : 'j'}.${toBase64url(isDeflated ? deflateSync(plain) : plain)}.${toBase64url(check)}`;
}

/** The same link without compression. */
function plainly(link: string): string {
  const [version, codec, body, check] = link.split('.');
  const bytes = Buffer.from(body!, 'base64url');
  return `${version}.j.${toBase64url(codec === 'd' ? inflateSync(bytes) : bytes)}.${check}`;
}

/** A text with some of its characters changed, lost, doubled or cut. */
function damaged(draw: LevelStream, text: string): string {
  let result = text;
  for (let n = 1 + draw.below(3); n > 0; n--) {
    const at = draw.below(result.length + 1);
    const rest = draw.below(6) === 0 ? '' : result.slice(at + draw.below(3));
    result = result.slice(0, at) + (draw.below(3) === 0 ? '' : draw.pick(LETTERS)) + rest;
  }
  return result;
}

/** How a link is refused: a sentence and a way out that name no code and hold no value of a program. */
function isSaid(problem: Parameters<typeof problemText>[0]): boolean {
  const { sentence, way } = problemText(problem);
  return sentence.length > 5 && way.length > 5 && !/undefined|NaN|\[object/.test(`${sentence} ${way}`);
}

test('5,000 links of any form are experiments that fit the schema, or are refused in a sentence', () => {
  // of all released versions: with levels, formulas, forks, moments, results and comparisons
  const rich = corpus.filter((_, k) => k < 16 || k >= corpus.length - 4).map(({ link }) => link);
  const fresh = presets.slice(0, 40).map((preset) => encodeLink({ config: presetConfig(preset), title: preset.id }));
  const links = [...fresh, ...rich, ...rich];
  // most of them plain: whatever is wrong with a deflated one is found by unpacking it, which takes a hundred times as long
  const plain = links.map((link) => plainly(link));
  let opened = 0;
  for (let n = 0; n < LINKS; n++) {
    const draw = new LevelStream(SEED, FAMILY.links, n);
    const kind = draw.below(10);
    let link = damaged(draw, draw.pick(draw.below(8) === 0 ? links : plain));
    if (kind === 0) link = seal(content(draw), draw);
    if (kind === 1) link = Array.from({ length: draw.below(60) }, () => draw.pick(LETTERS)).join('');
    if (n % 500 === 0) link += 'A'.repeat(LINK_LIMITS.input);
    try {
      const shared = decodeLink(link);
      if (shared.ok) {
        opened++;
        if (!parseConfig(shared.value.config).ok) throw new Error('its config does not parse');
      } else if (shared.problem.kind !== 'linkRejected' || !isSaid(shared.problem)) {
        throw new Error(JSON.stringify(shared.problem));
      }
    } catch (error) {
      throw new Error(`PROPERTY_SEED=${SEED}, link ${n}: ${JSON.stringify(link.slice(0, 3000))}`, { cause: error });
    }
  }
  // both halves of the promise were asked for
  expect(opened).toBeGreaterThan(LINKS / 200);
  expect(opened).toBeLessThan(LINKS / 2);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(OWN);
});

/** Any value that the schema of a field takes. */
function valueOf(draw: LevelStream, { setting, slot }: Field): unknown {
  if (setting === null) return draw.pick(slot.modules).id;
  const x = draw.pick([0, 1, draw.below(1000) / 1000]);
  switch (setting.kind) {
    case 'choice':
      return draw.pick(setting.options);
    case 'switch':
      return draw.below(2) === 0;
    case 'number':
      return setting.min + x * (setting.max - setting.min);
    case 'integer':
      return Math.floor(setting.min + x * (setting.max - setting.min));
    case 'integers':
      return Array.from({ length: setting.minItems + draw.below(setting.maxItems - setting.minItems + 1) }, () =>
        Math.floor(setting.min + (draw.below(1000) / 999) * (setting.max - setting.min)),
      );
    case 'text':
      return draw.pick(['', 'S.G', '#####\n#@$.#\n#####', '40 optimizer.learningRate 0.001', '{}', '40 {"run":1}']);
  }
}

/** Something wrong with an issue or with what it offers to repair, or null. */
function mistakeIn(config: Config, issue: ReturnType<typeof checkRules>[number]): string | null {
  if (!fieldAt(issue.path)) return `there is no field ${issue.path}`;
  if (!/\S{2}/.test(issue.message) || /undefined|NaN|\[object/.test(issue.message)) return issue.message;
  const set = issue.repair?.set ?? [];
  const unknown = set.find(({ path }) => !fieldAt(path));
  if (unknown) return `a repair sets ${unknown.path}`;
  const repaired = parseConfig(set.reduce((c, { path, value }) => setValue(c, path, value), config));
  return repaired.ok ? null : `the repair of ${issue.path} does not fit the schema`;
}

test('600 configs that fit the schema are judged by the rules, with repairs that fit it, too', () => {
  let free = 0;
  for (let n = 0; n < CONFIGS; n++) {
    const draw = new LevelStream(SEED, FAMILY.configs, n);
    let config = defaultConfig();
    for (let k = draw.below(6); k >= 0; k--) {
      const field = draw.pick(fields);
      config = setValue(config, field.path, valueOf(draw, field));
    }
    try {
      const issues = checkRules(config);
      const mistake = issues.map((issue) => mistakeIn(config, issue)).find((m) => m !== null);
      if (mistake !== undefined) throw new Error(mistake);
      if (issues.every(({ severity }) => severity !== 'error')) {
        free++;
        const cost = estimateCost(config, 1000);
        if (cost === null || !Object.values(cost).every((x) => typeof x !== 'number' || Number.isFinite(x)))
          throw new Error(`it costs ${JSON.stringify(cost)}`);
      }
    } catch (error) {
      throw new Error(`PROPERTY_SEED=${SEED}, config ${n}: ${encodeLink({ config })}`, { cause: error });
    }
  }
  expect(free).toBeGreaterThan(CONFIGS / 20);
  expect(free).toBeLessThan(CONFIGS);
});

test('600 values that are no config are refused with the fields that are wrong', () => {
  for (let n = 0; n < CONFIGS; n++) {
    const draw = new LevelStream(SEED, FAMILY.raw, n);
    const raw = JSON.parse(content(draw).replace(/\[{20}\]{20}/, '[]')) as unknown;
    const field = draw.pick(fields);
    const config = { ...defaultConfig(), [field.slot.id]: draw.below(2) === 0 ? raw : JSON.parse(draw.pick(VALUES)) };
    const parsed = parseConfig(draw.below(4) === 0 ? raw : config);
    if (parsed.ok) continue;
    const isSaidWell =
      parsed.problem.kind === 'configRejected' &&
      parsed.problem.issues.length > 0 &&
      parsed.problem.issues.every(({ message }) => message.length > 5);
    expect(isSaidWell, `PROPERTY_SEED=${SEED}, value ${n}`).toBe(true);
  }
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(OWN);
});
