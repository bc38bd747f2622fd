import { expect, test } from 'vitest';
import { problemText } from '../../config/problems.ts';
import { configWith } from '../../config/schema.ts';
import { setConfig, useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { reportDevice } from '../notices/device.ts';
import { warnOf } from './differs.ts';

const told = () => useRun.getState().problems.filter(({ kind }) => kind === 'deviceDiffers');
const choose = (backend: string): void => setConfig(configWith({ 'run.backend': backend }, useDraft.getState().config));
const card = { adapter: 'a card', software: false, differs: 'gradNorm differs.' };

test('who may choose is told that runs train on the CPU; who chooses the device by hand is warned, each time', () => {
  choose('auto');
  warnOf(card);
  expect(told()).toEqual([{ kind: 'deviceDiffers', name: 'a card', found: 'gradNorm differs.', isAsked: false }]);
  expect(problemText(told()[0]!).title).toBe('Running on the CPU');
  choose('webgpu');
  expect(told()).toMatchObject([{ isAsked: true }]);
  expect(problemText(told()[0]!).way).toMatch(/^Results of this run may be wrong/);
  useRun.setState({ problems: [] });
  choose('cpu');
  choose('webgpu');
  expect(told()).toMatchObject([{ isAsked: true }]);
});

test('a software device is left anyway: it is warned of only where somebody chooses it', () => {
  choose('auto');
  warnOf({ ...card, software: true });
  expect(told()).toEqual([]);
  choose('webgpu');
  expect(told()).toMatchObject([{ isAsked: true }]);
});

test('a check that finds nothing takes the warning back', () => {
  choose('webgpu');
  warnOf(card);
  expect(told().length).toBe(1);
  warnOf({ ...card, differs: null });
  expect(told()).toEqual([]);
});

test('what an earlier visit has found is said when the page learns of its device', async () => {
  choose('auto');
  warnOf({ ...card, differs: null });
  reportDevice({ webgpu: true, adapter: 'a card', software: false, why: null, cores: 8, differs: 'random differs.' });
  await expect.poll(told).toMatchObject([{ found: 'random differs.', isAsked: false }]);
});
