import { create } from 'zustand';
import { keptOf, type CheckReport } from '../../check/device/report.ts';
import { keepDifference } from '../../store/deviceChecks.ts';
import { useRun } from '../stores/run.ts';
import { startCheck, type Checking } from './client.ts';
import { warnOf } from './differs.ts';

type CheckInfo = {
  readonly state: 'idle' | 'running' | 'stopped' | 'done' | 'failed';
  /** what there is so far */
  readonly report: CheckReport | null;
};

export const useCheck = create<CheckInfo>(() => ({ state: 'idle', report: null }));

let checking: Checking | null = null;

/** Parts and kernels that the address asks for, as “#/check?only=random,runs” does; null: all of them. */
export const onlyNow = (): string | null => /[?&]only=([\w,-]+)/.exec(location.hash)?.[1] ?? null;

async function settle(report: CheckReport): Promise<void> {
  const differs = keptOf(report, onlyNow() !== null);
  if (report.name === null || differs === undefined) return;
  const { device } = useRun.getState();
  if (device?.adapter === report.name) useRun.setState({ device: { ...device, differs } });
  warnOf({ adapter: report.name, software: report.adapter?.isSoftware ?? false, differs });
  await keepDifference(report.name, differs);
}

/** Checks the device; what it finds keeps runs off it from then on. */
export async function beginCheck(): Promise<void> {
  useCheck.setState({ state: 'running', report: null });
  const own = startCheck((report) => {
    // what is there so far comes over a channel of its own, and may come after the whole
    if (checking === own && useCheck.getState().state === 'running') useCheck.setState({ report });
  }, onlyNow());
  checking = own;
  try {
    const report = await own.done;
    if (checking !== own) return;
    useCheck.setState({ state: 'done', report });
    await settle(report);
  } catch {
    if (checking === own) useCheck.setState({ state: 'failed' });
  }
}

/** Stops the check; what was compared until then stays on the page. */
export async function stopCheck(): Promise<void> {
  const own = checking;
  checking = null;
  own?.end();
  const { report } = useCheck.getState();
  useCheck.setState({ state: 'stopped' });
  if (report) await settle(report);
}
