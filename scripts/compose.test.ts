import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { serverOf, type Server } from '../src/cli/queue/server.ts';
import { ROOT } from './lib/process.mjs';
import { freePort, startServer } from './lib/redisServer.ts';
import { started } from './lib/started.ts';
import { ensureRedis } from './redis.mjs';

const { path: program, problem } = await ensureRedis();

type Service = {
  readonly image: string;
  readonly command: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly working_dir?: string;
  readonly depends_on?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
};
const text = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const { services } = parse(text('docs/compose.yaml')) as { services: { queue: Service; worker: Service } };
const page = text('docs/at-scale.md');

/** What an engine makes of variables: ${NAME:-value} and ${NAME:?sentence}. */
function filled(word: string, env: Readonly<Record<string, string>>): string {
  return word.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_all, name: string, kind: string, rest: string) => {
    if (env[name]) return env[name];
    if (kind === '?') throw new Error(rest);
    return rest;
  });
}
const commandOf = ({ command }: Service, env: Readonly<Record<string, string>>): string[] =>
  command.map((word) => filled(word, env));

test('its services find each other: name, port, folder and version of Node', () => {
  const { queue, worker } = services;
  const address = commandOf(worker, {}).at(-1)!;
  const { options } = serverOf(address, 'secret') as Server;
  expect(options).toEqual({ host: 'queue', port: 6379, db: 0, password: 'secret' });
  expect(worker.depends_on).toEqual(['queue']);
  expect(queue.ports).toEqual([`${options.port}:${options.port}`]);
  // the folder above docs, in which the command is found
  expect(worker.volumes).toEqual([`..:${worker.working_dir!}`]);
  const { engines } = JSON.parse(text('package.json')) as { engines: { node: string } };
  const [least, image] = [/\d+/.exec(engines.node)![0], /^node:(\d+)$/.exec(worker.image)![1]];
  expect(Number(image)).toBeGreaterThanOrEqual(Number(least));
});

test('neither service starts without a password', () => {
  for (const word of [services.queue.command[2]!, services.worker.environment!['LAB_QUEUE_PASSWORD']!])
    expect(() => filled(word, {})).toThrow('set a password');
});

test('docs/at-scale.md starts the same server by hand, and names its variables and its file', () => {
  expect(page).toContain(`\n${commandOf(services.queue, { LAB_QUEUE_PASSWORD: 'SECRET' }).join(' ')}\n`);
  for (const name of new Set(JSON.stringify(services).match(/LAB_\w+/g))) expect(page).toContain(`\`${name}\``);
  expect(page).toContain('docker compose -f docs/compose.yaml up');
});

test.skipIf(program === null)(
  `its server takes its settings, and its worker waits there for cells${problem === null ? '' : ` (skipped: ${problem})`}`,
  async () => {
    const port = await freePort();
    const env = { LAB_QUEUE_PASSWORD: 'open-sesame', LAB_QUEUE: `redis://127.0.0.1:${port}` };
    const [, ...settings] = commandOf(services.queue, env);
    const end = await startServer(program!, [...settings, '--port', `${port}`]);
    const [node, script, ...words] = commandOf(services.worker, env);
    expect(node).toBe('node');
    const own = Object.entries(services.worker.environment!).map(([name, value]) => [name, filled(value, env)]);
    const worker = started(join(ROOT, script!), words, { ...process.env, ...Object.fromEntries(own) });
    try {
      expect(await worker.said('trains cells from')).toContain(`trains cells from redis://127.0.0.1:${port}, `);
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toMatchObject({ errors: '' });
    } finally {
      await end();
    }
  },
);
