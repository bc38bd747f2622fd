import { zipSync } from 'fflate';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { configWith } from '../../config/schema.ts';
import { LAB_VERSION } from '../../core/version.ts';
import { createRun } from '../../engine/run.ts';
import { inParts } from '../runs/inParts.ts';
import { allSeeds } from '../runs/seedsOfHeld.ts';
import type { Curves } from '../runs/summary.ts';
import { archiveOf, sha256, type BundleFile } from './archive.ts';
import { limitsOf, RUN_LIMITS } from './names.ts';
import { readBundle, type ReadBundle } from './readBundle.ts';
import { filesOfRun, packRun, type PackOptions, type RunToPack } from './runBundle.ts';
import { readSafetensors, writeSafetensors } from './safetensors.ts';
import { madeWhole, wholeOf } from './wholeOf.ts';
import { readZip, type Source } from './zip.ts';

const AT = Date.UTC(2026, 0, 2);

const bundleOf = async (packed: RunToPack, options?: PackOptions): Promise<Uint8Array<ArrayBuffer>> =>
  wholeOf((await packRun(packed, options)).archive);
const zipOf = (files: readonly BundleFile[]): Promise<Uint8Array<ArrayBuffer>> =>
  wholeOf(archiveOf(files, new Date(AT)));
const wholeFiles = async () => Promise.all((await filesOfRun(run)).map(madeWhole));

let run: RunToPack;
let curves: Curves;
let packed: Uint8Array<ArrayBuffer>;
let digestAfter: string;

/** Six updates of two seeds, and the digest of the same run after two more. */
beforeAll(async () => {
  const config = configWith({ 'run.updates': 8, 'run.seeds': 2, 'analysis.evalEvery': 2 });
  const made = await createRun(config);
  if (!made.ok) throw new Error('the run could not be made');
  const trained = made.value;
  for (let k = 0; k < 6; k++) await trained.submit();
  const { all, perSeed } = await trained.digest();
  const view = await trained.backend.view(0);
  curves = { S: 2, part: trained.series.part(0, 6) };
  run = {
    ...{ config, title: 'A <b>title</b>', note: '', backend: 'cpu', adapter: 'CPU path', lab: '0.1.0', commit: null },
    ...{ seconds: 1.5, at: AT, site: 'https://example.org/', doi: null },
    curves: inParts(curves),
    digests: { all, perSeed },
    state: (await trained.checkpoint()).state,
    batches: [
      {
        ...{ seed: 1, update: 6, actions: trained.plan.actionNames, levelSeeds: view.levelSeeds, A: view.A },
        ...{ ...view.batch, seen: null },
      },
    ],
  };
  packed = await bundleOf(run);
  while (trained.update < trained.updates) await trained.submit();
  digestAfter = (await trained.digest()).all;
});

test('curves that no bundle is read with are not written, and that is said before any of them is', async () => {
  const steps = new Float64Array(20_000);
  const long = { ...run, curves: inParts({ S: 64, part: { from: 0, values: new Float32Array(), steps } }) };
  await expect(filesOfRun(long)).rejects.toThrow('and a bundle takes 64 million; take metrics.csv instead');
});

const whyNot = (read: ReadBundle): string => (read.kind === 'refused' ? read.why : `it was opened as a ${read.kind}`);

/** The bundle with some files changed, and its manifest made to fit again where `isListed`. */
async function changed(
  change: (files: Map<string, string | Uint8Array<ArrayBuffer>>) => void,
  isListed = true,
): Promise<Uint8Array<ArrayBuffer>> {
  const files = new Map((await wholeFiles()).map(({ name, data }) => [name, data]));
  change(files);
  if (isListed) {
    const manifest = JSON.parse(files.get('manifest.json') as string) as { files: Record<string, string> };
    const others = [...files].filter(([name]) => name !== 'manifest.json');
    manifest.files = Object.fromEntries(
      await Promise.all(others.map(async ([name, data]) => [name, await sha256(data)] as const)),
    );
    files.set('manifest.json', JSON.stringify(manifest));
  }
  return zipOf([...files].map(([name, data]): BundleFile => ({ name, data })));
}

const inJson = (name: string, change: (value: Record<string, never>) => void) => (files: Map<string, unknown>) => {
  const value = JSON.parse(files.get(name) as string) as Record<string, never>;
  change(value);
  files.set(name, JSON.stringify(value));
};

describe('a bundle that is whole', () => {
  test('comes back as it was: experiment, every number to seven digits, and the state bit for bit', async () => {
    const read = await readBundle(packed);
    if (read.kind !== 'run') throw new Error(whyNot(read));
    expect(read.run.config).toEqual(run.config);
    expect(read.run.manifest).toMatchObject({ title: 'A <b>title</b>', updates: 6, seeds: [1, 2], lab: '0.1.0' });
    expect(await read.run.state!()).toEqual(run.state);
    const [a, b] = [curves.part, await allSeeds(read.run.curves)];
    expect(b.values).toHaveLength(a.values.length);
    a.values.forEach((x, k) => expect(b.values[k]).toBe(Number.isNaN(x) ? NaN : Math.fround(Number(x.toPrecision(7)))));
  });

  test('goes on from its state with the bits of a run that never stopped', async () => {
    const read = await readBundle(packed);
    if (read.kind !== 'run') throw new Error(whyNot(read));
    const made = await createRun(read.run.config);
    if (!made.ok) throw new Error('the run could not be made');
    const chain = read.run.manifest.digests.perSeed!.map((hex) => Uint8Array.from(Buffer.from(hex, 'hex')));
    await made.value.restore({ state: await read.run.state!(), chain });
    while (made.value.update < 8) await made.value.submit();
    expect((await made.value.digest()).all).toBe(digestAfter);
  });

  test('holds its weights no longer than it takes to check them: they are read again, and not from a file that was changed', async () => {
    const file = packed.slice();
    let asked = 0;
    const source: Source = { size: file.length, read: async (from, to) => (asked++, file.slice(from, to)) };
    const read = await readBundle(source);
    if (read.kind !== 'run') throw new Error(whyNot(read));
    const before = asked;
    expect(await read.run.state!()).toEqual(await read.run.state!());
    expect(asked).toBeGreaterThan(before);
    // what an archive says of a file before its bytes ends with its name; elsewhere it stands without that
    const local = [
      ...Buffer.from(file)
        .toString('latin1')
        .matchAll(/weights\.safetensors/g),
    ];
    const { index } = local.find((found) => Buffer.from(file).readUInt32LE(found.index - 30) === 0x04034b50)!;
    file[index + 200]! ^= 1;
    await expect(read.run.state!()).rejects.toThrow('The file “weights.safetensors” is damaged');
  });

  test('is the same bytes every time, and has every file of its description', async () => {
    expect(await bundleOf(run)).toEqual(packed);
    const { name } = await packRun(run);
    expect(name).toMatch(/^a-b-title-b-[a-z2-7]{10}\.labrun\.zip$/);
    const files = await readZip(packed, limitsOf);
    if (typeof files === 'string') throw new Error(files);
    const names = [...files.keys()];
    for (const wanted of ['summary.json', 'trajectories.jsonl', 'CITATION.cff', 'README.txt', 'figures/success.svg'])
      expect(names).toContain(wanted);
    const [first] = new TextDecoder().decode(files.get('trajectories.jsonl')).split('\n');
    const trajectory = JSON.parse(first!) as { actions: unknown[]; rewards: unknown[]; credit: unknown[] };
    expect(trajectory.actions.length).toBe(trajectory.rewards.length);
    expect(trajectory.credit.length).toBe(trajectory.rewards.length);
  });

  test('has the names of other stacks as columns where that is wanted, and reads the same', async () => {
    const bytes = await bundleOf(run, { hasAliases: true });
    const files = await readZip(bytes, limitsOf);
    if (typeof files === 'string') throw new Error(files);
    const [head] = new TextDecoder().decode(files.get('metrics.csv')).split('\n');
    for (const alias of ['actor/entropy', 'actor/ppo_kl', 'actor/pg_clipfrac', 'critic/score/mean', 'num_turns/mean'])
      expect(head!.split(',')).toContain(alias);
    expect(head!.split(',')).toContain('rollout_corr/rollout_is_eff_sample_size');
    expect(whyNot(await readBundle(bytes))).toBe('it was opened as a run');
  });

  test('may be packed by others with deflate', async () => {
    const files = await wholeFiles();
    const encode = (data: string | Uint8Array): Uint8Array =>
      typeof data === 'string' ? new TextEncoder().encode(data) : data;
    const zip = zipSync(Object.fromEntries(files.map(({ name, data }) => [name, encode(data)])), { level: 9 });
    expect(whyNot(await readBundle(zip))).toBe('it was opened as a run');
  });
});

describe('bundles from strangers', () => {
  test.each<[string, RegExp, Parameters<typeof changed>[0], boolean?]>([
    ['a file that was changed', /summary\.json” was changed/, (f) => f.set('summary.json', '{}'), false],
    ['a missing file', /is missing/, (f) => f.delete('summary.json'), false],
    ['a file that nobody listed', /does not know/, (f) => f.set('metrics.parquet', 'x'), false],
    ['a path out of the folder', /which no bundle has/, (f) => f.set('../config.json', 'x')],
    ['an absolute path', /which no bundle has/, (f) => f.set('/etc/passwd', 'x')],
    ['a path inside figures', /which no bundle has/, (f) => f.set('figures/../../x.svg', 'x')],
    ['a script', /which no bundle has/, (f) => f.set('index.html', '<script>')],
    ['no metrics', /no metrics/, (f) => f.delete('metrics.csv')],
    ['half a state', /only a part/, (f) => f.delete('optimizer.safetensors')],
    [
      'another config',
      /not the one that its digest names/,
      inJson('config.json', (c) => (c['run']['updates'] = 9 as never)),
    ],
    [
      'keys of prototypes in the config',
      /no config that can be read/,
      (f) => f.set('config.json', (f.get('config.json') as string).replace('{', '{"__proto__":{"polluted":1},')),
    ],
    [
      'keys of prototypes in the manifest',
      /not the bundle of a run/,
      (f) => f.set('manifest.json', '{"__proto__":{"kind":"horizon-lab run"},"files":{}}'),
      false,
    ],
    ['a newer format', /newer version/, inJson('manifest.json', (m) => (m['version'] = 2 as never))],
    ['a newer schema', /newer version/, inJson('manifest.json', (m) => (m['schema'] = 999 as never))],
    ['an unknown field', /something wrong at/, inJson('manifest.json', (m) => (m['nonsense'] = 1 as never))],
    ['other seeds', /seeds are not/, inJson('manifest.json', (m) => (m['seeds'] = [7, 8] as never))],
    [
      'another exact digest',
      /exact digest/,
      inJson('manifest.json', (m) => (m['digests']['exact'] = 'a'.repeat(64) as never)),
    ],
    [
      'another summary',
      /summary is not/,
      inJson('manifest.json', (m) => (m['digests']['summary'] = '6~1.2.3.4.5.6~1~1~1' as never)),
    ],
    [
      'better numbers',
      /summary is not/,
      (f) => f.set('metrics.csv', (f.get('metrics.csv') as string).replace(/^(6,1,\d+),[^,]*/m, '$1,1')),
    ],
    [
      'a text among the numbers',
      /no number/,
      (f) => f.set('metrics.csv', (f.get('metrics.csv') as string).replace(/^(6,1,\d+),[^,]*/m, '$1,x')),
    ],
    [
      'a line too few',
      /cannot be read/,
      (f) => f.set('metrics.csv', (f.get('metrics.csv') as string).replace(/^6,2.*\n/m, '')),
    ],
    ['lines without end', /more lines/, (f) => f.set('metrics.csv', `update,seed,envSteps\n${'\n'.repeat(60_000)}`)],
  ])('%s: none of it is opened, in words', async (_, sentence, change, isListed = true) => {
    expect(whyNot(await readBundle(await changed(change, isListed)))).toMatch(sentence);
    expect('polluted' in {}).toBe(false);
  });

  test('weights that are not finite, or of another network', async () => {
    const file = (await filesOfRun(run)).find(({ name }) => name === 'weights.safetensors')!.data as Uint8Array;
    const read = readSafetensors(file);
    if (typeof read === 'string') throw new Error(read);
    const [name, { shape }] = Object.entries(read.tensors)[0]!;
    const bad = { shape, values: new Float32Array(shape.reduce((a, b) => a * b)).fill(NaN) };
    const nan = writeSafetensors({ ...read, tensors: { ...read.tensors, [name]: bad } });
    expect(whyNot(await readBundle(await changed((f) => f.set('weights.safetensors', nan))))).toMatch(/not finite/);
    const other = writeSafetensors({ ...read, tensors: { ...read.tensors, 'policy.x': bad } });
    expect(whyNot(await readBundle(await changed((f) => f.set('weights.safetensors', other))))).toMatch(
      /another network/,
    );
  });

  test('weights of another revision of a method are opened with the sentence of why they end there', async () => {
    const file = (await filesOfRun(run)).find(({ name }) => name === 'optimizer.safetensors')!.data as Uint8Array;
    const read = readSafetensors(file);
    if (typeof read === 'string') throw new Error(read);
    const whyOf = async (methods: string | null, lab = LAB_VERSION): Promise<string | null> => {
      const { methods: own, ...about } = read.about;
      expect(own).toContain('"advantage.gigpo":');
      const data = writeSafetensors({ ...read, about: methods === null ? about : { ...about, methods } });
      const bundle = await changed((files) => {
        files.set('optimizer.safetensors', data);
        inJson('manifest.json', (manifest) => Object.assign(manifest, { lab }))(files);
      });
      const found = await readBundle(bundle);
      if (found.kind !== 'run') throw new Error(whyNot(found));
      return found.run.whyNot;
    };
    expect(await whyOf(read.about['methods']!, '9.9.9')).toBe(null);
    expect(await whyOf('{"advantage.gigpo":99}')).toMatch(/another revision of a method/);
    // files of before named no revisions: those of this version can only have its own
    expect(await whyOf(null)).toBe(null);
    expect(await whyOf(null, '9.9.9')).toMatch(/version 9\.9\.9 of the lab/);
  });

  test('a bomb stops at what it says, and one that says what it is at the cap', async () => {
    const zeros = new Uint8Array(8 * 2 ** 20);
    const zip = zipSync({ 'config.json': zeros }, { level: 9 });
    expect(zip.length).toBeLessThan(10_000);
    expect(await readZip(zip, () => ({ ...RUN_LIMITS, inflated: 2 ** 20 }))).toMatch(/more than 1 MiB/);
    // the list of files says 10 bytes
    const view = new DataView(zip.buffer, zip.byteOffset);
    const end = zip.length - 22;
    view.setUint32(view.getUint32(end + 16, true) + 24, 10, true);
    expect(await readZip(zip, limitsOf)).toMatch(/not as large as/);
  });

  test('too many files, the same file twice, and cut archives', async () => {
    const many = Array.from({ length: 65 }, (_, k) => ({ name: `figures/f${k}.svg`, data: 'x' }));
    expect(await readZip(await zipOf(many), limitsOf)).toMatch(/65 files; at most 64/);
    const twice = [1, 2].map(() => ({ name: 'config.json', data: 'x' }));
    expect(await readZip(await zipOf(twice), limitsOf)).toMatch(/twice/);
    for (const length of [0, 21, 100, packed.length >> 1, packed.length - 1])
      expect(typeof (await readZip(packed.slice(0, length), limitsOf)), `${length}`).toBe('string');
  });

  test('a changed byte anywhere is found, and no bytes whatever make it throw', async () => {
    for (let k = 0; k < 40; k++) {
      const at = Math.floor(((k + 0.5) / 40) * packed.length);
      const bad = packed.slice();
      bad[at]! ^= 0x55;
      const read = await readBundle(bad);
      // times of files are the only bytes that nothing depends on
      if (read.kind === 'run') expect(read.run.manifest.digests.exact).toBe(run.digests.all);
    }
    const parts = fc.uint8Array({ maxLength: 400 });
    await fc.assert(fc.asyncProperty(parts, async (bytes) => void (await readBundle(bytes))));
    await fc.assert(
      fc.asyncProperty(fc.nat(packed.length - 1), fc.nat(255), async (at, byte) => {
        const bad = packed.slice();
        bad[at] = byte;
        await readBundle(bad);
      }),
      { numRuns: 30 },
    );
  });
});

describe('safetensors', () => {
  const file = { tensors: { a: { shape: [2, 2], values: Float32Array.of(1, 2, 3, 4) } }, about: { x: 'y' } };
  /** A file with any header and so many bytes of data. */
  const withHeader = (header: string, bytes: number): Uint8Array => {
    const text = new TextEncoder().encode(header);
    const made = new Uint8Array(8 + text.length + bytes);
    new DataView(made.buffer).setBigUint64(0, BigInt(text.length), true);
    made.set(text, 8);
    return made;
  };
  const f32 = (from: number, to: number, shape: readonly number[]): string =>
    `{"dtype":"F32","shape":[${shape.join()}],"data_offsets":[${from},${to}]}`;

  test('come back as they were, with the length of the header first', () => {
    const bytes = writeSafetensors(file);
    expect(readSafetensors(bytes)).toEqual(file);
    expect(Number(new DataView(bytes.buffer).getBigUint64(0, true)) % 8).toBe(0);
  });

  test.each<[RegExp, Uint8Array]>([
    [/too short/, new Uint8Array(4)],
    [/larger than 1 MiB/, withHeader(' '.repeat(2 ** 20 + 1), 0)],
    [/larger than 1 MiB/, Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 255)],
    [/beyond its end/, withHeader('{}', 0).slice(0, 9)],
    [/not JSON/, withHeader('{', 0)],
    [/not a record/, withHeader('[]', 0)],
    [/overlaps/, withHeader(`{"a":${f32(0, 8, [2])},"b":${f32(4, 12, [2])}}`, 12)],
    [/no tensor/, withHeader(`{"a":${f32(0, 4, [1])},"b":${f32(8, 12, [1])}}`, 12)],
    [/where the file ends/, withHeader(`{"a":${f32(0, 8, [2])}}`, 4)],
    [/where the file ends/, withHeader(`{"a":${f32(0, 4, [1])}}`, 8)],
    [/other bytes/, withHeader(`{"a":${f32(0, 8, [3])}}`, 8)],
    [/impossible offsets/, withHeader('{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}', 4)],
    [/impossible shape/, withHeader('{"a":{"dtype":"F32","shape":[-1,-1],"data_offsets":[0,4]}}', 4)],
    [/unknown kind/, withHeader('{"a":{"dtype":"toString","shape":[1],"data_offsets":[0,4]}}', 4)],
    [/name that no tensor/, withHeader(`{"__proto__":${f32(0, 4, [1])}}`, 4)],
    [/metadata/, withHeader('{"__metadata__":{"a":1}}', 0)],
  ])('are refused: %s', (sentence, bytes) => {
    expect(readSafetensors(bytes)).toMatch(sentence);
  });

  test('no bytes whatever make it throw', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void readSafetensors(bytes)));
    fc.assert(fc.property(fc.json(), (json) => void readSafetensors(withHeader(json, 8))));
  });
});
