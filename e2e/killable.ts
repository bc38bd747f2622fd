import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Page } from '@playwright/test';

/** A browser with a profile that outlives it, and that can be killed as a power cut would. */
export class Killable {
  private readonly executable: string;
  private readonly args: readonly string[];
  private readonly profile: string;
  private child: ChildProcess | null = null;

  private constructor(executable: string, args: readonly string[], profile: string) {
    this.executable = executable;
    this.args = args;
    this.profile = profile;
  }

  static async create(options: { executablePath?: string; args?: string[] } = {}): Promise<Killable> {
    const { executablePath = chromium.executablePath(), args = [] } = options;
    return new Killable(executablePath, args, await mkdtemp(join(tmpdir(), 'killable-')));
  }

  /** Starts it with the profile as it was left, and opens an empty page. */
  async start(): Promise<Page> {
    const own = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${this.profile}`, 'about:blank'];
    // a group of its own: what is started may be a script that starts the browser
    const child = spawn(this.executable, [...this.args, ...own], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.child = child;
    const address = await new Promise<string>((done, failed) => {
      child.once('exit', () => failed(new Error('The browser did not start.')));
      createInterface({ input: child.stderr }).on('line', (line) => {
        const found = /DevTools listening on (ws:\S+)/.exec(line);
        if (found) done(found[1]!);
      });
    });
    const browser = await chromium.connectOverCDP(address);
    const page = await browser.contexts()[0]!.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    return page;
  }

  /** SIGKILL: nobody is asked, nothing is written any more. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid!, 'SIGKILL');
    await gone;
  }

  async dispose(): Promise<void> {
    await this.kill();
    // its children end a moment later, and may still write until then
    await rm(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function draws(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
