import { expect, test, vi } from 'vitest';
import type { CheckReport } from '../../check/device/report.ts';
import { beginCheck, useCheck } from './checkStore.ts';

const report = (isWhole: boolean): CheckReport => ({
  ...{ schema: 'device-check/1', lab: '0', commit: '0', name: null, why: null, adapter: null },
  ...{ hasSimd: true, isWhole, parts: [], findings: [], runs: [], speeds: [] },
});

let tell: (report: CheckReport) => void = () => undefined;
vi.mock('./client.ts', () => ({
  startCheck(hears: typeof tell) {
    tell = hears;
    return { done: Promise.resolve(report(true)), end: () => undefined };
  },
}));

test('a part of a report that comes after the whole does not take its place', async () => {
  vi.stubGlobal('location', { hash: '#/check' });
  const ended = beginCheck();
  tell(report(false));
  expect(useCheck.getState()).toEqual({ state: 'running', report: report(false) });
  await ended;
  tell(report(false));
  expect(useCheck.getState()).toEqual({ state: 'done', report: report(true) });
});
