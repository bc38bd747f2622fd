import { readFileSync } from 'node:fs';
import { createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { serve } from '../../scripts/serve.mjs';

const COMPLAINTS = readFileSync(join(import.meta.dirname, 'complaints.js'), 'utf8');

const sent = (answer: ServerResponse, type: string, text: string): void => {
  answer.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  answer.end(text);
};

/** The built site with its real headers, and one script more, before all others: what keeps complaints. */
export async function serveBuilt(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const site = await serve({ dir: 'dist' });
  const page = readFileSync(join('dist', 'index.html'), 'utf8');
  if (!page.includes('<script')) throw new Error('The built page has no script.');
  const listening = page.replace('<script', '<script src="./complaints.js"></script><script');
  const server = createServer(({ url, headers }, answer) => {
    if (url === '/complaints.js') return sent(answer, 'text/javascript', COMPLAINTS);
    request(site.url.replace(/\/$/, url!), { headers }, (found) => {
      if (url === '/') {
        found.resume();
        const { 'content-length': _, 'content-encoding': __, ...kept } = found.headers;
        answer.writeHead(found.statusCode!, kept);
        answer.end(listening);
      } else {
        answer.writeHead(found.statusCode!, found.headers);
        found.pipe(answer);
      }
    }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await site.close();
    },
  };
}
