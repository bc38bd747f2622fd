import { parseAst } from 'vite';
import { expect, test } from 'vitest';
import { comesLater, whole } from '../src/contract/later.ts';
import { estimators, objectives } from '../src/slots/methods.ts';
import { rewards, rollouts, sources } from '../src/slots/registry.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLater, onlyParts, partsChunk } from './lib/laterParts.ts';
import { leftOut, withoutOtherParts } from './lib/pageRecords.ts';

const CODE = `
  const defineEstimator = (record) => record;
  const shared = { why: () => 'shared' };
  export const toy = defineEstimator({
    id: 'toy',
    ...shared,
    needs: ['outcome'],
    process: { start: 1, step: (x) => x + 1 },
    run: (batch) => batch * 2,
    gpu(ops) { return ops; },
  });`;
const PARTS: ReadonlySet<string> = new Set(['run', 'gpu', 'step']);

type Toy = { id: string; needs: string[]; process: { step(x: number): number }; run(x: number): number };
const load = async (code: string): Promise<Toy> =>
  ((await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { toy: Toy }).toy;

test('a record without its parts, and its parts, are together the record as it was written', async () => {
  const light = await load(withoutOtherParts(CODE, parseAst(CODE), PARTS));
  const parts = await load(onlyParts(CODE, parseAst(CODE), PARTS));
  expect(() => light.run(2)).toThrow('not loaded');
  expect(Object.keys(parts).sort()).toEqual(['gpu', 'process', 'run', 'why']);
  comesLater(light, async () => parts);
  await whole([light]);
  const written = await load(CODE);
  expect(Object.keys(light).sort()).toEqual(Object.keys(written).sort());
  expect([light.run(2), light.process.step(1), light.id]).toEqual([4, 2, 'toy']);
  expect(whole([light])).toBeNull();
});

test('what did not arrive is asked for again', async () => {
  const record: { run?: () => number } = {};
  let asked = 0;
  comesLater(record, async () => {
    if (++asked === 1) throw new Error('no network');
    return { run: () => 3 };
  });
  await expect(whole([record])).rejects.toThrow('no network');
  await whole([record]);
  expect(record.run?.()).toBe(3);
});

test('nearly every method has parts that come later, each in the file of its slot', () => {
  const folder = join(import.meta.dirname, '../src/slots');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
  const later = files.filter(isLater);
  const methods = [estimators, objectives, rewards, rollouts, sources].flat().length;
  expect(later.length).toBeGreaterThan(0.9 * methods);
  for (const file of later) {
    expect(leftOut(file), file).toBeDefined();
    // a module with parts stands in two files: what it kept in one would be missing in the other
    expect(readFileSync(file, 'utf8'), file).not.toMatch(/^(export )?let /m);
    expect(partsChunk(`${file}?parts`)).toMatch(/^parts-(advantage|objective|reward|rollout|task)$/);
  }
});
