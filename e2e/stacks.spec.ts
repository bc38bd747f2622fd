import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bringAxe, violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

const PUBLISHED = join(import.meta.dirname, '..', 'src', 'config', 'stacks', 'published');

test('a config of verl, pasted or dropped, says what was kept, changed and left out, and becomes the draft; the search of settings knows its names', async ({
  lab,
  page,
}) => {
  await bringAxe(page);
  await lab.open();
  await lab.button('Show setup').click();
  const setup = page.getByRole('region', { name: 'Setup' });
  await setup.getByRole('button', { name: 'Settings of verl or TRL' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings of verl or TRL' });
  const config = dialog.getByRole('textbox');
  await config.fill('name: site');
  await expect(dialog.getByRole('status')).toContainText('no stack that the lab knows');
  await expect(dialog.getByRole('button', { name: 'Use these settings' })).toBeDisabled();

  const name = 'verl-gspo-3b-math.yaml';
  const file = await page.evaluateHandle(
    ([text, as]) => {
      const data = new DataTransfer();
      data.items.add(new File([text!], as!));
      return data;
    },
    [readFileSync(join(PUBLISHED, name), 'utf8'), name],
  );
  await config.dispatchEvent('drop', { dataTransfer: file });
  await expect(dialog.getByRole('status')).toHaveText(/^verl: \d+ kept, \d+ changed, \d+ left out\.$/);
  await expect(dialog).toContainText('actor_rollout_ref.rollout.name = vllm: concerns large models');
  await dialog.getByText(/^Kept: \d+$/).click();
  await expect(dialog).toContainText('loss_mode = gspo → objective.method = gspo');
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Use these settings' }).click();
  await expect(dialog).toBeHidden();
  await expect(setup.locator('.changes')).toHaveText('Settings of verl: no change');
  await expect(setup.getByRole('combobox', { name: 'Advantage method' })).toHaveValue('grpo');

  // and those of TRL, and sets what they set
  await setup.getByRole('button', { name: /^All \d+ settings$/ }).click();
  const search = setup.getByRole('searchbox', { name: 'Search all settings' });
  await search.fill('algorithm.adv_estimator=rloo');
  const names = setup.getByRole('list', { name: 'Names of other stacks' });
  await expect(names).toContainText('Advantage method: RLOO');
  await names.getByRole('button', { name: 'Set algorithm.adv_estimator here' }).click();
  await expect(names.getByRole('combobox', { name: 'Advantage method' })).toHaveValue('rloo');
  await search.fill('adv_estimater=gae');
  await expect(setup).toContainText('No setting matches.');
});
