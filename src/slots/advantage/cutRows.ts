import { creditOfRows } from '../../contract/creditSubset.ts';
import type { Batch } from '../../contract/columns.ts';
import { settings, type AnyValues, type ValuesOf } from '../../core/settings.ts';
import type { Credit, Estimator } from '../types.ts';

/** Settings of the advantage slot, whatever the estimator. */
export const cutRowSettings = settings({
  cutRows: {
    kind: 'choice',
    group: 'Episodes cut at the step limit',
    label: 'Overlong filtering',
    default: 'train',
    options: ['train', 'filter'],
    optionLabels: ['off: they train like all others', 'on: they do not train'],
    doc: 'A cut episode may have been on the right path: filtered, it is neither blamed nor praised (DAPO).',
    formula: 'trains = 0 where the episode was cut',
  },
  keepInStatistics: {
    kind: 'switch',
    group: 'Episodes cut at the step limit',
    label: 'They still count in statistics',
    default: true,
    doc: 'The others are compared with them, too. Off: only with episodes that ended by themselves.',
    when: { setting: 'cutRows', is: ['filter'] },
  },
});

type CutRows = ValuesOf<typeof cutRowSettings>;

/** As the slot of a config has them. */
export const cutRowsOf = (slot: { readonly [name: string]: unknown }): CutRows =>
  ({ cutRows: slot['cutRows'], keepInStatistics: slot['keepInStatistics'] }) as CutRows;

/** Not `defineEstimator`: a build takes apart what records compute with, and this is none. */
const changed = (estimator: Estimator): Estimator => estimator;

/**
 * An estimator whose update leaves out what was cut at the step limit (overlong filtering, DAPO, arXiv 2503.14476):
 *
 *   trains[i] = 0 where episode i was cut                           its credit is computed and shown, and moves nothing
 *   not kept in statistics: A = what the estimator makes of the other episodes alone, and 0 where the episode was cut
 *
 * Where all episodes of a batch were cut, nothing is learned from it.
 */
export function withoutCut(estimator: Estimator, { cutRows, keepInStatistics }: CutRows): Estimator {
  if (cutRows === 'train') return estimator;
  const { gpu, ...rest } = estimator;
  const needs = [...new Set([...estimator.needs, 'terminated', 'taskIndex'] as const)];
  if (!keepInStatistics)
    return changed({ ...rest, needs, run: (batch, params) => creditOfEnded(estimator, batch, params) });
  return changed({
    ...rest,
    needs,
    run(batch, params) {
      const credit = estimator.run(batch, params);
      return { ...credit, keep: Uint8Array.from(batch.terminated, (ended, i) => (credit.keep?.[i] === 0 ? 0 : ended)) };
    },
    ...(gpu && {
      gpu(ops, params) {
        const credit = gpu(ops, params);
        const ended = ops.ended('terminated');
        return { ...credit, keep: credit.keep ? ops.zip('multiply', credit.keep, ended) : ended };
      },
    }),
  });
}

/** The credit of the episodes that ended by themselves, compared with nothing else; 0 and left out where one was cut. */
function creditOfEnded(estimator: Estimator, batch: Batch, params: AnyValues): Credit {
  const ofEnded = { ...estimator, run: (ended: Batch) => estimator.run(ended, params) };
  const credit = creditOfRows(ofEnded, batch, (i) => batch.terminated[i] === 1);
  return { ...credit, keep: credit.keep ?? Uint8Array.from(batch.terminated) };
}
