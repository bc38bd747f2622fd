type Rules = { createScriptURL(text: string): string | null };
type Factory = { createPolicy(name: string, rules: Rules): unknown };

/** Where this file comes from: the site whose files workers may be. */
const HERE = import.meta.url;

/**
 * For the page of a frame in a sandbox, and for its workers. Such a frame has no origin, so that no file is of the same one
 * as workers have to be: there a worker is a blob, which imports a file of this site and does nothing else. It is a
 * classic script, because Chromium starts no module from a blob of such a frame. What is sent to it before the file is
 * there comes when it is. This file is imported by the blob, too, and so it imports nothing.
 */
export function bringWorkersToSandbox(): void {
  const blobs = new Set<string>();
  // not in every browser, and so not in TypeScript's library; the one policy that the page allows (worker/trusted.ts)
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  trustedTypes?.createPolicy('default', { createScriptURL: (text) => (blobs.has(text) ? text : null) });
  const { Worker } = globalThis;
  globalThis.Worker = class extends Worker {
    constructor(address: string | URL) {
      const { href, origin } = new URL(address, HERE);
      if (origin !== new URL(HERE).origin) throw new TypeError('Workers come from this site alone.');
      const blob = URL.createObjectURL(new Blob([bootstrap(href)], { type: 'text/javascript' }));
      blobs.add(blob);
      super(blob);
    }
  };
}

const bootstrap = (href: string): string => `const early = [];
const keep = (event) => { event.stopImmediatePropagation(); early.push(event.data); };
addEventListener('message', keep);
import(${JSON.stringify(HERE)}).then((sandbox) => {
  sandbox.bringWorkersToSandbox();
  return import(${JSON.stringify(href)});
}).then(
  () => {
    removeEventListener('message', keep);
    for (const data of early) dispatchEvent(new MessageEvent('message', { data }));
  },
  (error) => setTimeout(() => { throw error; }),
);`;
