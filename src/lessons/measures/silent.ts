import { silentChance } from '../../core/math/budget.ts';
import { mean } from '../../core/stats.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { together } from './statistics.ts';
import { chances } from './exactSuccess.ts';
import { measure } from './types.ts';

export const allEqual = measure({
  id: 'allEqual',
  doc: 'allEqual(p, G): chance that G episodes with success p all end alike, p^G + (1 − p)^G.',
  takes: ['value', 'value'],
  of: (p, G) => together(p, G, silentChance),
});

export const silentShare = measure({
  id: 'silentShare',
  doc: 'silentShare(arm): share of groups whose episodes all ended alike, over all updates and seeds.',
  takes: ['arm'],
  of: (arm) => mean(arm.perSeed((s) => mean(arm.curve('degenerate', s)))),
});

export const silentErrors = measure({
  id: 'silentErrors',
  doc: 'silentErrors(arm): how many binomial standard errors the share of silent groups is away from p^G + (1 − p)^G with the exact p; for an arm that does not learn.',
  takes: ['arm'],
  of: async (arm) => {
    const { P, G } = arm.run.plan;
    const expected = silentChance((await chances(arm, 'before'))[0]!, G);
    const groups = P * arm.S * arm.updates;
    let silent = 0;
    for (let s = 0; s < arm.S; s++)
      for (let u = 0; u < arm.updates; u++) silent += P * arm.run.series.at(u, s, metricIndex.degenerate);
    return Math.abs(silent / groups - expected) / Math.sqrt((expected * (1 - expected)) / groups);
  },
});
