import type { ModelCase } from './cases.ts';
import type { Counted } from './count.ts';
import type { ModelDevice } from './devices.ts';
import { firefoxMs, timeOf, trainedPerS, updateMs } from './estimate.ts';

const digits = (x: number): string => (x >= 100 ? x.toFixed(0) : x >= 10 ? x.toFixed(1) : x.toPrecision(2));
const table = (rows: readonly (readonly string[])[]): string =>
  [rows[0]!, rows[0]!.map(() => '---'), ...rows.slice(1)].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
const dispatches = (counted: Counted): number => counted.dispatches.reduce((n, { times }) => n + times, 0);
const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(2);

/** What is set side by side: this tree, and before it another one where that was asked for. */
export type Told = { readonly title: string; readonly counts: readonly Counted[] };

/** Million trained steps per second by device, one line for each case and tree. */
export function rateTable(cases: readonly ModelCase[], told: readonly Told[], devices: readonly ModelDevice[]): string {
  const firefox = devices.find(({ name }) => name === 'RTX 4070')!;
  const line = ({ title, counts }: Told, { name }: ModelCase): string[] => {
    const counted = counts.find((one) => one.name === name)!;
    const rates = devices.map((device) => digits(trainedPerS(counted, updateMs(device, counted))));
    const slow = digits(trainedPerS(counted, firefoxMs(firefox, counted)));
    return [name, title, String(dispatches(counted)), ...rates, slow];
  };
  const head = ['update', 'tree', 'dispatches', ...devices.map(({ name }) => name), 'waiting for a timer'];
  return table([head, ...cases.filter(({ isAsked }) => isAsked).flatMap((one) => told.map((t) => line(t, one)))]);
}

/** What an update hands over and takes back besides its dispatches. */
export function trafficTable(told: readonly Told[]): string {
  const head = [
    'update',
    'tree',
    'submissions',
    'writes',
    'written, MiB',
    'copied, MiB',
    'read back, MiB',
    'shown, MiB',
  ];
  const names = told[0]!.counts.map(({ name }) => name);
  const rows = names.flatMap((name) =>
    told.map(({ title, counts }) => {
      const one = counts.find((counted) => counted.name === name)!;
      const moved = [one.writtenBytes, one.copiedBytes, one.readBytes, one.viewBytes].map(megabytes);
      return [name, title, String(one.submissions), String(one.writes), ...moved];
    }),
  );
  return table([head, ...rows]);
}

/** The model held against what was measured: quotients above 1 where the model is too slow. */
export function checkTable(cases: readonly ModelCase[], { counts }: Told, device: ModelDevice): string {
  const rows = cases.flatMap(({ name, measured }) => {
    const counted = counts.find((one) => one.name === name);
    if (measured === undefined || !counted) return [];
    const ms = updateMs(device, counted);
    return [[name, digits(measured), digits(ms), (ms / measured).toFixed(2)]];
  });
  return table([['update', 'measured, ms', 'model, ms', 'model / measured'], ...rows]);
}

/** Kernels of an update on a device, longest first, with what each waits for. */
export function kernelTable(counted: Counted, device: ModelDevice, most = 16): string {
  const rows = counted.dispatches
    .map((one) => ({ ...one, ...timeOf(device, one) }))
    .sort((a, b) => b.us * b.times - a.us * a.times)
    .slice(0, most);
  const head = ['kernel', 'workgroups', 'times', 'µs each', 'ms', 'most of it is'];
  return table([
    head,
    ...rows.map(({ kernel, groups, times, us, on }) => [
      ...[kernel, groups.join('×'), String(times), digits(us), digits((us * times) / 1e3), on],
    ]),
  ]);
}
