import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { builtFrom, leftOut, lighter, PARTS, propertiesOf, withoutUnnamed, type Declared } from './pageRecords.ts';

/** The workers that train. */
const WORKERS = /[\\/](worker|replicas\.worker|cells\.worker|lesson\.worker)\.ts$/;
/** Slots of which a run has one module, or few, of many. */
const METHODS = /[\\/]src[\\/]slots[\\/](advantage|objective|reward|rollout|task)[\\/](?!versions[\\/]).+\.ts$/;
/** What most experiments have stands there from the start, and so does what keeps something in its module. */
const AT_ONCE = /[\\/](gigpo|grpo|gae|ppoClip|reinforce|sampled|greedy|uniform|formula)\.ts$/;
const RECORD = /\bdefine(Estimator|Objective|Reward|Rollout|TaskSource)\(/;
const LATER = join(import.meta.dirname, '../../src/contract/later.ts');

/** True for a file with the record of a method that few runs have. */
export const isLater = (file: string): boolean =>
  METHODS.test(file) && !AT_ONCE.test(file) && RECORD.test(readFileSync(file, 'utf8'));

/** Names of the records that a module exports. */
function recordsIn(program: unknown): readonly string[] {
  const { body } = program as { readonly body: readonly Declared[] };
  const declared = body.flatMap(({ declaration }) => declaration?.declarations ?? []);
  return declared.filter(({ init }) => RECORD.test(`${init?.callee?.name}(`)).map(({ id }) => id.name);
}

/**
 * The code of a module whose records have only these parts.
 * @param program the syntax tree of `code`
 */
export function onlyParts(code: string, program: unknown, parts: ReadonlySet<string>): string {
  let [kept, at, seen] = ['', 0, 0];
  for (const { key, start, end } of propertiesOf(program)) {
    // how a process model learns is a record in the record, and comes as it is
    if (start < seen) continue;
    seen = end;
    if (parts.has(key.name ?? '') || key.name === 'process') continue;
    kept += `${code.slice(at, start)}...{}`;
    at = end;
  }
  return kept + code.slice(at);
}

/**
 * A worker knows all methods, and computes with few: what the others compute with is one file for each slot, loaded when
 * the task of a run is prepared.
 */
export function laterParts(): Plugin {
  const { is, buildStart } = builtFrom(WORKERS);
  return {
    name: 'later-parts',
    apply: 'build',
    enforce: 'pre',
    buildStart,
    async resolveId(source, importer) {
      if (!is() || !importer) return null;
      if (source.endsWith(PARTS)) return source;
      if (!importer.endsWith(PARTS)) return null;
      const found = await this.resolve(source, importer.replace(PARTS, ''), { skipSelf: true });
      return found && isLater(found.id) ? found.id + PARTS : found;
    },
    transform: {
      order: 'post',
      handler(code, id) {
        const file = id.replace(PARTS, '');
        if (!is() || !isLater(file)) return null;
        const parts = leftOut(file)!;
        if (id.endsWith(PARTS)) {
          const kept = onlyParts(code, this.parse(code), parts);
          return { code: withoutUnnamed(kept, (text) => this.parse(text)), map: null };
        }
        const told = recordsIn(this.parse(code)).map(
          (name) => `comesLater(${name}, () => import(${JSON.stringify(file + PARTS)}).then((m) => m.${name}));`,
        );
        const light = lighter(this, code, parts, true);
        return {
          code: `import { comesLater } from ${JSON.stringify(LATER)};\n${light.code}\n${told.join('\n')}`,
          map: null,
        };
      },
    },
  };
}

/** The file that the parts of a slot are in. */
export const partsChunk = (id: string): string | null =>
  id.endsWith(PARTS) ? `parts-${METHODS.exec(id.replace(PARTS, ''))![1]}` : null;
