import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The exit code of a program that a signal ended, as shells count: 130 for Ctrl+C, 143 for a plain kill. */
export const exitCodeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** Thrown where work is given up because someone asked for it. */
export class Interrupted extends Error {
  readonly signal: NodeJS.Signals;
  constructor(signal: NodeJS.Signals) {
    super('Stopped.');
    this.signal = signal;
  }
}

let asked: NodeJS.Signals | null = null;

/**
 * From here on a signal asks to stop instead of ending the process at once, and so does the end of the process that
 * started this one: nobody would see a training that continues alone.
 */
export function listenForSignals(): void {
  onSignal((signal) => void (asked ??= signal));
}

/** The signal that came, or null. Between two updates it is given a turn: training by itself never lets one in. */
export async function askedToStop(): Promise<NodeJS.Signals | null> {
  await new Promise((resolve) => setImmediate(resolve));
  return asked;
}

/** Calls back when a signal comes, and with the end of the process that started this one, which counts as SIGTERM. */
export function onSignal(act: (signal: NodeJS.Signals) => void): void {
  for (const signal of SIGNALS) process.on(signal, () => act(signal));
  process.on('disconnect', () => act('SIGTERM'));
  process.channel?.unref();
}

/** Gives signals a turn, and throws `Interrupted` if one came. */
export async function mayGoOn(): Promise<void> {
  const signal = await askedToStop();
  if (signal !== null) throw new Interrupted(signal);
}
