import type { AnyValues } from '../../core/settings.ts';
import type { Column, CreditOps, Estimator, Sets } from '../../methods/types.ts';

/** Estimators that are a folder of their own. */
const FOLDERS: Readonly<Record<string, string>> = { oprl: 'oprl/oprl' };

/** File that defines an estimator. */
export const definitionOf = (id: string): string => `src/methods/advantage/${FOLDERS[id] ?? id}.ts`;

/** Address of a source file: the site carries the very files it was built from, as plain text. */
export const addressOf = (path: string): string => `./source/${path}.txt`;

export const paperOf = (arxiv: string): string => `https://arxiv.org/abs/${arxiv}`;

/** Kernels behind each operation that credit on the GPU is composed of. */
const KERNELS: { readonly [op in keyof CreditOps]?: readonly string[] } = {
  returnsToGo: ['reverseScan/reverseScan'],
  gae: ['tdError/tdError', 'reverseScan/reverseScan'],
  normalize: ['segmentStats/segmentStats', 'normalizeBy/normalizeBy'],
  sets: [
    'keyMatch/keyMatch',
    'keyMatch/stateWords',
    'linkSets/linkSets',
    'contextMatch/edgeWords',
    'contextMatch/pastWords',
  ],
  normalizeSets: ['setStats/setStats', 'normalizeAnchor/normalizeAnchor'],
  overLevels: ['setStats/setStats', 'levelSums/levelSums'],
  meanOver: ['setStats/setStats', 'normalizeAnchor/normalizeAnchor'],
  ratio: ['ratio/ratio'],
  scaleByLargest: ['scaleByLargest/scaleByLargest'],
  threshold: ['threshold/threshold'],
  broadcast: ['combine/combine'],
  combine: ['combine/combine'],
};

/** WGSL files that compute an estimator, in the order of their first use; none where it only runs on the CPU. */
export function kernelsOf(estimator: Estimator, params: AnyValues): string[] {
  if (!estimator.gpu) return [];
  const used = new Set<string>();
  const column: Column = { per: 'step', handle: null };
  const sets: Sets = { handle: null };
  const plain = new Set(['outcome', 'reward', 'value', 'logp', 'logpPhi', 'greedy']);
  // every operation only notes that it was used
  const ops = new Proxy({} as CreditOps, {
    get: (_, name) => {
      if (plain.has(String(name))) return column;
      return () => {
        for (const kernel of KERNELS[name as keyof CreditOps] ?? []) used.add(`src/gpu/shaders/${kernel}.wgsl`);
        if (name === 'overLevels') return { credit: column, weight: column };
        return name === 'sets' ? sets : name === 'gae' ? { adv: column, target: column } : column;
      };
    },
  });
  estimator.gpu(ops, params);
  return [...used];
}
