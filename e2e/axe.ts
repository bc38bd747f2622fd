import { createRequire } from 'node:module';
import { expect, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Before the page opens: an init script runs before the policy of the page applies, a script tag would be refused. */
export const bringAxe = (page: Page): Promise<unknown> => page.addInitScript({ path: AXE });

/** What the page does about another size or theme, also in code, is drawn by the second frame after it. */
const isDrawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done())))),
  );

/** What axe finds wrong on the page as it is: rule and elements. */
export async function violations(page: Page, only: RunOptions = {}): Promise<string[]> {
  await isDrawn(page);
  return page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: { run: (where: Document, how: RunOptions) => Promise<AxeResults> } };
    const found = await axe.run(document, { ...options, resultTypes: ['violations'], preload: false });
    // a help text whose mark was not looked up (scripts/lib/pageWords.ts)
    const marked = document.body.textContent.includes('\uE000') ? ['a help text is not written out'] : [];
    return [...found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' | ')}`), ...marked];
  }, only);
}

/** Those of the rules of level AA that depend on the theme. */
const COLORS: RunOptions = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };

/** Nothing wrong in both themes: the dark one has other colors and is the same page otherwise. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await violations(page), `${where}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await violations(page, COLORS), `${where}, dark`).toEqual([]);
}

/** Pixels by which the page is wider than the window, or what is in an open dialog wider than that. */
export async function overflow(page: Page): Promise<number> {
  await isDrawn(page);
  return page.evaluate(() => {
    const dialogs = [...document.querySelectorAll('[role="dialog"]')].map((d) => d.scrollWidth - d.clientWidth);
    return Math.max(document.documentElement.scrollWidth - innerWidth, ...dialogs);
  });
}

/** Both at every width. `show`: what is to be done first at a width, to have the same thing in sight. */
export async function expectToFit(page: Page, widths: readonly number[], where = '', show?: () => Promise<void>) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await show?.();
    await expectNoViolations(page, `${where} ${width} px`);
    expect(await overflow(page), `${where} ${width} px`).toBeLessThanOrEqual(0);
  }
}
