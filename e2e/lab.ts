import { expect, type Locator, type Page } from '@playwright/test';

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
  step(): Promise<void>;
  inject(fault: 'loseDevice' | 'refuseWork' | 'nonFinite' | 'crash'): Promise<void>;
};

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

  private async isReady(): Promise<void> {
    await expect(this.runButton).toBeEnabled();
    await this.page.waitForFunction(() => 'lab' in window);
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).first();
  }

  get runButton(): Locator {
    return this.button(/^(Run|Resume)$/);
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

  load(what: unknown): Promise<unknown> {
    return this.page.evaluate((w) => (window as unknown as { lab: LabApi }).lab.load(w), what);
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

  inject(fault: Parameters<LabApi['inject']>[0]): Promise<void> {
    return this.page.evaluate((f) => (window as unknown as { lab: LabApi }).lab.inject(f), fault);
  }

  async reaches(update: number): Promise<void> {
    await expect.poll(async () => (await this.state()).update).toBeGreaterThanOrEqual(update);
  }

  async becomes(state: string): Promise<void> {
    await expect.poll(async () => (await this.state()).state).toBe(state);
  }
}
