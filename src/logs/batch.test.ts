import { expect, test } from 'vitest';
import { defaultsOf } from '../core/settings.ts';
import { estimators } from '../slots/methods.ts';
import { sampleBatch } from '../slots/advantage/sampleBatch.ts';
import type { Batch } from '../contract/columns.ts';
import { batchOf, type LogBatch } from './batch.ts';
import { compute } from './estimate.ts';
import { lines, mustRead } from './sampleLogs.ts';
import { anchorsOf, disputesOf, pairsOf, silentOf } from './summary.ts';
import type { ReadOptions } from './types.ts';

async function logOf(texts: Readonly<Record<string, string>>, options?: ReadOptions, most?: number): Promise<LogBatch> {
  const log = batchOf((await mustRead(texts, options)).table, most);
  if (typeof log === 'string') throw new Error(log);
  return log;
}

/** Values of real steps, in the order of the rows. */
const real = ({ B, T, length }: Batch, A: Float32Array): number[] =>
  Array.from({ length: B }, (_, i) => [...A.subarray(i * T, i * T + length[i]!)]).flat();

test('a log as rows gives what the estimators give for the batch that it is of', async () => {
  const batch = sampleBatch([
    {
      reward: [0, 0, 1],
      state: [1, 2, 3],
      action: [1, 1, 2],
      finalState: 9,
      value: [0.1, 0.2, 0.3],
      entropy: [1, 0.5, 0.2],
      logp: [-1, -2, -3],
    },
    {
      reward: [0, -0.5],
      state: [1, 2],
      action: [1, 2],
      finalState: 8,
      value: [0.1, 0.4],
      entropy: [1, 0.7],
      logp: [-1, -1],
    },
    { task: 1, reward: [0.25], state: [1], action: [0], finalState: 9, value: [0], entropy: [0.1], logp: [-0.5] },
    {
      task: 1,
      reward: [0, 0, 0, 0],
      state: [1, 4, 1, 4],
      action: [3, 3, 3, 3],
      finalState: 4,
      value: [0, 0, 0, 0],
      entropy: [1, 1, 1, 1],
      logp: [-1, -1, -1, -1],
    },
  ]);
  const { B, T } = batch;
  const head = 'task,episode,step,state,next_state,action,reward,value,entropy,logp,success,terminated';
  const rows = Array.from({ length: B * T }, (_, k) => {
    const [i, t] = [Math.floor(k / T), k % T];
    if (t >= batch.length[i]!) return [];
    const next = t + 1 < batch.length[i]! ? batch.stateKey[2 * (k + 1) + 1] : batch.finalStateKey[2 * i + 1];
    const { reward, value, entropy, logp, success } = batch;
    return [
      [
        batch.taskIndex[i],
        i,
        t,
        batch.stateKey[2 * k + 1],
        next,
        batch.action[k],
        reward[k],
        value[k],
        entropy[k],
        logp[k],
        success[i],
        1,
      ].join(','),
    ];
  }).flat();
  const log = await logOf({ 'x.csv': [head, ...rows].join('\n') });
  let done = 0;
  for (const estimator of estimators) {
    const found = compute(log, estimator.id);
    if (!found.ok) continue;
    done++;
    const want = real(batch, estimator.run(batch, defaultsOf(estimator.params)).A);
    expect([estimator.id, ...found.A]).toEqual([estimator.id, ...want]);
  }
  expect(done).toBeGreaterThanOrEqual(24);
});

/** Tasks of two episodes each, of these lengths. */
const rowsOf = (lengths: readonly number[]): string =>
  lines(
    ...lengths.flatMap((n, task) =>
      [0, 1].flatMap((episode) =>
        Array.from({ length: n }, (_, step) => ({ task, episode, step, reward: episode, state: step })),
      ),
    ),
  );

test('a log that is too large is thinned by whole tasks, evenly, and says so', async () => {
  const log = await logOf({ 'x.jsonl': rowsOf(new Array<number>(40).fill(5)) }, {}, 100);
  expect(log.batch.B * log.batch.T).toBeLessThanOrEqual(100);
  expect(log.batch.P).toBe(10);
  expect([...log.task]).toEqual([3, 7, 11, 15, 19, 23, 27, 31, 35, 39]);
  expect(log.notes[0]).toBe(
    'The log is larger than what is compared at once: 10 of 40 tasks with 100 of 400 steps are shown, evenly spread. Statistics within a task are complete.',
  );
  const grpo = compute(log, 'grpo');
  expect(grpo.ok && grpo.A.filter((x) => x > 0)).toHaveLength(50);
});

test('one episode that never ended does not take the room of the others', async () => {
  const log = await logOf({ 'x.jsonl': rowsOf([...new Array<number>(199).fill(3), 900]) }, {}, 4000);
  expect([log.batch.P, log.batch.T]).toEqual([199, 3]);
});

test('a task that is too large by itself is refused with a way out', async () => {
  const log = batchOf((await mustRead({ 'x.jsonl': rowsOf([50]) })).table, 40);
  expect(log).toBe(
    'Its episodes are too long to be compared with each other. Split the log, or leave out the longest ones.',
  );
});

test('anchors, silent tasks, and what two estimators dispute, by hand', async () => {
  // task 0: both in hall, then apart; task 1: both fail; task 2: one episode that loops
  const row = (task: number, episode: string, step: number, state: string, reward: number) => ({
    task,
    episode,
    step,
    state,
    reward,
    action: 'go',
  });
  const log = await logOf({
    'x.jsonl': lines(
      ...[
        row(0, 'a', 0, 'hall', 0),
        row(0, 'a', 1, 'attic', 1),
        row(0, 'b', 0, 'hall', 0),
        row(0, 'b', 1, 'cellar', 0),
      ],
      ...[row(1, 'a', 0, 'hall', 0), row(1, 'b', 0, 'hall', 0), row(2, 'a', 0, 'loop', 0), row(2, 'a', 1, 'loop', 1)],
    ),
  });
  expect(anchorsOf(log)).toEqual({
    ...{ steps: 8, states: 5, again: 3, shared: 2, stepsAgain: 6, stepsShared: 4, bySize: [2, 3, 0, 0, 0, 0] },
    top: [
      { step: 0, visits: 2, episodes: 2 },
      { step: 4, visits: 2, episodes: 2 },
      { step: 6, visits: 2, episodes: 1 },
    ],
  });
  expect(silentOf(log)).toEqual({ tasks: 3, all: [1, 2], won: 0, lost: 1, alone: 1 });
  const [x, y] = [Float32Array.of(1, 1, -1, -1, 0, 0), Float32Array.of(2, -2, -2, -2, 0, 2)];
  const [pair] = pairsOf([x, y]);
  // means 0 and −1/3: Σxy = 4, Σx² = 4, Σ(y + 1/3)² = 20 − 6/9
  expect(pair!.correlation).toBeCloseTo(4 / Math.sqrt(4 * (20 - 6 / 9)), 6);
  expect(pair!.sign).toBeCloseTo(3 / 5, 12);
  const worst = disputesOf(x, y, Uint32Array.of(0, 2, 4, 6), 2);
  expect(worst.map(({ step }) => step)).toEqual([1, 5]);
});
