import { expect, test } from 'vitest';
import { FramePort, type Status } from './frames.ts';
import { Clock } from './pace.ts';
import type { Answer } from './protocol.ts';

const STATUS: Status = {
  ...{ run: 1, id: '', state: 'running', backend: 'cpu', trainedOn: 'cpu', stretches: [], choice: null },
  ...{ backendName: '', timeline: () => null, alarms: () => null, problem: null },
};

/** A port whose page answers when it is told to, at times that `at` sets; `sent`: frames so far. */
function framePort() {
  let [sent, now] = [0, 0];
  const port = { onmessage: null, postMessage: () => void sent++ } as unknown as MessagePort;
  const frames = new FramePort(port, () => now);
  return {
    frames,
    at: (ms: number) => void (now = ms),
    sent: () => sent,
    send: (final = false) => frames.send(STATUS, null, new Clock(), null, now, final),
    answer: (busyMs: number) =>
      port.onmessage!({ data: { ack: sent - 1, busyMs } satisfies Answer } as MessageEvent<Answer>),
  };
}

/** Frames that a page gets in ten seconds when each keeps it busy for `busyMs`. */
function inTenSeconds(busyMs: number): number {
  const { at, send, answer, sent } = framePort();
  let [before, answerAt] = [0, Infinity];
  for (let ms = 0; ms < 10_000; ms++) {
    at(ms);
    send();
    if (sent() > before) [before, answerAt] = [sent(), ms + busyMs];
    if (ms === answerAt) answer(busyMs);
  }
  return sent();
}

test('a page that draws quickly gets ten frames a second, one that takes longer draws for a quarter of its time', () => {
  expect(inTenSeconds(0)).toBe(100);
  expect(inTenSeconds(25)).toBe(100);
  expect(inTenSeconds(50)).toBe(50);
  expect(inTenSeconds(250)).toBe(10);
});

test('what keeps a page busy for longer than any drawing delays the next frame by less than a second', () => {
  const { frames, at, send, answer } = framePort();
  send();
  at(30_000);
  expect(frames.frameDue(30_000)).toBe(false);
  answer(30_000);
  expect(frames.untilNews(30_000, 1)).toBe(750);
  expect(frames.frameDue(30_750)).toBe(true);
});

test('a change of state is told to a page that owes an answer, too', () => {
  const { send, sent } = framePort();
  send();
  send();
  expect(sent()).toBe(1);
  send(true);
  expect(sent()).toBe(2);
});

/** Snapshots in ten seconds at which each takes so long, of a page that asks for ten a second; `perSecond`: the pace. */
function snapshotsInTenSeconds(takesMs: number, perSecond: number | null = null): number {
  const { frames } = framePort();
  frames.look({ replica: 0, snapshotHz: 10, points: 400, perSecond, isHidden: false }, 1);
  let made = 0;
  for (let ms = 0; ms < 10_000; ms++) {
    if (!frames.snapshotDue(ms)) continue;
    made++;
    frames.made(takesMs, ms + takesMs);
    ms += takesMs;
  }
  return made;
}

test('making snapshots takes a tenth of the time at most; a run that is held to a pace has time for each', () => {
  // nothing is sent here, so that the limit of ten a second is not what holds
  expect(snapshotsInTenSeconds(20)).toBe(50);
  expect(snapshotsInTenSeconds(100)).toBe(10);
  expect(snapshotsInTenSeconds(1000)).toBe(1);
  expect(snapshotsInTenSeconds(100, 5)).toBeGreaterThan(90);
});

test('who looks at another run waits for no snapshot of the one before', () => {
  const { frames } = framePort();
  const request = { replica: 0, snapshotHz: 10, points: 400, perSecond: null, isHidden: false };
  frames.look(request, 1);
  frames.made(2000, 2000);
  expect(frames.snapshotDue(3000)).toBe(false);
  frames.look(request, 1);
  expect(frames.snapshotDue(3000)).toBe(true);
});
