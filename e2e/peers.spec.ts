import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { Lab } from './lab.ts';
import { PURPOSE, random } from '../src/core/random.ts';

/** Alone, seed 5 finds nothing here for a long time. */
const ROOM = {
  ...{ 'task.grid.level': 'empty', 'task.grid.n': 11, 'task.grid.maxSteps': 40, 'task.levels': 1 },
  ...{ 'policy.method': 'tabular', 'optimizer.learningRate': 0.05, 'advantage.method': 'grpo' },
  ...{ 'rollout.method': 'swarm', 'rollout.tasksPerBatch': 4, 'rollout.groupSize': 4 },
  ...{ 'run.seed': 5, 'run.backend': 'cpu', 'run.updates': 20_000 },
};

const panel = (page: Page) => page.getByRole('group', { name: 'Other tabs' });

/** Opens the form, where a tab is told to share. */
async function openForm(lab: Lab): Promise<void> {
  await lab.button('Show setup').click();
  await expect(panel(lab.page)).toBeVisible();
}

/** A number of the panel, by its name. */
async function count(page: Page, name: string): Promise<number> {
  return Number((await panel(page).locator('div', { hasText: name }).locator('dd').textContent())!.replaceAll(',', ''));
}

test('two tabs share what they play once both were told to, and say that the link alone repeats neither', async ({
  lab,
  page,
  site,
}) => {
  await test.step('a switch that is pressed before the worker has said how it stands stays pressed', async () => {
    await lab.open();
    await lab.load(ROOM);
    await page.evaluate(() => {
      const seen: boolean[] = [];
      Object.assign(window, { seen });
      const watch = (box: HTMLInputElement): void => {
        seen.push(box.checked);
        if (seen.length < 60) requestAnimationFrame(() => watch(box));
      };
      new MutationObserver((_, observer) => {
        const box = document.querySelector<HTMLInputElement>('.peers input');
        if (!box) return;
        observer.disconnect();
        // as soon as React is done with showing it, which is before the worker can have answered
        setTimeout(() => {
          box.click();
          requestAnimationFrame(() => watch(box));
        });
      }).observe(document.body, { childList: true, subtree: true });
    });
    await openForm(lab);
    const seen = (): Promise<boolean[]> => page.evaluate(() => (window as unknown as { seen: boolean[] }).seen);
    await expect.poll(async () => (await seen()).length).toBe(60);
    expect(await seen()).not.toContain(false);
    await expect(panel(page).getByText('Tabs seen')).toBeVisible();
    await panel(page).getByRole('checkbox').uncheck();
  });

  const other = new Lab(await page.context().newPage(), site);
  await other.open();
  await other.load({ ...ROOM, 'run.seed': 8 });
  await openForm(other);
  // whoever has not been told to hears nobody
  await expect(panel(page).getByRole('checkbox')).not.toBeChecked();
  await panel(page).getByRole('checkbox').check();
  await expect.poll(() => count(page, 'Tabs seen')).toBe(0);
  await panel(other.page).getByRole('checkbox').check();
  for (const one of [page, other.page]) await expect.poll(() => count(one, 'Tabs seen')).toBe(1);
  await expect(panel(page).getByRole('status')).toContainText('the link of this run still repeats it');
  await other.runButton.click();
  await lab.runButton.click();
  await expect.poll(() => count(page, 'Episodes taken'), { timeout: 240_000 }).toBeGreaterThan(0);
  await expect(panel(page).getByRole('status')).toContainText('Its link alone does not repeat it');
  expect(await count(page, 'Episodes refused')).toBe(0);
  // the link of a run that others taught carries no result to be verified, and says why
  await lab.pauseButton.click();
  await expect.poll(async () => (await lab.state()).state).toBe('paused');
  await lab.button('Share').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(/episodes? came from other tabs: this link repeats the settings, not the numbers/);
  await expect(dialog.getByRole('region', { name: 'Result in the link' })).toHaveCount(0);
});

/** What a tab of the same world hears and can say. */
type Said = Readonly<Record<string, unknown>>;

/** Puts an eavesdropper on the channel of the page; the world that its worker names when it says hello. */
async function worldOf(page: Page, share: () => Promise<void>): Promise<string> {
  await page.evaluate(() => {
    const channel = new BroadcastChannel('horizon-lab peers');
    const heard: string[] = [];
    channel.onmessage = ({ data }: MessageEvent<string>) => heard.push(data);
    Object.assign(window, { stranger: { channel, heard } });
  });
  await share();
  const first = await page.waitForFunction(
    () => (window as unknown as { stranger: { heard: string[] } }).stranger.heard[0],
  );
  return (JSON.parse((await first.jsonValue())!) as { task: string }).task;
}

/** Posts texts as they are, and objects as what they are. */
const post = (page: Page, messages: readonly unknown[]): Promise<void> =>
  page.evaluate((all) => {
    const { channel } = (window as unknown as { stranger: { channel: BroadcastChannel } }).stranger;
    for (const message of all) channel.postMessage(message);
  }, messages);

test('forged messages are ignored or refused, each is counted, and training goes on by itself', async ({
  lab,
  page,
}) => {
  await lab.open();
  await lab.load({ ...ROOM, 'run.seeds': 1, 'run.updates': 20_000 });
  await openForm(lab);
  const task = await worldOf(page, () => panel(page).getByRole('checkbox').check());
  const row = { seed: 1, length: 40, actions: Array<number>(40).fill(0), outcome: 0 };
  const group: Said = {
    ...{ protocol: 'horizon-lab peers 1', task, sender: 'stranger', kind: 'group' },
    ...{ level: [12_345, 0, 0], version: 0, rows: [row, row] },
  };
  const withRow = (part: Said): string => JSON.stringify({ ...group, rows: [row, { ...row, ...part }] });
  const malformed: readonly unknown[] = [
    ...[{ kind: 'group' }, 7, null, '', '{', '[]', `${JSON.stringify(group)}${' '.repeat(70_000)}`],
    ...[{ protocol: 'another' }, { task: 'elsewhere' }, { sender: '' }, { level: [1, 2] }, { rows: [] }].map((part) =>
      JSON.stringify({ ...group, ...part }),
    ),
    ...[{ outcome: NaN }, { outcome: 'much' }, { length: 3 }, { actions: [99], length: 1 }, { logp: [1] }].map(withRow),
    withRow({}).replace('"outcome":0', '"outcome":NaN'),
    withRow({}).replace('"outcome":0', '"outcome":1e999'),
  ];
  await post(page, malformed);
  await expect.poll(() => count(page, 'Messages ignored')).toBe(malformed.length);
  await lab.runButton.click();

  // what is said in the right form but is not so is found out when it is played again
  await post(page, [JSON.stringify({ ...group, sender: 'liar', rows: [row, { ...row, outcome: 1 }] })]);
  await expect.poll(() => count(page, 'Episodes refused')).toBe(1);
  // honest rows of a level that this run holds out would spoil its evaluation
  const held = random(ROOM['run.seed'], PURPOSE.panelTask, 0, 0, 0);
  await post(page, [JSON.stringify({ ...group, sender: 'spoiler', level: [held, 0, 0] })]);
  await expect.poll(() => count(page, 'Episodes refused')).toBe(3);
  // groups larger than those of this run do not fit in; nobody who has lied about 32 rows is listened to any more
  const lies = Array.from({ length: 16 }, () => ({ ...row, outcome: 1 }));
  await post(page, [JSON.stringify({ ...group, sender: 'liar', rows: [...lies, ...lies] })]);
  await expect.poll(() => count(page, 'Episodes refused')).toBe(35);
  await post(page, [JSON.stringify({ ...group, sender: 'liar' })]);
  await expect.poll(() => count(page, 'Messages ignored')).toBe(malformed.length + 1);

  const { update } = await lab.state();
  await lab.reaches(update + 20);
  expect(await count(page, 'Episodes taken')).toBe(0);
  await expect(panel(page).getByRole('status')).toContainText('Nothing has been taken yet');
});
