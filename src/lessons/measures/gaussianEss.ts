import { essFromLogWeights } from '../../core/math/ess.ts';
import { gaussian } from '../../core/fmath.ts';
import { randomPair, uniform } from '../../core/random.ts';
import { measure } from './types.ts';

/** Episodes that are drawn: at T·σ² = 1.1 the share still wanders by three percent from one draw of them to the next. */
const EPISODES = 40_000;
/** Same draws wherever the lesson is run. */
const SEED = 8;

export const gaussianEss = measure({
  id: 'gaussianEss',
  doc: 'gaussianEss(T, sigma): ESS/N of 40,000 episodes drawn at random, with log-ratios of T independent steps of standard deviation sigma each; for many episodes it comes to exp(−T·sigma²).',
  takes: ['number', 'number'],
  of: (T, sigma) => {
    // a sum of T such log-ratios is one of standard deviation σ√T
    const spread = sigma * Math.sqrt(T);
    const logWeights = Float64Array.from({ length: EPISODES }, (_, k) => {
      const [a, b] = randomPair(SEED, 1, k, 0, 0);
      return spread * gaussian(uniform(a), uniform(b));
    });
    return essFromLogWeights(logWeights);
  },
});
