import { defineController, remembered } from './types.ts';

/**
 * Reset rule of the lab (spec objective §6, O4): an evaluation finds no gain of 0.02 over 40 updates, and the last reset is
 * at least 60 updates ago.
 */
const STALL = { gain: 0.02, updates: 40, apart: 60 } as const;

/** The current policy becomes the reference when evaluation success stalls, and the optimizer starts again. */
export const resetStalled = defineController({
  id: 'resetStalled',
  title: 'Reset when stalled',
  rev: 1,
  source: { title: 'ProRL', arxiv: '2505.24864', level: 'text' },
  look: 'After 40 updates without a gain, the policy becomes its own reference and the optimizer restarts.',
  params: {},
  countsSteps: true,
  readsEvaluations: true,
  metrics: ['resets'],
  // best evaluation success since the last reset, and the update it was found in
  state: { best: remembered(-1), bestAt: remembered() },
  atReset: ['best'],
  run({ best, bestAt }, { update, success, since }) {
    // only an evaluation can say that nothing was gained
    if (!Number.isFinite(success)) return false;
    if (success >= best![0]! + STALL.gain) {
      best![0] = success;
      bestAt![0] = update;
      return false;
    }
    return update - bestAt![0]! >= STALL.updates && since >= STALL.apart;
  },
});
