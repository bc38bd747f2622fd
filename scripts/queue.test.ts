import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { reach } from '../src/cli/queue/cellQueue.ts';
import { bundleCli } from './lib/cli.mjs';
import { ROOT } from './lib/process.mjs';
import { startRedis, type RedisServer } from './lib/redisServer.ts';
import { contents, started, type Started } from './lib/started.ts';
import { ensureRedis } from './redis.mjs';

const { path: program, problem } = await ensureRedis();
const PASSWORD = 'open-sesame';

/**
 * Seconds after which the cell of a worker that is gone begins anew, where a worker dies or its lock is looked at. Elsewhere it
 * is the half minute of the command: a busy machine keeps a worker for seconds from saying that it is there, and its cell
 * would be trained twice.
 */
const SOON = ['--takeover', '2'];
const CELLS = 6;

describe.skipIf(program === null)(`cells on many machines${problem === null ? '' : ` (skipped: ${problem})`}`, () => {
  // inside the project: what is not bundled is found there
  const cache = join(ROOT, '.cache');
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, 'queue-test-'));
  const description = join(home, 'sweep.json');
  const running = new Set<Started>();
  let lab = '';
  let server: RedisServer;
  let address = '';
  let expected: Record<string, string>;

  const start = (...words: string[]): Started => {
    const one = started(lab, words);
    running.add(one);
    void one.ended.then(() => running.delete(one));
    return one;
  };
  const worker = (...more: string[]): Started => start('worker', '--queue', address, '--jobs', '1', ...more);
  const sweep = (out: string): Started => start('sweep', description, '--queue', address, '--out', join(home, out));

  beforeAll(async () => {
    lab = (await bundleCli('lab', join(home, 'bundle'))) as string;
    server = await startRedis(program!, PASSWORD);
    address = `redis://:${PASSWORD}@127.0.0.1:${server.port}`;
    const set = { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 2, 'analysis.evalEvery': 20 };
    const vary = { 'advantage.method': ['gigpo', 'grpo'] };
    const measure = { method: 'creditFidelity', moments: [1], judges: 'own' };
    writeFileSync(
      description,
      JSON.stringify({ base: 'key-door', set, vary, seeds: CELLS / 2, updates: 200, measure }),
    );
    const { code, errors } = await start('sweep', description, '--jobs', '2', '--out', join(home, 'alone')).ended;
    if (code !== 0) throw new Error(errors);
    expected = contents(join(home, 'alone'));
  });
  afterEach(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all([...running].map(({ ended }) => ended));
    const queue = new Queue('horizon-lab-cells', { connection: { port: server.port, password: PASSWORD } });
    await queue.obliterate({ force: true });
    await queue.close();
  });
  afterAll(async () => {
    await server.end();
    rmSync(home, { recursive: true, force: true });
  });

  test('three workers, one killed in mid-cell: another one takes the cell over, and every byte is that of one process', async () => {
    const workers = [worker(...SOON), worker(...SOON), worker(...SOON)];
    await Promise.all(workers.map(({ said }) => said('trains cells from')));
    const command = sweep('three');
    const [, lost] = /^training (.+)$/m.exec(await workers[0]!.said('training'))!;
    workers[0]!.child.kill('SIGKILL');
    const { code, out, errors } = await command.ended;
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(contents(join(home, 'three'))).toEqual(expected);
    const names = [...out.matchAll(/^\d+\/\d+ (.+): score/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(CELLS);
    expect(names).toHaveLength(CELLS);
    const trained = await Promise.all(
      workers.slice(1).map(async ({ child, ended }) => {
        child.kill('SIGINT');
        const end = await ended;
        expect(end).toMatchObject({ code: 130, errors: '' });
        return end.out;
      }),
    );
    expect(trained.join('')).toContain(`\ntrained ${lost}`);
  });

  test('the lock of a cell is renewed while it is being trained', async () => {
    const long = join(home, 'long.json');
    writeFileSync(long, JSON.stringify({ base: 'key-door', seeds: 1, updates: 20_000 }));
    const one = worker(...SOON);
    start('sweep', long, '--queue', address, '--out', join(home, 'long'));
    await one.said('training ');
    const queue = new Queue('horizon-lab-cells', { connection: { port: server.port, password: PASSWORD } });
    const [job] = await queue.getActive();
    const client = new Redis({ port: server.port, password: PASSWORD });
    let before = Infinity;
    // it only ever falls, unless it is renewed
    await expect
      .poll(
        async () => {
          const left = await client.pttl(queue.toKey(`${job!.id}:lock`));
          const isRenewed = left > before;
          before = left;
          return isRenewed;
        },
        { timeout: 60_000, interval: 50 },
      )
      .toBe(true);
    expect(await job!.getState()).toBe('active');
    client.disconnect();
    await queue.close();
  });

  test('a sweep that is killed loses nothing: workers go on, and the same command takes what they have trained', async () => {
    const one = worker();
    const first = sweep('again');
    await first.said('1/6 ');
    first.child.kill('SIGKILL');
    await one.said('\ntrained ', 3);
    const { code, out } = await sweep('again').ended;
    expect(code).toBe(0);
    expect(out).toMatch(/ cells are finished, \d wait for workers at redis:\/\/127\.0\.0\.1:\d+\n/);
    expect(contents(join(home, 'again'))).toEqual(expected);
    expect((await one.said('\ntrained ', CELLS)).match(/^training /gm)).toHaveLength(CELLS);
  });

  test('Ctrl+C ends a sweep after the cells at hand and takes the others out of the queue; a worker that is stopped hands its cell back', async () => {
    const one = worker();
    const command = sweep('stopped');
    await command.said('1/6 ');
    process.kill(-command.child.pid!, 'SIGINT');
    const end = await command.ended;
    expect(end.code).toBe(130);
    const kept = [...end.out.matchAll(/^\d\/6 /gm)].length;
    expect(kept).toBeLessThan(CELLS);
    const queue = new Queue('horizon-lab-cells', { connection: { port: server.port, password: PASSWORD } });
    expect(await queue.getJobCountByTypes('waiting', 'active', 'completed')).toBe(0);
    const second = sweep('stopped');
    await one.said('training ', kept + 1);
    one.child.kill('SIGTERM');
    expect((await one.ended).code).toBe(143);
    // it is there at once, not when its lock has run out
    expect(await queue.getJobCountByTypes('active')).toBe(0);
    expect(await queue.getJobCountByTypes('waiting')).toBe(CELLS - kept);
    await queue.close();
    worker();
    expect((await second.ended).code).toBe(0);
    expect(contents(join(home, 'stopped'))).toEqual(expected);
  });

  test('a worker of another version trains nothing, says why in one sentence, and leaves the cell to the others', async () => {
    const queue = new Queue('horizon-lab-cells', { connection: { port: server.port, password: PASSWORD } });
    const command = sweep('other');
    await expect.poll(() => queue.getWaitingCount(), { timeout: 60_000 }).toBe(CELLS);
    command.child.kill('SIGKILL');
    await command.ended;
    const [job] = await queue.getWaiting(0, 0);
    await job!.updateData({ ...job!.data, lab: '9.9.9' });
    const end = await worker().ended;
    expect(end.code).toBe(1);
    expect(end.errors).toMatch(
      /^The cells in the queue are of lab 9\.9\.9 and this worker is lab \d.+: start both from the same version\.\n$/,
    );
    expect(await queue.getWaitingCount()).toBe(CELLS);
    await queue.close();
  });

  test('while the server is away a worker and a sweep can be stopped; they do not wait for it', async () => {
    const away = await startRedis(program!, PASSWORD);
    const at = `redis://:${PASSWORD}@127.0.0.1:${away.port}`;
    const single = join(home, 'single.json');
    writeFileSync(single, JSON.stringify({ base: 'key-door', seeds: 1, updates: 20_000 }));
    const busy = start('worker', '--queue', at, '--jobs', '1');
    const command = start('sweep', single, '--queue', at, '--out', join(home, 'away'));
    await busy.said('training ');
    const idle = start('worker', '--queue', at, '--jobs', '1');
    await idle.said('trains cells from');
    await away.end();
    for (const [{ child, ended }, signal, code] of [
      [command, 'SIGTERM', 143],
      [busy, 'SIGTERM', 143],
      [idle, 'SIGINT', 130],
    ] as const) {
      child.kill(signal);
      expect((await ended).code).toBe(code);
    }
  });

  test.each([
    ['not an address', () => 'six', 'such as redis://host:6379'],
    ['another protocol', () => 'http://127.0.0.1:6379', 'such as redis://host:6379'],
    ['no number of a database', () => `${address}/mine`, 'number of a database'],
    ['a database that is not there', () => `${address}/9999`, 'has no database of this number'],
    ['the wrong password', () => address.replace(PASSWORD, 'xyzzy'), 'did not accept the user or password'],
    ['no password', () => address.replace(`:${PASSWORD}@`, ''), 'did not accept the user or password'],
    ['a host that is not there', () => `redis://:${PASSWORD}@nowhere.invalid`, 'there is no host of that name'],
    ['a port where nobody listens', () => `redis://:${PASSWORD}@127.0.0.1:1`, 'nothing listens on that port'],
  ])('%s is refused in one sentence without a password', async (_what, wrong, sentence) => {
    const refused = await reach(wrong());
    expect(refused).toContain(sentence);
    expect(refused).toMatch(/^[^\n]+\.$/);
    expect(refused).not.toMatch(/open-sesame|xyzzy/);
  });

  test('what is refused ends both commands before anything is made', async () => {
    const wrong = address.replace(PASSWORD, 'xyzzy');
    for (const words of [['worker'], ['sweep', description, '--out', join(home, 'refused')]]) {
      const { code, out, errors } = await start(...words, '--queue', wrong).ended;
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(errors).toMatch(
        /^The server at redis:\/\/127\.0\.0\.1:\d+ did not accept the user or password of --queue\.\n$/,
      );
    }
    expect(existsSync(join(home, 'refused'))).toBe(false);
  });
});
