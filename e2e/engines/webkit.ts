import { freePort } from '../../scripts/lib/redisServer.ts';
import { callOf, type Engine } from './engine.ts';
import { startProgram } from './program.ts';

/** An answer of WebDriver: https://www.w3.org/TR/webdriver2/ */
type Answer<T> = { readonly value: T | { readonly error: string; readonly message: string } };

/** No script of a test takes so long unless it hangs. */
const GUARD_MS = 600_000;

async function ask<T>(url: string, given: object | null = null, method = given ? 'POST' : 'GET'): Promise<T> {
  const answer = await fetch(url, { method, ...(given ? { body: JSON.stringify(given) } : {}) });
  const { value } = (await answer.json()) as Answer<T>;
  if (value !== null && typeof value === 'object' && 'error' in value)
    throw new Error(`${value.error}: ${value.message}`);
  return value as T;
}

/** Resolves when the driver listens. */
async function listens(url: string): Promise<void> {
  while (
    !(await ask(`${url}/status`).then(
      () => true,
      () => false,
    ))
  )
    await new Promise((later) => setTimeout(later, 50));
}

/** WebKitGTK through its own driver, on a display that is only in memory (`xvfb`). */
export async function startWebKit(driver: string, xvfb: string): Promise<Engine> {
  const words = ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp'];
  const display = await startProgram(xvfb, () => words, /^\d+\n/m);
  const port = await freePort();
  const env = { DISPLAY: `:${/^\d+/m.exec(display.said())![0]}` };
  const program = await startProgram(driver, () => [`--port=${port}`], null, env);
  const driverUrl = `http://127.0.0.1:${port}`;
  await listens(driverUrl);
  const { sessionId } = await ask<{ sessionId: string }>(`${driverUrl}/session`, { capabilities: {} });
  const session = `${driverUrl}/session/${sessionId}`;
  await ask(`${session}/timeouts`, { script: GUARD_MS, pageLoad: GUARD_MS });
  return {
    open: (url) => ask(`${session}/url`, { url }),
    async evaluate<A extends readonly unknown[], R>(run: (...given: A) => R | Promise<R>, ...given: A) {
      const script = `const told = arguments[0]; ${callOf(run, given)}.then((value) => told({ value }), (error) => told({ error: String(error) }));`;
      const found = await ask<{ value?: string; error?: string }>(`${session}/execute/async`, { script, args: [] });
      if (found.value === undefined) throw new Error(found.error);
      return JSON.parse(found.value) as R;
    },
    // this driver has no command for it
    logged: () => [],
    forget: () => undefined,
    async close() {
      await ask(session, null, 'DELETE').catch(() => undefined);
      await program.end();
      await display.end();
    },
  };
}
