import type { Page } from '@playwright/test';

export type KeptRun = { id: string; state: string; digest: string | null; seed: number; backend: string };

/** The runs of sweeps that the browser keeps. */
export const keptRuns = (page: Page): Promise<KeptRun[]> =>
  page.evaluate(
    () =>
      new Promise<KeptRun[]>((done, failed) => {
        const opening = indexedDB.open('horizon-lab');
        opening.onerror = () => failed(opening.error);
        opening.onsuccess = () => {
          const reading = opening.result.transaction('runs').objectStore('runs').getAll();
          reading.onsuccess = () => {
            opening.result.close();
            const runs = reading.result as (KeptRun & { origin: string })[];
            done(runs.filter(({ origin }) => origin === 'sweep'));
          };
        };
      }),
  );
