import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults } from 'axe-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Before the page opens: an init script runs before the policy of the page applies, a script tag would be refused. */
export const bringAxe = (page: Page): Promise<unknown> => page.addInitScript({ path: AXE });

/** What axe finds wrong on the page as it is: rule and elements. */
export function violations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (where: Document) => Promise<AxeResults> } };
    const found = await axe.run(document);
    return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(' | ')}`);
  });
}

/** Pixels by which the page is wider than the window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
