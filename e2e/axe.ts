import { createRequire } from 'node:module';
import { expect, type JSHandle, type Page } from '@playwright/test';
import type { RunOptions } from 'axe-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Before the page opens: an init script runs before the policy of the page applies, a script tag would be refused. */
export const bringAxe = (page: Page): Promise<unknown> => page.addInitScript({ path: AXE });

/** What the page does about another size or theme, also in code, is drawn by the second frame after it. */
const isDrawn = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done())))),
  );

/**
 * What can be reached: a dialog that hides everything else from who cannot see it, or all of the page. What lies behind such
 * a dialog is looked at without it.
 */
const inReach = (page: Page): Promise<JSHandle<Element>> =>
  page.evaluateHandle(() => {
    const isHidden = (element: Element | null): boolean => Boolean(element?.closest('[aria-hidden="true"]'));
    const dialog = [...document.querySelectorAll('[role="dialog"]')].findLast((found) => !isHidden(found));
    return dialog && isHidden(document.querySelector('main')) ? dialog : document.documentElement;
  });

/** What axe finds wrong in what can be reached: rule and elements. */
export async function violations(page: Page, only: RunOptions = {}): Promise<string[]> {
  await isDrawn(page);
  const look = async (where: Element, options: RunOptions): Promise<string[]> => {
    const { axe } = window as unknown as { axe: Pick<typeof import('axe-core'), 'configure' | 'run'> };
    // else all of the page is written out for each element that passes and has it inside
    axe.configure({ noHtml: true });
    // the rule asks each element with a style what it shows, and finds wrong only what is so important
    const isSpaced = [...document.querySelectorAll<HTMLElement>('[style]')].some(({ style }) =>
      ['line-height', 'letter-spacing', 'word-spacing'].some((name) => style.getPropertyPriority(name) === 'important'),
    );
    const rules = options.runOnly ? {} : { 'avoid-inline-spacing': { enabled: isSpaced } };
    const found = await axe.run(where, { rules, ...options, resultTypes: ['violations'], preload: false });
    const written = (target: string): string => document.querySelector(target)?.outerHTML.slice(0, 300) ?? target;
    // a help text whose mark was not looked up (scripts/lib/pageWords.ts)
    const marked = document.body.textContent.includes('\uE000') ? ['a help text is not written out'] : [];
    return [
      ...found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => written(String(n.target[0]))).join(' | ')}`),
      ...marked,
    ];
  };
  return (await inReach(page)).evaluate(look, only);
}

/** Those of the rules of level AA that depend on the theme: the dark one has other colors and is the same page otherwise. */
const COLORS = ['color-contrast', 'link-in-text-block'];

/**
 * What can be wrong at one width and right at another with the same elements in sight: what lies over what, what has to be
 * scrolled, and what is missing once others are hidden. All other rules look at an element and its attributes alone.
 */
const LAYOUT = [
  ...['color-contrast', 'scrollable-region-focusable'],
  ...['bypass', 'heading-order', 'landmark-one-main', 'page-has-heading-one', 'region'],
];

const onlyRules = (values: string[]): RunOptions => ({ runOnly: { type: 'rule', values } });

/**
 * True where something is in sight that was not when all rules last passed on this page: elements count by their
 * attributes and their own words, without numbers, which change while a run trains. What is in sight is seen from now on.
 */
const showsNews = async (page: Page): Promise<boolean> =>
  (await inReach(page)).evaluate((where) => {
    const seen = ((window as unknown as { seen?: Set<string> }).seen ??= new Set());
    const before = seen.size;
    for (const element of where.querySelectorAll('body *:not(svg *)')) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      const alone = element.cloneNode() as Element;
      for (const size of ['style', 'width', 'height']) alone.removeAttribute(size);
      for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) alone.append(child.cloneNode());
      seen.add(alone.outerHTML.replaceAll(/\d+/g, '0'));
    }
    return seen.size > before;
  });

/** Nothing wrong in both themes. */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await violations(page), `${where}, light`).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect(await violations(page, onlyRules(COLORS)), `${where}, dark`).toEqual([]);
}

/** Pixels by which the page is wider than the window, or what is in an open dialog wider than that. */
export async function overflow(page: Page): Promise<number> {
  await isDrawn(page);
  return page.evaluate(() => {
    const dialogs = [...document.querySelectorAll('[role="dialog"]')].map((d) => d.scrollWidth - d.clientWidth);
    return Math.max(document.documentElement.scrollWidth - innerWidth, ...dialogs);
  });
}

/** Looks once wide and light, once narrow and dark: what differs most, where all four together would cost too much. */
export async function wideThenNarrow(page: Page, look: (width: number) => Promise<void>): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 320],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 800 });
    await look(width);
  }
}

/**
 * Nothing wrong and nothing cut off at every width: all rules in both themes at the first, and where another width shows
 * something of its own; else what a layout can do, in the theme that is on.
 * @param show what is to be done first at a width, to have the same thing in sight
 */
export async function expectToFit(page: Page, widths: readonly number[], where = '', show?: () => Promise<void>) {
  for (const [k, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 800 });
    await show?.();
    const at = `${where} ${width} px`;
    expect(await overflow(page), at).toBeLessThanOrEqual(0);
    const isNew = await showsNews(page);
    if (k === 0 || isNew) await expectNoViolations(page, at);
    else expect(await violations(page, onlyRules(LAYOUT)), at).toEqual([]);
  }
}
