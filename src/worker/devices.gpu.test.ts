import { expect, test } from 'vitest';
import { keepDifference } from '../store/deviceChecks.ts';
import { Devices } from './devices.ts';

test('what a check has found on this device is known to the next run, and no longer once a check finds nothing', async () => {
  const devices = new Devices(1);
  const { adapter, differs } = await devices.probe();
  expect(differs).toBeNull();
  await keepDifference(adapter, 'gradNorm differs.');
  expect((await devices.probe()).differs).toBe('gradNorm differs.');
  await keepDifference(adapter, null);
  expect((await devices.probe()).differs).toBeNull();
});
