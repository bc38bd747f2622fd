/** True where the browser was told to use little data: nothing then comes before it is wanted, and nothing starts by itself. */
export const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
