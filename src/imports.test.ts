import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * The shape of the project, checked on its text: who may import whom, and a few habits that keep files readable.
 * The table of directions is explained in docs/architecture.md.
 */

const SRC = import.meta.dirname;
const ROOT = dirname(SRC);

/** What another folder may see of worlds, slots and networks: the lists, the contracts, the metric dictionary. */
const REGISTRIES = [
  'envs/registry.ts',
  'envs/types.ts',
  'envs/facts.ts',
  'envs/levelDeal.ts',
  'envs/editor.ts',
  'slots/registry.ts',
  'slots/methods.ts',
  'slots/estimatorOf.ts',
  'slots/types.ts',
  'slots/metrics/',
  'slots/advantage/given.ts',
  'slots/task/types.ts',
  'slots/rollout/types.ts',
  'slots/wrapper/registry.ts',
  'networks/registry.ts',
  'networks/policy.ts',
  'networks/kernelFloats.ts',
  'networks/layout.ts',
  'networks/types.ts',
];

/** Folder → what it may import, as folders (ending in a slash) or single files under src. Its own folder always. */
const ALLOWED: Record<string, readonly string[]> = {
  core: [],
  // What all slots share: the outer form of a module, tensors of a state.
  contract: ['core/'],
  wasm: [],
  envs: ['core/', 'contract/'],
  // Their recordings on WebGPU stand beside them.
  networks: ['core/', 'contract/', 'wasm/', 'gpu/'],
  gpu: ['core/', 'contract/'],
  slots: [
    'core/',
    'contract/',
    'envs/types.ts',
    'envs/enumerate.ts',
    'envs/distances.ts',
    'envs/checkpoints.ts',
    'envs/perturb/',
  ],
  config: ['core/', 'contract/', ...REGISTRIES],
  engine: ['core/', 'contract/', 'slots/', 'wasm/', 'envs/', 'networks/', 'gpu/', 'config/'],
  // Views on top of the engine, and measures of batches and runs that it does not need.
  lab: ['core/', 'contract/', 'slots/', 'envs/', 'networks/', 'gpu/', 'config/', 'engine/'],
  // Logs of other agents, as the estimators read them.
  logs: ['core/', 'contract/', 'slots/', 'lab/analysis/', 'lab/bundle/zip.ts'],
  monitor: ['core/', 'contract/', 'config/', 'engine/', 'envs/enumerate.ts', ...REGISTRIES],
  // Compares with golden files, and the two paths with each other: whatever there is.
  check: ['core/', 'contract/', 'slots/', 'envs/', 'networks/', 'gpu/', 'config/', 'engine/', 'lab/'],
  // Lessons: data, and what trains and checks them.
  lessons: ['core/', 'contract/', 'slots/', 'envs/', 'networks/', 'config/', 'engine/', 'lab/'],
  // What stays in the browser: runs, sweeps, drafts, checkpoints. Page and workers use it.
  store: ['core/', 'contract/', 'config/', 'engine/', 'lab/'],
  // Whoever owns the lifecycle of a run opens the device it runs on.
  worker: [
    'core/',
    'contract/',
    'config/',
    'engine/',
    'lab/',
    'monitor/',
    'store/',
    'gpu/device.ts',
    'check/device/',
    'lessons/',
    ...REGISTRIES,
  ],
  // The conformance command checks golden files, which each area reads by itself.
  cli: [
    'core/',
    'contract/',
    'config/',
    'engine/',
    'lab/',
    'logs/',
    'lessons/',
    'check/',
    'gpu/device.ts',
    'envs/conformance.ts',
    'networks/conformance.ts',
    'slots/task/conformance.ts',
    'slots/rollout/conformance.ts',
    'slots/rollout/again/conformance.ts',
    ...REGISTRIES,
  ],
  ui: [
    'core/',
    'contract/',
    'config/',
    'lab/analysis/',
    'lab/bundle/',
    'lab/cite/',
    'lab/report/',
    'lab/runs/',
    'lab/sweep/',
    'logs/',
    // the language of formulas: the editor checks and explains while someone types
    'slots/advantage/formula/',
    // lessons as data, and the experiments of their arms; what trains them is in a worker
    'lessons/format/',
    'lessons/list.ts',
    'lessons/routes.ts',
    'lessons/slides.ts',
    'lessons/arms.ts',
    'store/',
    'check/device/report.ts',
    ...REGISTRIES,
    'worker/protocol.ts',
  ],
};

/** What tests use of the folders above theirs: golden files everywhere, and in the engine also views of a run. */
const SEEN_BY_TESTS = ['check/conformance/golden.ts', 'check/fixtures/'];
const SEEN_BY_ENGINE_TESTS = ['lab/', 'check/'];
const seenByTests = (file: string): readonly string[] =>
  !file.includes('.test.') ? [] : file.startsWith('engine/') ? SEEN_BY_ENGINE_TESTS : SEEN_BY_TESTS;

/** The only files of the interface that reach workers: of the run, on one core and others, of what trains sweeps and lessons, and of the device check. */
const CLIENTS = ['ui/client.ts', 'ui/hired.ts', 'ui/sweeps/client.ts', 'ui/lessons/client.ts', 'ui/check/client.ts'];

type Import = { readonly from: string; readonly text: string; readonly isType: boolean };

const posix = (path: string): string => path.split(sep).join('/');

function filesUnder(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(posix)
    .filter((path) => pattern.test(path))
    .sort();
}

const withoutComments = (code: string): string =>
  code.replace(/(^|\s)\/\*[\s\S]*?\*\//g, '$1').replace(/(^|[\s;{}])\/\/.*$/gm, '$1');

/** All imports of a file: static, re-exports, dynamic, and workers made from an address. */
function importsOf(code: string): Import[] {
  const found: Import[] = [];
  const text = withoutComments(code);
  for (const m of text.matchAll(/^\s*(?:import|export)\s+(type\s)?(?:[\w*{][^'"`;]*?\sfrom\s*)?['"]([^'"]+)['"]/gm))
    found.push({ from: m[2]!, text: m[0].trim(), isType: m[1] !== undefined });
  for (const m of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g))
    found.push({ from: m[1]!, text: m[0], isType: false });
  for (const m of text.matchAll(/new URL\(\s*['"](\.[^'"]+)['"]\s*,\s*import\.meta\.url/g))
    found.push({ from: m[1]!, text: m[0], isType: false });
  return found;
}

/** The sentence that says what is wrong with one import, or null. */
function wrongDirection(file: string, { from, text, isType }: Import): string | null {
  const folder = file.split('/')[0]!;
  if (!from.startsWith('.')) {
    const react = /^(react|react-dom|radix-ui|recharts|zustand|lucide-react)(\/|$)/.test(from);
    return react && folder !== 'ui' ? `${file} is below the interface and must not know ${from}` : null;
  }
  const target = posix(relative(SRC, resolve(SRC, dirname(file), from.replace(/\?.*$/, ''))));
  if (target.startsWith('..')) return isRootFile(target) ? null : `${file} leaves src: ${text}`;
  if (target.startsWith(`${folder}/`) || !file.includes('/')) return null;
  if (CLIENTS.includes(file) && target.startsWith('worker/')) return null;
  if (folder === 'ui' && target === 'worker/protocol.ts' && !isType)
    return `${file} may import only types of ${target}`;
  const allowed = ALLOWED[folder] && [...ALLOWED[folder], ...seenByTests(file)];
  if (!allowed) return `${file}: the folder ${folder} has no line in the table of directions`;
  return allowed.some((a) => (a.endsWith('/') ? target.startsWith(a) : target === a))
    ? null
    : `${file} must not import ${target}`;
}

/** Build-time files outside src that code may read, e.g. the version in package.json. */
const isRootFile = (target: string): boolean => target === '../package.json';

/** Everything but two files whose examples are wrong on purpose. */
const EXAMPLES = ['imports.test.ts', 'neutralEngine.test.ts'];
const code = filesUnder(SRC, /\.tsx?$/).filter((file) => !EXAMPLES.includes(file));
const read = (file: string): string => readFileSync(join(SRC, file), 'utf8');
const offenders = (pattern: RegExp): string[] => code.filter((file) => pattern.test(withoutComments(read(file))));

test('only pages start workers: one that starts another may wait for ever in Firefox (src/worker/hiring.ts)', () => {
  const starting = offenders(/\bnew Worker\(/).filter((file) => !/^(ui|cli)\/|\.test\./.test(file));
  expect(starting).toEqual([]);
});

describe('imports', () => {
  test('point only in the allowed direction', () => {
    const wrong = code.flatMap((file) => importsOf(read(file)).map((i) => wrongDirection(file, i)));
    expect(wrong.filter((sentence) => sentence !== null)).toEqual([]);
    expect(code.length).toBeGreaterThan(10);
  });

  test('the rule itself finds wrong imports', () => {
    const judge = (file: string, line: string) => importsOf(line).map((i) => wrongDirection(file, i));
    expect(judge('envs/a.ts', `import { x } from '../slots/types.ts';`)).toEqual([
      'envs/a.ts must not import slots/types.ts',
    ]);
    expect(judge('core/a.ts', `export type { X } from '../config/slots.ts';`)).toEqual([
      'core/a.ts must not import config/slots.ts',
    ]);
    expect(judge('ui/a.ts', `import { run } from '../worker/protocol.ts';`)).toEqual([
      'ui/a.ts may import only types of worker/protocol.ts',
    ]);
    expect(judge('ui/a.ts', `const w = new Worker(new URL('../worker/worker.ts', import.meta.url));`)).toEqual([
      'ui/a.ts must not import worker/worker.ts',
    ]);
    expect(judge('engine/a.ts', `import { useState } from 'react';`)).toEqual([
      'engine/a.ts is below the interface and must not know react',
    ]);
    expect(judge('engine/a.ts', `import {\n  grpo,\n} from '../slots/advantage/grpo.ts';`)).toEqual([null]);
    expect(judge('gpu/a.ts', `// import { x } from '../engine/plan.ts';`)).toEqual([]);
  });

  test('of modules stand in the registry of the slots alone: nobody else knows one of them by its file', () => {
    const modules = importsOf(read('slots/registry.ts')).filter((i) => !i.isType && i.from.startsWith('./'));
    const files = new Set(modules.map(({ from }) => posix(join('slots', from))));
    expect(files.size).toBeGreaterThan(10);
    const others = code.filter((file) => !/^slots\/|\.test\.ts$|^check\/golden\//.test(file));
    const known = others.flatMap((file) =>
      importsOf(read(file))
        .map(({ from }) => posix(join(dirname(file), from)))
        .filter((target) => files.has(target))
        .map((target) => `${file} knows ${target}`),
    );
    expect(known).toEqual([]);
  });

  test('name the file with its extension', () => {
    const bare = code.flatMap((file) =>
      importsOf(read(file))
        .filter((i) => i.from.startsWith('.') && !/\.(tsx?|mjs|wgsl|css|json|svg|txt|yaml)(\?\w+)?$/.test(i.from))
        .map((i) => `${file}: ${i.text}`),
    );
    expect(bare).toEqual([]);
  });

  test('lead to files that exist', () => {
    const missing = code.flatMap((file) =>
      importsOf(read(file))
        .filter((i) => i.from.startsWith('.'))
        .filter((i) => !existsSync(resolve(SRC, dirname(file), i.from.replace(/\?.*$/, ''))))
        .map((i) => `${file}: ${i.text}`),
    );
    expect(missing).toEqual([]);
  });
});

describe('files', () => {
  test('export by name, never by default', () => {
    expect(offenders(/^export default\b/m)).toEqual([]);
  });

  test('are no barrels', () => {
    expect(code.filter((file) => /(^|\/)index\.tsx?$/.test(file))).toEqual([]);
    expect(offenders(/^export \*/m)).toEqual([]);
    const onlyReexports = code.filter((file) => {
      const statements = withoutComments(read(file)).replace(/^export (type )?\{[^}]*\} from '[^']+';/gm, '');
      return statements.trim() === '';
    });
    expect(onlyReexports).toEqual([]);
  });

  test('keep WGSL in .wgsl files, not in template strings', () => {
    const shader = /`[^`]*(@compute|@group\(|var<storage)[^`]*`/;
    // a kernel test may frame a function under test by a few lines of its own
    expect(code.filter((file) => !file.endsWith('.gpu.test.ts') && shader.test(read(file)))).toEqual([]);
  });

  test('stay under 400 lines', () => {
    const long = [...code, ...filesUnder(SRC, /\.wgsl$/)].map((file) => ({
      file,
      lines: read(file).split('\n').length,
    }));
    expect(long.filter(({ lines }) => lines > 401)).toEqual([]);
  });

  test('never inject markup', () => {
    expect(offenders(/dangerouslySetInnerHTML|\.innerHTML\b|insertAdjacentHTML/)).toEqual([]);
  });
});

describe('text of the repository', () => {
  const folders = ['src', 'scripts', 'e2e', 'docs', 'public', '.ci', 'bench'].filter((f) => existsSync(join(ROOT, f)));
  const text = [
    ...readdirSync(ROOT).filter((name) => /\.(md|json|ts|html|cff|yml)$/.test(name)),
    ...folders.flatMap((f) =>
      filesUnder(join(ROOT, f), /(\.(tsx?|mjs|wgsl|css|md|json|html|svg)|\/?_headers|run)$/).map((p) => `${f}/${p}`),
    ),
  ];
  const all = text.map((file) => ({ file, body: readFileSync(join(ROOT, file), 'utf8') }));

  test('names no path of the machine it was written on', () => {
    const path = /(?<![\w.:/-])\/(home|root|work|Users|mnt|workspace)\/[\w.-]+/;
    const outside = /(?:^|[\s'"`(])(?:\.\.\/)+shared\b/m;
    expect(all.filter(({ body }) => path.test(body) || outside.test(body)).map(({ file }) => file)).toEqual([]);
  });

  test('names only hosts that readers can open', () => {
    const hosts =
      /^(arxiv\.org|github\.com|www\.w3\.org|json\.schemastore\.org|opensource\.org|www\.apache\.org|apache\.org|keepachangelog\.com|semver\.org|gpuweb\.github\.io|nodejs\.org|doi\.org|developer\.mozilla\.org|localhost|127\.0\.0\.1|example\.(com|org)|lab\.example)$/;
    const strange = all
      .filter(({ file }) => file !== 'package-lock.json')
      .flatMap(({ file, body }) =>
        [...body.matchAll(/https?:\/\/([\w.-]+)/g)].filter((m) => !hosts.test(m[1]!)).map((m) => `${file}: ${m[1]}`),
      );
    expect(strange).toEqual([]);
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
    const registries = [...lock.matchAll(/"resolved": "https?:\/\/([^/"]+)/g)].map((m) => m[1]);
    expect(registries).toEqual([]);
  });

  test('links in Markdown lead to files that exist', () => {
    const broken = all
      .filter(({ file }) => file.endsWith('.md'))
      .flatMap(({ file, body }) =>
        [...body.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)]
          .filter((m) => !existsSync(resolve(ROOT, dirname(file), m[1]!)))
          .map((m) => `${file}: ${m[1]}`),
      );
    expect(broken).toEqual([]);
  });
});
