import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { linkWith } from './payload.ts';

/** In the worker: the adapter of this browser looks like that of a graphics card. */
const AS_CARD = `{
  const real = navigator.gpu;
  const info = { vendor: 'a', architecture: 'card', description: '', isFallbackAdapter: false };
  const requestAdapter = async () => {
    const adapter = await real.requestAdapter();
    const { features, limits } = adapter;
    return { info, features, limits, requestDevice: (wish) => adapter.requestDevice(wish) };
  };
  Object.defineProperty(navigator, 'gpu', { get: () => ({ requestAdapter }) });
}
`;

/** `least`: so many times as fast has WebGPU to be, in place of what the lab asks for. */
async function beside(page: Page, least: number): Promise<void> {
  await page.route(/\/assets\/worker-[^/]+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: AS_CARD + (await response.text()) });
  });
  await page.route(/\/assets\/contest-[^/]+\.js$/, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const changed = text.replace(/>=\s*1\.2\s*\*/, `>=${least}*`);
    expect(changed).not.toBe(text);
    await route.fulfill({ response, body: changed });
  });
}

const small = { rollout: { groupSize: 4, tasksPerBatch: 2 }, run: { updates: 20_000 } };
const measured = /^WebGPU \S+( [kM])?, CPU \S+( [kM])? steps\/s, measured on this run: /;

test('while WebGPU is prepared the CPU trains; the faster one goes on, and the page says why and where', async ({
  lab,
  page,
}) => {
  await beside(page, 0);
  await lab.open(linkWith(small));
  await lab.runButton.click();
  await expect(page.getByText(/measured on this run: WebGPU trains\.$/)).toHaveText(measured);
  const { backend, update } = await lab.state();
  expect(backend).toBe('webgpu');
  await lab.reaches(update + 2);
  await lab.pauseButton.click();
  await lab.becomes('paused');
  // one that was still waiting when it was measured has nothing to mark
  const isMarked = await page.evaluate(() => document.body.textContent.includes('1 change'));
  if (isMarked) {
    await page.getByText(/checkpoints?, 1 change$/).click();
    await expect(page.getByRole('list', { name: 'Changes during the run' })).toContainText(
      /From update \d+: trained on WebGPU/,
    );
  }
});

test('where WebGPU is not clearly faster, the CPU stays, and nothing is marked', async ({ lab, page }) => {
  await beside(page, 1e9);
  await lab.open(linkWith(small));
  await lab.runButton.click();
  await expect(page.getByText(/, measured on this run: (too close to leave the CPU|the CPU trains)\.$/)).toHaveText(
    measured,
  );
  const { backend, update } = await lab.state();
  expect(backend).toBe('cpu');
  await lab.reaches(update + 2);
  await expect(page.getByText(/1 change$/)).toHaveCount(0);
});
