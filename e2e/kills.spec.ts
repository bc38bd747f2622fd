import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserType, LaunchOptions } from '@playwright/test';
import { asBefore, expect, test } from './fixtures.ts';
import { keptRuns, type KeptRun } from './keptRuns.ts';
import { Lab } from './lab.ts';

/** `npm test` makes these kills, each at another moment; `npm run kills` makes twenty, and with another number and `--seed` more and others. */
const KILLS = Number(process.env['KILLS'] ?? 4);
const SEED = Number(process.env['KILLS_SEED'] ?? 1);
/** A run takes about as long as the page to come back, so that most kills hit one in the middle. */
const SMALL = { 'policy.method': 'tabular', 'rollout.tasksPerBatch': 1, 'rollout.groupSize': 4 };
const UPDATES = 600;
const CELLS = 12;
/** Frames that may pass between the end of one run and the kill. */
const FRAMES = 90;

/** Numbers from 0 to 1, the same for the same seed. */
function draws(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (Math.imul(a, 1_664_525) + 1_013_904_223) >>> 0;
    return a / 2 ** 32;
  };
}

type Visit = { readonly context: BrowserContext; readonly lab: Lab; readonly kill: () => Promise<void> };

/** A browser whose profile stays on the disk, and how to end all of it at once: nothing of it is asked first. */
async function visit(chromium: BrowserType, profile: string, site: string, launch: LaunchOptions): Promise<Visit> {
  const context = await chromium.launchPersistentContext(profile, { ...launch, reducedMotion: 'reduce' });
  await asBefore(context);
  const page = context.pages()[0] ?? (await context.newPage());
  const lab = new Lab(page, site);
  await lab.open();
  const session = await context.browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const { id } = processInfo.find(({ type }) => type === 'browser')!;
  const kill = async (): Promise<void> => {
    const gone = new Promise((done) => context.once('close', done));
    process.kill(id, 'SIGKILL');
    await gone;
  };
  return { context, lab, kill };
}

const cellOf = ({ id }: KeptRun): string => id.split('.')[1]!;

/** Opens the dialog with the comparison of this test. */
async function describe(lab: Lab): Promise<void> {
  await lab.load(SMALL);
  await lab.button('Compare settings').click();
  await lab.button('Four estimators').click();
  await lab.page.getByRole('spinbutton', { name: 'Seeds', exact: true }).fill(String(CELLS / 4));
  await lab.page.getByRole('spinbutton', { name: 'Updates', exact: true }).fill(String(UPDATES));
}

async function begin(lab: Lab): Promise<void> {
  await lab.button('Start comparison').click();
  await expect(lab.page.getByText(/ of \d+ runs finished/).first()).toBeVisible();
}

test('a browser that is killed at any moment of a comparison loses no finished run, and the digests are those of one that nobody killed', async ({
  playwright,
  site,
}, info) => {
  if (KILLS > 10) test.setTimeout(0);
  const { launchOptions = {} } = info.project.use;
  const { chromium } = playwright;
  const draw = draws(SEED);
  const profile = await mkdtemp(join(tmpdir(), 'horizon-kills-'));
  try {
    let now = await visit(chromium, profile, site, launchOptions);
    await describe(now.lab);
    await begin(now.lab);
    await expect(now.lab.page.getByText(`${CELLS} of ${CELLS} runs finished`).first()).toBeVisible();
    const first = await keptRuns(now.lab.page);
    const whole = new Map(first.map((run) => [cellOf(run), run.digest]));
    const known = new Set(first.map(({ id }) => id));
    await now.lab.button('Another comparison').click();
    await begin(now.lab);
    let kept: KeptRun[] = [];
    let interrupted = 0;
    for (let k = 0; k < KILLS; k++) {
      if (kept.length === CELLS) {
        // all are there: what they are is looked at, and the kills go on in the next comparison
        expect(new Map(kept.map((run) => [cellOf(run), run.digest]))).toEqual(whole);
        for (const { id } of kept) known.add(id);
        kept = [];
        await describe(now.lab);
        await begin(now.lab);
      }
      const frames = Math.floor(draw() * FRAMES);
      await test.step(`kill ${k}: ${kept.length} runs are finished, after ${frames} frames`, async () => {
        await now.lab.page.evaluate(async (n) => {
          for (let frame = 0; frame < n; frame++) await new Promise(requestAnimationFrame);
        }, frames);
        await now.kill();
        now = await visit(chromium, profile, site, launchOptions);
        const runs = (await keptRuns(now.lab.page)).filter(({ id }) => !known.has(id));
        expect(runs).toHaveLength(CELLS);
        for (const run of kept) expect(runs).toContainEqual(run);
        kept = runs.filter(({ state }) => state === 'finished');
        interrupted += runs.filter(({ state }) => state === 'running').length;
        const strip = now.lab.page.getByRole('region', { name: 'Comparison' });
        if (kept.length < CELLS) await strip.getByRole('button', { name: 'Continue' }).click();
      });
    }
    expect(interrupted).toBeGreaterThan(0);
    const strip = now.lab.page.getByRole('region', { name: 'Comparison' });
    if (kept.length < CELLS) await expect(strip).toContainText(`${CELLS} of ${CELLS} runs finished`);
    const runs = (await keptRuns(now.lab.page)).filter(({ id }) => !known.has(id));
    expect(new Map(runs.map((run) => [cellOf(run), run.digest]))).toEqual(whole);
    await now.context.close();
  } finally {
    await rm(profile, { recursive: true, force: true });
  }
});
