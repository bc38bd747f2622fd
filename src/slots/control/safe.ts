import { log } from '../../core/fmath.ts';
import { SAFE_STATE, SafeController, type SafeSettings } from '../objective/safe.ts';
import { defineController, remembered } from './types.ts';

/** SAFE's own numbers, but for the entropy floor: its 2 nats are meant for a vocabulary. */
const SETTINGS: Omit<SafeSettings, 'entropyFloor'> = {
  ...{ baseThreshold: 0.3, kp: 0.3, ki: 0.01, kd: 0.05, targetVelocity: 0.001 },
};
/** The floor as a share of the entropy of a policy that knows nothing. */
const FLOOR_SHARE = 0.35;

/**
 * The weight of the KL term is the slope of SAFE's penalty, from the KL, the entropy and the mean return of the updates
 * before (`slots/objective/safe.ts`). The slider does nothing.
 */
export const safe = defineController({
  id: 'safe',
  title: 'SAFE',
  rev: 1,
  source: { title: 'SAFE', arxiv: '2602.04651', level: 'code' },
  formula: 'β = 0.02·max(0, KL − τ)·g',
  look: 'KL is penalized only above a threshold that follows the reward, and more at low entropy.',
  params: {},
  turns: 'klCoef',
  isAlone: true,
  looksAtKl: true,
  metrics: ['klShort', 'safeThreshold', 'safePhase', 'safePenalty'],
  state: { memory: remembered(0, SAFE_STATE), threshold: remembered(), slope: remembered() },
  coefficients: ({ slope }, live) => ({ ...live, klCoef: slope![0]! }),
  run({ memory, threshold, slope }, { klRef, entropy, reward, actions }, _params, put) {
    if (![klRef, entropy, reward].every(Number.isFinite)) return false;
    const controller = new SafeController({ ...SETTINGS, entropyFloor: FLOOR_SHARE * log(actions) });
    controller.load(memory!);
    const step = controller.step(klRef, entropy, reward);
    controller.save(memory!);
    threshold![0] = step.threshold;
    slope![0] = step.slope;
    put('klShort', step.klShort);
    put('safeThreshold', step.threshold);
    put('safePhase', step.phase);
    put('safePenalty', step.penalty);
    return false;
  },
});
