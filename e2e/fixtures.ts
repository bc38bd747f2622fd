import { test as base, type BrowserContext, type Page, type Request } from '@playwright/test';
import { serve } from '../scripts/serve.mjs';
import { Lab } from './lab.ts';

/** `SLOW=4 npx playwright test …`: pages that think so many times slower, to find what a test passes only by being quick. */
const SLOW = Number(process.env['SLOW'] ?? 1);

type Fixtures = {
  /** The page of the lab, not opened yet. */
  lab: Lab;
  /** Most tests are of people who have been here before, and train at full speed; a first visit has a pace to watch. */
  visit: 'again' | 'first';
  /**
   * True where the page loads ahead what it may need later, as it does unless the browser saves data: a third of what it
   * costs to open it.
   */
  ahead: boolean;
  /** What went wrong in the page without anybody noticing: a test that expects trouble empties it. */
  complaints: string[];
  /** Addresses on other origins that any page, worker or frame of the test has asked: of every test, none. */
  elsewhere: string[];
};

/** Serves the built site with its real headers and hands out a page that must not complain. */
export const test = base.extend<Fixtures, { site: string }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const server = await serve({ dir: 'dist' });
      await use(server.url);
      await server.close();
    },
    { scope: 'worker' },
  ],
  visit: ['again', { option: true }],
  ahead: [false, { option: true }],
  context: async ({ context, visit, ahead }, use) => {
    if (visit === 'again') await asBefore(context);
    if (!ahead) await saveData(context);
    if (SLOW > 1) context.on('page', (page) => void slowDown(page).catch(() => undefined));
    await use(context);
  },
  elsewhere: [
    async ({ browser, context, site }, use) => {
      const asked: string[] = [];
      const listen = (to: BrowserContext): void => {
        to.on('request', (request) => void (isElsewhere(request, site) && asked.push(request.url())));
        to.on('page', (page) => page.on('websocket', (socket) => void asked.push(socket.url())));
      };
      listen(context);
      // and contexts that the test makes by itself
      const make = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const made = await make(options);
        listen(made);
        return made;
      };
      await use(asked);
      browser.newContext = make;
      if (asked.length > 0) throw new Error(`Another origin was asked:\n${asked.join('\n')}`);
    },
    { auto: true },
  ],
  complaints: async ({ page }, use) => {
    const complaints: string[] = [];
    watch(page, complaints);
    await use(complaints);
    if (complaints.length > 0) throw new Error(`The page complained:\n${complaints.join('\n')}`);
  },
  lab: async ({ page, site, complaints }, use) => {
    void complaints;
    await use(new Lab(page, site));
  },
});

/** A browser that remembers a person who trains at full speed and looks at the credit of all episodes. */
export async function asBefore(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const key = 'horizon-lab.looks';
    // an empty page between two visits has no storage
    if (location.protocol === 'about:') return;
    if (localStorage.getItem(key) === null) localStorage.setItem(key, '{"pace":null,"isCreditOpen":true}');
  });
}

/** A browser that was told to use little data. */
export async function saveData(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }));
}

async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW });
}

/** Origins of the servers that tests start. */
const OURS = /^http:\/\/(127\.0\.0\.1|localhost)(:\d+)?$/;

/**
 * True for a request that leaves the origin of its page. Pages themselves may be opened from any server of the test, and
 * pages of others may take scripts of the lab.
 */
function isElsewhere(request: Request, site: string): boolean {
  const { origin, protocol } = new URL(request.url());
  if (!/^(https?|wss?):$/.test(protocol)) return false;
  if (!OURS.test(origin)) return true;
  if (request.serviceWorker() !== null || request.isNavigationRequest() || request.url().startsWith(site)) return false;
  const page = request.frame().url();
  return page.startsWith('http') && new URL(page).origin !== origin;
}

/** Errors on the console and uncaught errors. */
export function watch(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
}

export { expect } from '@playwright/test';
