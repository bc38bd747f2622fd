import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from '@playwright/test';
import { expect, test as base, watch } from './fixtures.ts';

/** A page of somebody else, on another origin: it serves these files, and the lab knows nothing of it. */
type Host = {
  readonly url: string;
  /** path → HTML */
  readonly files: Map<string, string>;
  /** sent with all of them */
  readonly headers: Record<string, string>;
};

export const test = base.extend<{ host: Host; troubles: string[] }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
  host: async ({}, use) => {
    const files = new Map<string, string>();
    const headers: Record<string, string> = {};
    const server: Server = createServer((request, response) => {
      const html = files.get(request.url ?? '');
      response.writeHead(html === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8', ...headers });
      response.end(html ?? 'not here');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, files, headers });
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  },
  // what goes wrong in a frame goes wrong in its page; a test that expects trouble empties the list
  troubles: [
    async ({ page }, use) => {
      const troubles: string[] = [];
      watch(page, troubles);
      await use(troubles);
      expect(troubles).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** What a frame shows and does, from within. */
export class Embed {
  readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  button(name: string | RegExp) {
    return this.frame.getByRole('button', { name });
  }

  get progress() {
    return this.frame.locator('.embedprogress');
  }

  async isReady(): Promise<void> {
    await expect(this.progress).toHaveText(/^0 \/ \d+ · ready$/);
  }

  async steps(count: number): Promise<void> {
    for (let k = 1; k <= count; k++) {
      await this.button('Step one update').click();
      await expect(this.progress).toHaveText(new RegExp(`^${k} / `));
    }
  }
}

/** A page with one frame on it; `sandbox`: null for a frame without one. */
export async function openFrame(
  page: Page,
  host: Host,
  src: string,
  { sandbox = 'allow-scripts', width = 640, height = 420, above = 0 } = {},
): Promise<Embed> {
  host.files.set(
    '/',
    `<!doctype html><html lang="en"><title>A course</title><link rel="icon" href="data:,"><body style="margin:0">
    <div style="height:${above}px"></div>
    <iframe title="lab" sandbox="${sandbox}" width="${width}" height="${height}" style="border:0" src="${src}"></iframe>
    <div style="height:3000px"></div>`,
  );
  await page.goto(`${host.url}/`);
  const frame = await (await page.locator('iframe').elementHandle())!.contentFrame();
  return new Embed(frame!);
}
