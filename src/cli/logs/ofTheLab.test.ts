import { beforeAll, describe, expect, test } from 'vitest';
import { defaultsOf } from '../../core/settings.ts';
import { estimators } from '../../slots/methods.ts';
import { sampleRun, train } from '../../engine/sampleRun.ts';
import { trajectoryLines } from '../../lab/bundle/trajectories.ts';
import type { Batch } from '../../contract/columns.ts';
import { batchOf, type LogBatch } from '../../logs/batch.ts';
import { compute, offeredBy } from '../../logs/estimate.ts';
import { mustRead, type read } from '../../logs/sampleLogs.ts';
import { creditCsv } from '../../logs/tables.ts';

type Exported = { readonly lines: string; readonly batch: Batch; readonly A: Float32Array };

/** A run of the lab after a few updates, and its newest batch as it is exported. */
async function exported(changes: Record<string, unknown>): Promise<Exported> {
  const run = await sampleRun({ 'run.seeds': 1, 'run.updates': 6, ...changes });
  await train(run, 6);
  const { batch, A, levelSeeds, world } = await run.backend.view(0);
  const of = { seed: 1, update: 6, actions: run.plan.actionNames, levelSeeds, A };
  const reward = world?.reward ?? batch.reward;
  return { lines: trajectoryLines({ ...batch, ...of, reward, seen: world ? batch.reward : null }), batch, A };
}

async function logOf(texts: Parameters<typeof read>[0]): Promise<LogBatch> {
  const log = batchOf((await mustRead(texts)).table);
  if (typeof log === 'string') throw new Error(log);
  return log;
}

/** Values of real steps, in the order of the rows. */
const real = ({ B, T, length }: Batch, A: Float32Array): number[] =>
  Array.from({ length: B }, (_, i) => [...A.subarray(i * T, i * T + length[i]!)]).flat();

function expectEqual(got: ArrayLike<number>, want: ArrayLike<number>, what: string): void {
  expect(got.length).toBe(want.length);
  for (let k = 0; k < want.length; k++)
    if (!(Math.abs(got[k]! - want[k]!) <= 1e-6 * Math.max(1, Math.abs(want[k]!))))
      throw new Error(`${what}, step ${k}: ${got[k]} where the run has ${want[k]}`);
}

describe('an export of a run of the lab', () => {
  let plain: Exported;
  let shaped: Exported;
  beforeAll(async () => {
    plain = await exported({});
    shaped = await exported({ 'reward.pbrs.on': true });
  });

  test('gives the credit of the run itself', async () => {
    const log = await logOf({ 'trajectories.jsonl': plain.lines });
    expect(log.batch.B).toBe(plain.batch.B);
    const found = compute(log, 'gigpo');
    if (!found.ok) throw new Error(found.why);
    expectEqual(found.A, real(plain.batch, plain.A), 'GiGPO');
    // the file itself holds the same numbers
    const written = plain.lines
      .trim()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { credit: number[] }).credit);
    expectEqual(found.A, written, 'the credit in the file');
    expect(written.filter((x) => x !== 0).length).toBeGreaterThan(100);
  });

  test('gives the same credit by every estimator that its columns allow', async () => {
    const log = await logOf({ 'trajectories.jsonl': plain.lines });
    const done: string[] = [];
    for (const estimator of estimators) {
      const found = compute(log, estimator.id);
      if (!found.ok) continue;
      expectEqual(
        found.A,
        real(plain.batch, estimator.run(plain.batch, defaultsOf(estimator.params)).A),
        estimator.title,
      );
      done.push(estimator.id);
    }
    expect(done.length).toBeGreaterThanOrEqual(22);
    for (const id of ['grpo', 'hgpo', 'salt', 'copo', 'graphGpo', 'g2po', 'graft', 'rtmc', 'hicra', 'empg', 'mapo'])
      expect(done).toContain(id);
  });

  test('holds the rewards that the estimator saw, where the world paid others', async () => {
    const log = await logOf({ 'trajectories.jsonl': shaped.lines });
    const found = compute(log, 'reinforcePP');
    const { run, params } = estimators.find(({ id }) => id === 'reinforcePP')!;
    expect(found.ok).toBe(true);
    if (found.ok) expectEqual(found.A, real(shaped.batch, run(shaped.batch, defaultsOf(params)).A), 'REINFORCE++');
  });

  test('comes back from the table of credit that is written for it, with the same credit', async () => {
    const { table } = await mustRead({ 'trajectories.jsonl': plain.lines });
    const log = batchOf(table) as LogBatch;
    const ids = offeredBy(log.fields)
      .filter(({ why }) => why === null)
      .map(({ id }) => id);
    const columns = ids.map((id) => compute(log, id)).filter((c) => c.ok);
    const again = await logOf({ 'credit.csv': [...creditCsv(table, log, columns)].join('') });
    for (const before of columns) {
      const after = compute(again, before.id);
      // a table of credit has no column for entropy
      if (!after.ok) expect(['empg', 'aepo']).toContain(before.id);
      else expectEqual(after.A, before.A, before.title);
    }
  });
});
