import type { CheckReport } from '../../src/check/device/report.ts';
import type { LabApi } from '../lab.ts';
import type { Engine } from './engine.ts';

type Window = { lab: LabApi };

/** Opens a page of the site anew: an address that differs in its fragment alone would not load it. */
export async function openPage(engine: Engine, site: string, fragment = ''): Promise<void> {
  await engine.open('about:blank');
  // the page before may have been left while parts of it still loaded, which is no fault of the one to come
  engine.forget();
  await engine.open(site + fragment);
  await engine.evaluate(async () => {
    const { lab } = window as unknown as Partial<Window>;
    const shown = (): string => document.querySelector('.status dd')?.textContent ?? '';
    while (lab === undefined && !('lab' in window)) await new Promise((later) => setTimeout(later, 50));
    while (!/^(ready|waits for Run|not loaded)$/.test(shown())) await new Promise((later) => setTimeout(later, 50));
  });
}

/** All that the page has complained of since it was opened, as far as it or the driver can tell. */
export const complaints = async (engine: Engine): Promise<readonly string[]> => [
  ...(await engine.evaluate(() => (window as unknown as { complaints: string[] }).complaints)),
  ...engine.logged(),
];

/** Presses a button by its words, as soon as it can be pressed. */
export const press = (engine: Engine, words: string): Promise<void> =>
  engine.evaluate(async (name) => {
    const find = (): HTMLButtonElement | undefined =>
      [...document.querySelectorAll('button')].find(
        ({ textContent, disabled }) => !disabled && textContent.trim() === name,
      );
    while (!find()) await new Promise((later) => setTimeout(later, 50));
    find()!.click();
  }, words);

/** Trains the experiment on the page to its end; the digest. */
export async function finish(engine: Engine): Promise<string> {
  await press(engine, 'Run');
  return engine.evaluate(async () => {
    const { lab } = window as unknown as Window;
    while (lab.state().state !== 'finished') await new Promise((later) => setTimeout(later, 50));
    return (await lab.digest()).result;
  });
}

/** The device check of the page, or the parts of it that `only` names: its report, as somebody would save it. */
export async function check(engine: Engine, site: string, only: string): Promise<CheckReport> {
  await openPage(engine, site, `#/check?only=${only}`);
  await press(engine, 'Check this device');
  await engine.evaluate(async () => {
    const state = (): string | undefined => document.querySelector<HTMLElement>('.checkpage')?.dataset['state'];
    while (state() !== 'done' && state() !== 'failed') await new Promise((later) => setTimeout(later, 100));
    // the file is taken on its way to the disk
    HTMLAnchorElement.prototype.click = () => undefined;
    const make = URL.createObjectURL.bind(URL);
    URL.createObjectURL = (blob) => {
      (window as unknown as { saved: Blob }).saved = blob as Blob;
      return make(blob);
    };
  });
  await press(engine, 'Save the report');
  const text = await engine.evaluate(() => (window as unknown as { saved: Blob }).saved.text());
  return JSON.parse(text) as CheckReport;
}
