import { expect, type Locator, type Page } from '@playwright/test';
import { LOADED_AHEAD } from '../src/core/marks.ts';

/** The part of `window.lab` that the tests use. */
export type LabApi = {
  state(): { state: string; update: number; updates: number; backend: 'webgpu' | 'cpu' };
  /** newest value of each metric, per seed */
  metrics(): Record<string, readonly number[]>;
  digest(): Promise<{ config: string; result: string; perSeed: readonly string[]; update: number }>;
  /** replaces the draft by a link, a config or a preset id and prepares it */
  load(what: unknown): Promise<unknown>;
  run(): Promise<void>;
  pause(): Promise<void>;
  step(updates?: number): Promise<void>;
  inject(fault: 'loseDevice' | 'refuseWork' | 'nonFinite' | 'crash'): Promise<void>;
};

/** More updates than a fast machine makes while a starved page waits for its next press: such a run is not over by then. */
export const LONG = { 'run.updates': 20_000 };

/** A run goes far in the second that Playwright lets pass between two looks. */
const OFTEN = { intervals: [50, 100] };

/** The page of the lab, spoken to by roles and names as a person would find things. */
export class Lab {
  readonly page: Page;
  readonly site: string;

  constructor(page: Page, site: string) {
    this.page = page;
    this.site = site;
  }

  async open(fragment = ''): Promise<void> {
    await this.page.goto(this.site + fragment);
    await this.isReady();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.isReady();
  }

  /** The page is at rest with what it shows: it has taken the experiment in, or has said why not. */
  private async isReady(): Promise<void> {
    await this.page.waitForFunction(() => 'lab' in window);
    await expect(this.page.locator('.status dd').first()).toHaveText(/^(ready|waits for Run|not loaded)$/);
    await expect(this.runButton).toBeEnabled();
  }

  /** A run that still trains, however late it is paused. */
  async openLong(): Promise<void> {
    await this.open();
    await this.load(LONG);
  }

  /** The page has loaded all that it loads ahead. */
  async hasLoadedAhead(): Promise<void> {
    const marked = (mark: string): boolean => performance.getEntriesByName(mark).length > 0;
    await this.page.waitForFunction(marked, LOADED_AHEAD);
    const worker = this.page.workers().find((w) => w.url().includes('/worker-'))!;
    await expect.poll(() => worker.evaluate(marked, LOADED_AHEAD)).toBe(true);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).first();
  }

  get runButton(): Locator {
    return this.button(/^(Run|Run again|Resume)$/);
  }

  /** The form, with every setting in it. */
  async openSetup(): Promise<void> {
    await this.button('Show setup').click();
    await this.button(/^All \d+ settings$/).click();
  }

  /** The button that names the experiment on the screen and leads to all others. */
  experiment(title = ''): Locator {
    return this.page.getByRole('button', { name: `Experiment: ${title}` });
  }

  /** The dialog with all ways to share, at one of them. */
  async openShare(tab: 'Link' | 'Embed' | 'Files' | 'Cite' = 'Link'): Promise<Locator> {
    await this.button('Share').click();
    const dialog = this.page.getByRole('dialog');
    await dialog.getByRole('tab', { name: tab }).click();
    return dialog;
  }

  get pauseButton(): Locator {
    return this.button('Pause');
  }

  state(): Promise<ReturnType<LabApi['state']>> {
    return this.page.evaluate(() => (window as unknown as { lab: LabApi }).lab.state());
  }

  /** Mean over the seeds of the newest value of a metric; NaN before the first update. */
  metric(id: string): Promise<number> {
    return this.page.evaluate((name) => {
      const values = (window as unknown as { lab: LabApi }).lab.metrics()[name] ?? [];
      return values.length === 0 ? NaN : values.reduce((a, b) => a + b, 0) / values.length;
    }, id);
  }

  digest(): ReturnType<LabApi['digest']> {
    return this.page.evaluate(() => (window as unknown as { lab: LabApi }).lab.digest());
  }

  /** Frames come on another way than answers: only with its own frame is the state on the page that of the new run. */
  async load(what: unknown): Promise<void> {
    await this.page.evaluate((w) => (window as unknown as { lab: LabApi }).lab.load(w), what);
    await this.becomes('ready');
  }

  /** So many updates: then the run waits, and the page shows the last of them. */
  async steps(count: number): Promise<void> {
    const { update } = await this.state();
    await this.page.evaluate((n) => (window as unknown as { lab: LabApi }).lab.step(n), count);
    await this.waitsAt(update + count);
  }

  async waitsAt(update: number): Promise<void> {
    await expect
      .poll(() => this.state(), OFTEN)
      .toMatchObject({ update, state: expect.stringMatching(/^(ready|paused|finished)$/) });
  }

  /** Trains to the end; the digest. */
  async finish(): Promise<string> {
    await this.runButton.click();
    await this.becomes('finished');
    return (await this.digest()).result;
  }

  /**
   * The link that the page hands out. The clipboard is the browser's, and what an earlier test left in it looks like
   * a link too: it is emptied first.
   * @param press how the page is asked for it; by a click where not said
   */
  async copyLink(press = () => this.button(/^Copy link/).click()): Promise<string> {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.page.evaluate(() => navigator.clipboard.writeText(''));
    await press();
    const read = () => this.page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(read).toContain('#/lab?x=');
    return read();
  }

  /** A setting of the draft that the browser keeps for the next visit. */
  kept(slot: string, name: string): Promise<unknown> {
    return this.page.evaluate(
      ([s, n]) =>
        new Promise((done, failed) => {
          const opening = indexedDB.open('horizon-lab');
          // where nothing is kept (any more), a reader must not make the place
          opening.onupgradeneeded = () => opening.transaction!.abort();
          opening.onerror = () => done(undefined);
          opening.onsuccess = () => {
            const reading = opening.result.transaction('drafts').objectStore('drafts').get('own');
            reading.onerror = () => failed(reading.error);
            reading.onsuccess = () => {
              opening.result.close();
              done((reading.result as { config: Record<string, Record<string, unknown>> } | undefined)?.config[s]?.[n]);
            };
          };
        }),
      [slot, name] as const,
    );
  }

  /** Everything in a store of the database. */
  stored(store: string): Promise<Record<string, unknown>[]> {
    return this.page.evaluate(
      (name) =>
        new Promise((done, failed) => {
          const opening = indexedDB.open('horizon-lab');
          opening.onerror = () => failed(opening.error);
          opening.onsuccess = () => {
            const reading = opening.result.transaction(name).objectStore(name).getAll();
            reading.onerror = () => failed(reading.error);
            reading.onsuccess = () => {
              opening.result.close();
              done(reading.result as Record<string, unknown>[]);
            };
          };
        }),
      store,
    );
  }

  /** The newest run of the page has been written as far as this update, as one that waits or is over. */
  async isKept(update: number): Promise<void> {
    const newest = async (): Promise<unknown> => {
      const runs = (await this.stored('pageRuns')) as { changedAt: number; update: number; state: string }[];
      const run = runs.sort((a, b) => b.changedAt - a.changedAt)[0];
      return run && run.state !== 'running' ? run.update : null;
    };
    await expect.poll(newest).toBe(update);
  }

  /** A worker that is made to crash may be gone before it has answered. */
  inject(fault: Parameters<LabApi['inject']>[0]): Promise<void> {
    return this.page.evaluate(async (f) => {
      const asked = (window as unknown as { lab: LabApi }).lab.inject(f);
      await (f === 'crash' ? asked.catch(() => undefined) : asked);
    }, fault);
  }

  async reaches(update: number): Promise<void> {
    await expect.poll(async () => (await this.state()).update, OFTEN).toBeGreaterThanOrEqual(update);
  }

  async becomes(state: string): Promise<void> {
    await expect.poll(async () => (await this.state()).state, OFTEN).toBe(state);
  }
}
