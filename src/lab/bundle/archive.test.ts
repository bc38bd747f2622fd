import { unzipSync, zipSync } from 'fflate';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Series, type SeriesPart } from '../../engine/series.ts';
import { CURVES, metricIndex, metrics } from '../../slots/metrics/metrics.ts';
import type { HeldFile } from '../runs/heldFile.ts';
import { inParts, ofHeld, Overview, tableOf, type CurvesInParts } from '../runs/inParts.ts';
import { archiveOf, sha256, tableFile, type BundleFile } from './archive.ts';
import { madeWhole, wholeOf } from './wholeOf.ts';
import { openZip } from './zip.ts';

const MIB = 2 ** 20;
const AT = new Date(Date.UTC(2026, 0, 2));

/** Curves of S seeds in which a number in three was measured. */
function madeUp(S: number, updates: number): SeriesPart {
  const values = Float32Array.from({ length: updates * S * CURVES }, (_, k) =>
    (k * 2654435761) % 3 === 0 ? Math.sin(k) * 10 ** (k % 9) : NaN,
  );
  return { from: 0, values, steps: Float64Array.from({ length: updates }, (_, u) => 7.25 * (u + 1)) };
}

/** The same curves in parts of these sizes, one after the other. */
const cutInto = (S: number, part: SeriesPart, sizes: readonly number[]): CurvesInParts => ({
  ...{ S, updates: part.steps.length },
  *parts() {
    for (let from = 0, k = 0; from < part.steps.length; k++) {
      const to = Math.min(part.steps.length, from + sizes[k % sizes.length]!);
      yield {
        from,
        values: part.values.slice(from * S * CURVES, to * S * CURVES),
        steps: part.steps.slice(from, to),
      };
      from = to;
    }
  },
});

async function textOf(curves: CurvesInParts, seeds: readonly number[], hasAliases: boolean): Promise<string> {
  const overview = await Overview.of(curves);
  const { data } = await madeWhole({ name: '', data: () => tableOf(curves, overview, seeds, hasAliases) });
  return data as string;
}

describe('curves in parts', () => {
  test('give the table that the whole history gives, whatever the parts are, with and without a start and other names', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
    const asked = fc.record({ sizes, S: fc.integer({ min: 1, max: 3 }), updates: fc.integer({ min: 1, max: 20 }) });
    await fc.assert(
      fc.asyncProperty(asked, fc.boolean(), fc.boolean(), async ({ sizes, S, updates }, hasAliases, hasStart) => {
        const part = madeUp(S, updates);
        if (!hasStart) part.values.fill(NaN, 0, S * CURVES);
        const seeds = Array.from({ length: S }, (_, s) => 5 + s);
        const series = new Series(S);
        series.join(part);
        const whole = series.csv(Uint32Array.from(seeds), hasAliases);
        expect(await textOf(cutInto(S, part, sizes), seeds, hasAliases)).toBe(whole);
        expect(await textOf(inParts({ S, part }), seeds, hasAliases)).toBe(whole);
      }),
      { numRuns: 60 },
    );
  });

  test('that end before they say are told, and so are those of a file that the browser has let go of', async () => {
    const part = madeUp(1, 6);
    const short = { ...cutInto(1, part, [4]), updates: 7 };
    await expect(Overview.of(short)).rejects.toThrow('have changed while they were read');
    const file = {
      slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }),
    };
    const held = { from: 0, parts: [{ from: 0, count: 6 }], file: file as unknown as Blob };
    await expect(Overview.of(ofHeld(held, 1))).rejects.toThrow('has let go of its curves');
  });
});

describe('an archive', () => {
  const files: BundleFile[] = [
    { name: 'a.txt', data: 'äöü' },
    { name: 'b.bin', data: Uint8Array.from({ length: 3 * MIB }, (_, k) => k % 251) },
    { name: 'empty', data: '' },
    {
      name: 'c.csv',
      async *data() {
        yield 'one,';
        yield '';
        yield new TextEncoder().encode('two\n');
      },
    },
  ];

  test('has the same bytes for a file that is made in pieces as for a whole one, and others unpack it', async () => {
    const whole = await wholeOf(archiveOf(await Promise.all(files.map(madeWhole)), AT));
    expect(await wholeOf(archiveOf(files, AT))).toEqual(whole);
    const unpacked = unzipSync(whole);
    expect(Object.keys(unpacked)).toEqual(['a.txt', 'b.bin', 'empty', 'c.csv']);
    expect(new TextDecoder().decode(unpacked['c.csv'])).toBe('one,two\n');
    expect(unpacked['b.bin']).toEqual(files[1]!.data);
  });

  test('ends with the error of what it is made of', async () => {
    const broken: BundleFile = {
      name: 'x.csv',
      async *data() {
        yield 'update,seed\n';
        throw new Error('one of the runs was deleted');
      },
    };
    await expect(wholeOf(archiveOf([files[0]!, broken], AT))).rejects.toThrow('one of the runs was deleted');
  });
});

test('of an archive no more than a MiB is read or unpacked at once, stored or packed', async () => {
  const data = Uint8Array.from({ length: 5 * MIB }, (_, k) => (k * 2654435761) >>> 24);
  const stored = await wholeOf(archiveOf([{ name: 'a.bin', data }], AT));
  for (const zip of [stored, zipSync({ 'a.bin': data }, { level: 6 })]) {
    const reads: number[] = [];
    const source = {
      size: zip.length,
      async read(from: number, to: number) {
        reads.push(to - from);
        return zip.slice(from, to);
      },
    };
    const found = await openZip(source, () => ({ entries: 1, inflated: 5 * MIB, isAllowed: () => true }));
    if (typeof found === 'string') throw new Error(found);
    let [at, largest] = [0, 0];
    for await (const piece of found[0]!.pieces()) {
      largest = Math.max(largest, piece.length);
      expect(Buffer.compare(piece, data.subarray(at, at + piece.length))).toBe(0);
      at += piece.length;
    }
    expect(at).toBe(data.length);
    expect(Math.max(largest, ...reads)).toBeLessThanOrEqual(MIB);
  }
});

describe('a table in a bundle', () => {
  test('beyond what a bundle takes is refused with what to do, and the rest of it is not made', async () => {
    const most = 8;
    const piece = 'x'.repeat(MIB);
    let made = 0;
    async function* table(): AsyncGenerator<string> {
      for (; made < 2 * most; made++) yield piece;
    }
    await expect(tableFile(table, most * MIB)).rejects.toThrow(
      /larger than the 8 MiB that a bundle takes; take metrics\.csv/,
    );
    expect(made).toBe(most);
  });

  test.each([1, 2 * MIB])(
    'of %i characters has the digest of its bytes, and is made twice only where it is long',
    async (n) => {
      let made = 0;
      const { data, hash } = await tableFile(async function* () {
        made++;
        yield 'x'.repeat(n);
      });
      expect(hash).toBe(await sha256('x'.repeat(n)));
      expect((await madeWhole({ name: '', data })).data).toBe('x'.repeat(n));
      expect(made).toBe(n > MIB ? 2 : 1);
    },
  );

  test('that is another one when it is written ends with an error instead of a bundle that nobody can open', async () => {
    let made = 0;
    const { data } = await tableFile(async function* () {
      yield `${made++}`.repeat(2 * MIB);
    });
    await expect(wholeOf(archiveOf([{ name: 'metrics.csv', data }], AT))).rejects.toThrow('have changed while they');
  });
});

/** A file of the curves of a long run that is made up where it is read; `read` is told the bytes of each read. */
function madeUpFile(updates: number, read: (bytes: number) => void): HeldFile {
  const PART = 512;
  const parts = Array.from({ length: Math.ceil(updates / PART) }, (_, k) => ({
    from: k * PART,
    count: Math.min(PART, updates - k * PART),
  }));
  const steps = (from: number, to: number) => Float64Array.from({ length: to - from }, (_, k) => 512 * (from + k + 1));
  let [part, isSteps] = [0, true];
  const file = {
    slice(from: number, to: number) {
      read(to - from);
      const { from: first, count } = parts[part]!;
      const values = new Float32Array(isSteps ? 0 : count * CURVES);
      values.forEach((_, k) => (values[k] = k % 2 === 0 ? NaN : Math.sin(k)));
      values.forEach((_, k) => k % CURVES === metricIndex.evalSuccess && (values[k] = 0.5));
      const made = isSteps ? steps(first, first + count) : values;
      isSteps = !isSteps;
      if (isSteps) part = (part + 1) % parts.length;
      return { arrayBuffer: async () => made.buffer };
    },
  };
  return { from: 0, parts, file: file as unknown as Blob };
}

test('a run of 6,000 updates is exported with all metrics, and nothing that is read or passed on is larger than a MiB', async () => {
  const updates = 6000;
  let largestRead = 0;
  const curves = ofHeld(
    madeUpFile(updates, (bytes) => (largestRead = Math.max(largestRead, bytes))),
    1,
  );
  const overview = await Overview.of(curves);
  const { data } = await tableFile(() => tableOf(curves, overview, [7], false));
  let [largest, size] = [0, 0];
  const reader = archiveOf([{ name: 'metrics.csv', data }], AT).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    // a piece of something larger counts as that
    largest = Math.max(largest, piece.value.buffer.byteLength);
    size += piece.value.length;
  }
  expect(size).toBeGreaterThan(updates * metrics.length * 4);
  expect(largest).toBeLessThanOrEqual(MIB);
  expect(largestRead).toBeLessThanOrEqual(MIB);
});
