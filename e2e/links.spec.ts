import { execFileSync } from 'node:child_process';
import type { CDPSession, Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { payloadOf } from './payload.ts';

const LINKS = 100;
/** Most that a run may take (src/config/caps.ts). */
const CAP_MIB = 512;

/** Numbers of a small generator, the same in every run of the test. */
function drawing(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** What decides how large a run is, from small to far too large, and what goes wrong in other ways. */
const VALUES: readonly (readonly [slot: string, module: string | null, name: string, values: readonly unknown[]])[] = [
  ['run', null, 'seeds', [1, 3, 16, 64]],
  ['run', null, 'updates', [1, 200, 20_000]],
  ['run', null, 'backend', ['auto', 'cpu', 'webgpu']],
  ['rollout', null, 'tasksPerBatch', [1, 4, 64, 1024]],
  ['rollout', null, 'groupSize', [1, 8, 64, 512]],
  ['rollout', null, 'staleness', [0, 4, 128]],
  ['policy', null, 'method', ['mlp', 'tabular', 'transformer']],
  ['policy', 'mlp', 'hidden', [[1], [64], [512, 512], [512, 512, 512, 512, 512, 512]]],
  ['policy', 'transformer', 'width', [8, 32, 64, 63]],
  ['policy', null, 'cloneEpisodes', [0, 8, 64]],
  ['policy', null, 'cloneSteps', [10, 1000]],
  ['task', null, 'method', ['grid', 'sokoban', 'textmaze']],
  ['task', 'grid', 'level', ['keyDoor', 'empty', 'fourRooms', 'no such level']],
  ['task', 'grid', 'n', [3, 12, 32, 63]],
  ['task', 'grid', 'maxSteps', [0, 10, 1000]],
  ['task', 'grid', 'view', ['planes', 'index', 'ego']],
  ['objective', null, 'epochs', [1, 16]],
  ['objective', null, 'minibatches', [1, 64]],
  ['advantage', null, 'method', ['gigpo', 'grpo', 'gae', 'oprl', 'remax']],
];

function linkNumber(draw: (most: number) => number): string {
  const config: Record<string, Record<string, unknown>> = {};
  for (let change = 1 + draw(6); change > 0; change--) {
    const [slot, module, name, values] = VALUES[draw(VALUES.length)]!;
    const of = (config[slot] ??= {});
    const group = module === null ? of : ((of[module] ??= {}) as Record<string, unknown>);
    group[name] = values[draw(values.length)];
  }
  const payload = payloadOf(JSON.stringify({ c: config }), 1 + draw(2));
  // one in ten is cut by a chat program
  return `#/lab?x=${draw(10) === 0 ? payload.slice(0, draw(payload.length)) : payload}`;
}

/** Memory of the largest process that draws a page and trains, in MiB. */
async function memoryOf(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const ids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => String(id));
  const lines = execFileSync('ps', ['-o', 'rss=', '-p', ids.join()]).toString().trim().split('\n');
  return Math.max(...lines.map(Number)) / 1024;
}

type Seen = { readonly words: string; readonly alerts: number; readonly update: number };

/** Opens a link and waits until the page has come to rest. */
const open = (page: Page, link: string): Promise<Seen> =>
  page.evaluate(async (text) => {
    type Api = { load(what: string): Promise<void>; state(): { update: number } };
    const { lab } = window as unknown as { lab: Api };
    await lab.load(text);
    const words = (): string => document.querySelector('.status dd')!.textContent;
    while (!/^(ready|waits for Run|not loaded)$/.test(words())) await new Promise(requestAnimationFrame);
    const alerts = document.querySelectorAll('.notices [role="alert"]').length;
    return { words: words(), alerts, update: lab.state().update };
  }, link);

test('100 links of any size: nothing is started, what is refused is told in one sentence, and memory stays under the cap', async ({
  lab,
  page,
  browser,
}) => {
  await lab.open();
  const session = await browser.newBrowserCDPSession();
  const before = await memoryOf(session);
  const draw = drawing(7);
  const seen: Seen[] = [];
  let most = before;
  for (let k = 0; k < LINKS; k++) {
    const link = linkNumber(draw);
    const found = await open(page, link);
    seen.push(found);
    expect(found.update, link).toBe(0);
    expect(found.alerts, link).toBeLessThanOrEqual(1);
    // one that is cut leaves what was there; everything else that is not loaded says why
    if (found.words === 'not loaded') expect(found.alerts, link).toBe(1);
    most = Math.max(most, await memoryOf(session));
  }
  expect(most - before).toBeLessThan(CAP_MIB);
  // all that may happen has happened
  const kinds = seen.map(({ words, alerts }) => `${words} ${alerts}`);
  expect(new Set(kinds)).toEqual(new Set(['ready 0', 'ready 1', 'waits for Run 0', 'waits for Run 1', 'not loaded 1']));
});
