/**
 * Parts of modules that come when a run needs them. The source has all of a module in its file; a build may leave out what
 * only computes (see scripts/lib/laterParts.ts), and says here how it is fetched.
 */
type Load = () => Promise<object>;
const waiting = new WeakMap<object, Load>();

/** Says how the parts of a record come that are not there yet. */
export const comesLater = (record: object, load: Load): void => void waiting.set(record, load);

/**
 * Fetches what is missing of some records, each into the record itself; null where nothing is.
 * @throws what the network says, and then the next call asks again
 */
export function whole(records: readonly object[]): Promise<void> | null {
  const missing = records.filter((record) => waiting.has(record));
  if (missing.length === 0) return null;
  const all = missing.map(async (record) => {
    Object.assign(record, await waiting.get(record)?.());
    waiting.delete(record);
  });
  return Promise.all(all).then(() => undefined);
}
