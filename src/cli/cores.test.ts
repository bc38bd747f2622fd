import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { prepareTask } from '../config/level.ts';
import { configWith } from '../config/schema.ts';
import { must } from '../core/problem.ts';
import { makeCpuBackend } from '../engine/cpu/cpuBackend.ts';
import { makePlan } from '../engine/plan.ts';
import { Run } from '../engine/run.ts';
import { onCores } from './cores.ts';

/** A thread, and what it does with its first message. */
const { Thread } = await vi.hoisted(async () => {
  const { EventEmitter } = await import('node:events');
  class One extends EventEmitter {
    static readonly all: One[] = [];
    static heard: (thread: One) => void;
    isEnded = false;

    constructor() {
      super();
      One.all.push(this);
    }
    postMessage(): void {
      One.heard(this);
    }
    unref(): void {}
    terminate(): void {
      this.isEnded = true;
    }
  }
  return { Thread: One };
});
type Thread = InstanceType<typeof Thread>;
vi.mock('node:worker_threads', () => ({ Worker: Thread, parentPort: null, workerData: null }));

const CONFIG = configWith({ 'run.seeds': 1, 'rollout.tasksPerBatch': 64, 'rollout.groupSize': 8 });
const said: string[] = [];
beforeEach(() => {
  [Thread.all.length, said.length] = [0, 0];
  vi.spyOn(console, 'error').mockImplementation((text: string) => void said.push(text));
});
afterEach(() => vi.restoreAllMocks());

async function digestOn(make: Parameters<typeof Run.create>[1]) {
  await prepareTask(CONFIG);
  const run = await Run.create(must(makePlan(CONFIG)), make);
  await run.submit();
  return run.digest();
}

test.each<[string, (thread: Thread) => void, string]>([
  [
    'can be sent nothing',
    () => {
      throw new DOMException('() => 0 could not be cloned.', 'DataCloneError');
    },
    '() => 0 could not be cloned.',
  ],
  ['fails while it opens the run', (thread) => void thread.emit('error', new Error('no memory')), 'no memory'],
  ['ends without a word', (thread) => void thread.emit('exit', 1), 'its thread ended with code 1'],
])('where a thread %s, one core trains alone and says why, and no thread is left', async (_what, heard, why) => {
  // the first one comes, the second one does not
  Thread.heard = (thread) => void (thread === Thread.all[0] ? thread.emit('message', 'open') : heard(thread));
  const digest = await digestOn(onCores(3));
  expect(said).toEqual([`One core trains alone, to the same bits: no other could begin (${why}).`]);
  expect(Thread.all.map(({ isEnded }) => isEnded)).toEqual([true, true]);
  expect(digest).toEqual(await digestOn(makeCpuBackend));
});
