/** Gives waiting messages (pause, stop, acks) a turn without a timer: timers are throttled in hidden tabs. */
export function makeYield(): () => Promise<void> {
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      channel.port2.postMessage(null);
    });
}

/** Progress in time: steps per second over the last second, seconds left by a trimmed mean of the last 20 updates. */
export class Clock {
  private marks: { at: number; envSteps: number }[] = [];
  private durations: number[] = [];
  private startedAt = 0;
  private finished = 0;

  start(now: number): void {
    this.marks = [];
    this.durations = [];
    this.startedAt = now;
    this.finished = 0;
  }

  /** One update has finished. `envSteps` counts all replicas since the start of the run. */
  tick(now: number, envSteps: number): void {
    const before = this.marks.at(-1)?.at ?? this.startedAt;
    this.durations.push(now - before);
    if (this.durations.length > 20) this.durations.shift();
    this.marks.push({ at: now, envSteps });
    while (this.marks.length > 2 && this.marks[0]!.at < now - 1000) this.marks.shift();
    this.finished++;
  }

  /** null during warm-up: the first three updates compile and fill caches */
  stepsPerSecond(): number | null {
    const first = this.marks[0];
    const last = this.marks.at(-1);
    if (!first || !last || this.finished < 4 || last.at <= first.at) return null;
    return ((last.envSteps - first.envSteps) * 1000) / (last.at - first.at);
  }

  /** null before 5 updates and 2 seconds */
  secondsLeft(now: number, remaining: number): number | null {
    if (this.finished < 5 || now - this.startedAt < 2000) return null;
    const sorted = [...this.durations].sort((a, b) => a - b);
    const cut = Math.floor(sorted.length / 10);
    const kept = sorted.slice(cut, sorted.length - cut);
    return (remaining * kept.reduce((a, b) => a + b, 0)) / kept.length / 1000;
  }
}

/** A call never keeps training waiting for longer than 100 ms, whatever was asked. */
export const workOf = (ms: number): number => Math.max(0, Math.min(100, ms));
