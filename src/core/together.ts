/**
 * The results of all of them. As `Promise.all`, but if one fails, the first failure is passed on only after the others
 * have ended too: then nothing is in work any more that holds memory.
 */
export async function together<T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ended = await Promise.allSettled(work);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return ended.map((each) => (each as PromiseFulfilledResult<unknown>).value) as {
    -readonly [K in keyof T]: Awaited<T[K]>;
  };
}
