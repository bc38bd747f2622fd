import { expect, test } from './fixtures.ts';

test('no text becomes markup or the address of a script, and nothing that the page does asks for it', async ({
  lab,
  page,
  complaints,
}) => {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { violations: seen });
    addEventListener('securitypolicyviolation', (e) => seen.push(`${e.violatedDirective} ${e.sample}`));
  });
  // seeds on several cores: workers that the page starts for a worker
  await page.addInitScript(() => sessionStorage.setItem('cores', '3'));
  await lab.open();
  await lab.load({ 'run.updates': 3, 'run.seeds': 2 });
  await lab.finish();
  for (const [open, close] of [
    ['Help', 'Close help'],
    ['Share', 'Close share'],
  ] as const) {
    await lab.button(open).click();
    await page.getByRole('button', { name: close }).click();
  }
  await expect(page.getByRole('tab')).toHaveCount(6);
  for (const name of await page.getByRole('tab').allTextContents()) {
    await page.getByRole('tab', { name, exact: true }).click();
    await expect(page.getByRole('tabpanel')).not.toBeEmpty();
  }
  const violations = () => page.evaluate(() => (window as unknown as { violations: string[] }).violations);
  expect(await violations()).toEqual([]);
  expect(complaints).toEqual([]);
  const refused = await page.evaluate(() => {
    const tries = [
      () => (document.body.innerHTML = '<p>text</p>'),
      () => document.body.insertAdjacentHTML('beforeend', '<p>text</p>'),
      () => new Worker('data:text/javascript,1'),
      () => (document.createElement('script').src = 'data:text/javascript,1'),
      () => (document.createElement('script').textContent = '1'),
    ];
    return tries.map((act) => {
      try {
        act();
        return 'let through';
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(refused).toEqual(['TypeError', 'TypeError', 'TypeError', 'TypeError', 'TypeError']);
  complaints.length = 0;
});

test('the page carries its content policy itself, for hosts that send no headers', async ({ request, site }) => {
  const answer = await request.get(site);
  const html = (await answer.text()).replaceAll('&#39;', "'");
  expect(html).toContain(`content="${answer.headers()['content-security-policy']}"`);
});
