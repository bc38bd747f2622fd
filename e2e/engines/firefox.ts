import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import WebSocket from 'ws';
import { callOf, type Engine } from './engine.ts';
import { startProgram } from './program.ts';

/** An answer of WebDriver BiDi, or an error. */
type Message = {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: string;
  readonly message?: string;
  readonly method?: string;
  readonly params?: unknown;
};

type Entry = { readonly level: string; readonly text: string | null };

type Evaluated =
  | { readonly type: 'success'; readonly result: { readonly value: string } }
  | { readonly type: 'exception'; readonly exceptionDetails: { readonly text: string } };

/** Commands of WebDriver BiDi over one socket, and the entries of its log: https://www.w3.org/TR/webdriver-bidi/ */
async function connect(url: string, heard: (entry: Entry) => void) {
  const socket = new WebSocket(url);
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString()) as Message;
    if (message.method === 'log.entryAdded') heard(message.params as Entry);
    const asked = waiting.get(message.id ?? NaN);
    if (!asked) return;
    waiting.delete(message.id!);
    if (message.error === undefined) asked.resolve(message.result);
    else asked.reject(new Error(`${message.error}: ${message.message ?? ''}`));
  });
  socket.on('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser closed the connection.'));
  });
  let asked = 0;
  return {
    send: <T>(method: string, params: object): Promise<T> =>
      new Promise<T>((resolve, reject) => {
        waiting.set(++asked, { resolve: resolve as (result: unknown) => void, reject });
        socket.send(JSON.stringify({ id: asked, method, params }));
      }),
    close: () => socket.terminate(),
  };
}

/** Nothing that asks other hosts or paints pages of its own, as far as Firefox's settings know it. */
const QUIET = {
  'app.update.enabled': false,
  'app.normandy.enabled': false,
  'browser.newtabpage.enabled': false,
  'browser.safebrowsing.malware.enabled': false,
  'browser.safebrowsing.phishing.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.getAddons.cache.enabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:9',
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** Without a head, in an empty profile. `icd` describes the Vulkan driver of its WebGPU; null: it has no WebGPU. */
export async function startFirefox(file: string, icd: string | null): Promise<Engine> {
  const settings = { ...QUIET, 'dom.webgpu.enabled': icd !== null, 'gfx.webgpu.ignore-blocklist': true };
  const words = (home: string): string[] => {
    const lines = Object.entries(settings).map(
      ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
    );
    writeFileSync(join(home, 'user.js'), lines.join('\n'));
    return ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0', 'about:blank'];
  };
  const address = /WebDriver BiDi listening on (ws:\/\/\S+)/;
  const program = await startProgram(file, words, address, icd === null ? {} : { VK_ICD_FILENAMES: icd });
  const errors: string[] = [];
  const { send, close } = await connect(`${address.exec(program.said())![1]}/session`, ({ level, text }) => {
    if (level === 'error') errors.push(`log: ${text}`);
  });
  await send('session.new', { capabilities: {} });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' });
  return {
    open: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async evaluate<A extends readonly unknown[], R>(run: (...given: A) => R | Promise<R>, ...given: A) {
      const call = { expression: callOf(run, given), target: { context }, awaitPromise: true };
      const found = await send<Evaluated>('script.evaluate', call);
      if (found.type === 'exception') throw new Error(found.exceptionDetails.text);
      return JSON.parse(found.result.value) as R;
    },
    logged: () => errors,
    forget: () => void (errors.length = 0),
    async close() {
      close();
      await program.end();
    },
  };
}
