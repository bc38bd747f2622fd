/** Memory of a page and of its workers by Chromium's own count, each after a collection. */

const bytesOf = ({ usedSize, embedderHeapUsedSize, backingStorageSize }) =>
  usedSize + embedderHeapUsedSize + backingStorageSize;

/** Follows the workers of a page from now on. Resolves to a function that measures: { page, workers } in bytes. */
export async function heapsOf(page) {
  const root = await page.context().newCDPSession(page);
  const workers = new Set();
  const answers = new Map();
  let asked = 0;
  root.on('Target.attachedToTarget', ({ sessionId }) => workers.add(sessionId));
  // whoever is gone answers no more and holds nothing
  root.on('Target.detachedFromTarget', ({ sessionId }) => {
    workers.delete(sessionId);
    for (const { of, done } of answers.values()) if (of === sessionId) done(null);
  });
  root.on('Target.receivedMessageFromTarget', ({ message }) => {
    const { id, result } = JSON.parse(message);
    answers.get(id)?.done(result ?? null);
    answers.delete(id);
  });
  const ask = (of, method) =>
    new Promise((done) => {
      answers.set(++asked, { of, done });
      const message = JSON.stringify({ id: asked, method });
      root.send('Target.sendMessageToTarget', { sessionId: of, message }).catch(() => done(null));
    });
  // messages in messages: a session of its own for each worker would end with the first that goes
  await root.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  return async () => {
    await root.send('HeapProfiler.collectGarbage');
    const own = bytesOf(await root.send('Runtime.getHeapUsage'));
    const others = await Promise.all(
      Array.from(workers, async (worker) => {
        await ask(worker, 'HeapProfiler.collectGarbage');
        const usage = await ask(worker, 'Runtime.getHeapUsage');
        return usage ? bytesOf(usage) : 0;
      }),
    );
    return { page: own, workers: others.reduce((a, b) => a + b, 0) };
  };
}
