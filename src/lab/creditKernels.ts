import { REWARD_PARTS } from '../contract/columnTable.ts';
import type { AnyValues } from '../core/settings.ts';
import { estimatorWith } from '../slots/advantage/estimatorWith.ts';
import type { Column, CreditOps, Estimator, SetRule, Sets } from '../slots/types.ts';

/** Kernels behind each operation that credit on the GPU is composed of. */
const KERNELS: { readonly [op in keyof CreditOps]?: readonly string[] } = {
  returnsToGo: ['reverseScan/reverseScan'],
  tdSums: ['tdError/tdError', 'reverseScan/reverseScan'],
  normalize: ['segmentStats/segmentStats', 'normalizeBy/normalizeBy'],
  overSpread: ['wholeStats/wholeStats', 'normalizeBy/normalizeBy'],
  unitRange: ['wholeStats/wholeStats', 'normalizeBy/normalizeBy'],
  normalizeMeans: ['segmentStats/segmentStats', 'wholeStats/meanStats', 'normalizeBy/normalizeBy'],
  lead: ['lead/lead'],
  endShare: ['equalShare/equalShare'],
  branches: ['keyMatch/keyMatch', 'keyMatch/stateWords', 'linkSets/linkSets', 'branchSets/branchSets'],
  map: ['mapValues/mapValues'],
  following: ['following/following'],
  sets: [
    'keyMatch/keyMatch',
    'keyMatch/stateWords',
    'linkSets/linkSets',
    'contextMatch/edgeWords',
    'contextMatch/pastWords',
  ],
  setsAlike: ['likeSets/likeSets', 'linkSets/linkSets'],
  normalizeSets: ['setStats/setStats', 'normalizeAnchor/normalizeAnchor'],
  overLevels: ['setStats/setStats', 'levelSums/levelSums'],
  meanOver: ['setStats/setStats', 'normalizeAnchor/normalizeAnchor'],
  zip: ['zipValues/zipValues'],
  scaleByLargest: ['scaleByLargest/scaleByLargest'],
  threshold: ['threshold/threshold'],
  broadcast: ['combine/combine'],
  combine: ['combine/combine'],
};

/** The same for one call: what is found, or compared, decides. */
function kernelsOfCall(name: keyof CreditOps, args: readonly unknown[]): readonly string[] {
  if (name === 'normalize' && args[1] !== 'task') return KERNELS.overSpread!;
  if (name === 'overSpread' && args[3] === 'task') return KERNELS.normalize!;
  if (name === 'sets' && (args[0] as SetRule).of === 'time')
    return ['keyMatch/keyMatch', 'contextMatch/timeWords', 'linkSets/linkSets'];
  return KERNELS[name] ?? [];
}

/** WGSL files that compute an estimator, in the order of their first use; none where it only runs on the CPU. */
export function kernelsOf(estimator: Estimator, params: AnyValues, writes = false): string[] {
  if (!estimatorWith(estimator, params, writes).gpu) return [];
  const used = new Set<string>();
  const column: Column = { per: 'step', handle: null };
  const sets: Sets = { handle: null };
  const plain = new Set(['outcome', 'reward', 'value', 'entropy', 'logp', 'logpPhi']);
  // every operation only notes that it was used
  const ops = new Proxy({} as CreditOps, {
    get: (_, name) => {
      if (plain.has(String(name))) return column;
      // no run records it
      if (name === 'planMask') return null;
      if (name === 'groupSize') return 1;
      if (name === 'keepApart') return () => ops;
      if (name === 'rewardParts') return Array.from({ length: REWARD_PARTS }, () => column);
      return (...args: unknown[]) => {
        for (const kernel of kernelsOfCall(name as keyof CreditOps, args))
          used.add(`src/gpu/shaders/credit/${kernel}.wgsl`);
        if (name === 'overLevels') return { credit: column, weight: column };
        return name === 'sets' ? sets : name === 'tdSums' ? { adv: column, target: column } : column;
      };
    },
  });
  estimator.gpu!(ops, params);
  return [...used];
}
