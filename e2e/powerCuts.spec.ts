import { asBefore, expect, test } from './fixtures.ts';
import { Killable, draws } from './killable.ts';
import { Lab, type LabApi } from './lab.ts';

/** `npm test` makes these; `npm run kills` makes twenty, and with another number and `--seed` more and others. */
const CUTS = Number(process.env['POWER_CUTS'] ?? 5);
const SEED = Number(process.env['POWER_CUTS_SEED'] ?? 1);

const CONFIG = {
  ...{ 'rollout.groupSize': 2, 'rollout.tasksPerBatch': 1, 'policy.mlp.hidden': [16] },
  ...{ 'run.seeds': 2, 'run.backend': 'cpu', 'run.updates': 1500 },
};
/** Updates that a browser trains at most before it is killed. */
const MOST = 30;

test('a browser that is killed again and again while it writes checkpoints loses none, and the run ends with the digest of one that nobody killed', async ({
  lab,
  site,
}, info) => {
  if (CUTS > 20) test.setTimeout(0);
  await lab.open();
  await lab.load(CONFIG);
  const whole = await lab.finish();
  await lab.page.close();
  const draw = draws(SEED);
  const browser = await Killable.create(info.project.use.launchOptions);
  try {
    let kept = 0;
    for (let k = 0; k <= CUTS; k++) {
      await test.step(`life ${k}, from update ${kept}`, async () => {
        const page = await browser.start();
        await asBefore(page.context());
        const mine = new Lab(page, site);
        await mine.open();
        if (k === 0) await mine.load(CONFIG);
        else await mine.button('Resume the run').click();
        const updateNow = async (): Promise<number> => (await mine.state()).update;
        if (k > 0) await expect.poll(updateNow).toBeGreaterThan(0);
        const update = await updateNow();
        // every step before the last one was written before it was answered, or is being written
        expect(update).toBeGreaterThanOrEqual(kept);
        kept = update;
        if (k === CUTS) {
          expect(await mine.finish()).toBe(whole);
          return;
        }
        // each step ends with a checkpoint: the kill falls into any moment of training and writing
        await page.evaluate(async () => {
          const { lab: api } = window as unknown as { lab: LabApi };
          await api.step();
          void (async () => {
            for (;;) await api.step();
          })();
        });
        if (k === 0) await expect.poll(() => mine.stored('pageRuns')).toHaveLength(1);
        const last = update + 1 + Math.floor(draw() * MOST);
        await page.waitForFunction((n) => (window as unknown as { lab: LabApi }).lab.state().update >= n, last, {
          polling: 5,
        });
        await browser.kill();
      });
    }
    expect(kept).toBeGreaterThanOrEqual(CUTS);
  } finally {
    await browser.dispose();
  }
});
