/** Writes bundles of runs that nobody has trained, with the product's own writer; tests bundle this file and run it in Node. */
import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { configWith } from '../src/config/schema.ts';
import { LAB_VERSION } from '../src/core/version.ts';
import { packRun } from '../src/lab/bundle/runBundle.ts';
import { updatesOfPart, type CurvesInParts } from '../src/lab/runs/inParts.ts';
import { CURVES } from '../src/slots/metrics/metrics.ts';

/**
 * The k-th number of the curves, unlike those near it. It has long digits, and is the same when a table of seven digits has been
 * read into f32: with a first digit below 5, their steps are larger than those of f32.
 */
const numberAt = (k: number): number => (1 + (((k * 2654435761) % 2 ** 20) / 2 ** 20) * 3) * 1e-10;

/** Every metric of every update has a number. */
const madeUp = (S: number, updates: number): CurvesInParts => ({
  ...{ S, updates },
  *parts() {
    const size = updatesOfPart(S);
    for (let from = 0; from < updates; from += size) {
      const count = Math.min(size, updates - from);
      const first = from * S * CURVES;
      yield {
        from,
        values: Float32Array.from({ length: count * S * CURVES }, (_, k) => numberAt(first + k)),
        steps: Float64Array.from({ length: count }, (_, u) => 512 * (from + u + 1)),
      };
    }
  },
});

const [out, updates, seeds] = process.argv.slice(2);
const config = configWith({ 'run.updates': Number(updates), 'run.seeds': Number(seeds), 'run.backend': 'cpu' });
const { archive } = await packRun({
  ...{ config, title: 'Nobody trained it', note: '', curves: madeUp(Number(seeds), Number(updates)), backend: 'cpu' },
  ...{
    adapter: 'CPU path',
    lab: LAB_VERSION,
    commit: null,
    seconds: 1,
    at: Date.UTC(2026, 0, 2),
    site: null,
    doi: null,
  },
  ...{ digests: { all: '0123456789abcdef'.repeat(4), perSeed: null }, state: null, batches: [] },
});
await archive.pipeTo(Writable.toWeb(createWriteStream(out!)));
