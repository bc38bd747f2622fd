import type { Batch } from '../../contract/columns.ts';
import { validTags } from '../reward/earnedTags.ts';
import { headsBy, type Heads } from './segments.ts';

/** Steps of a task group with the same tag form one set; refused steps are among those without one. */
export function tagHeads(batch: Batch): Heads {
  const tag = validTags(batch);
  return headsBy(
    batch,
    (i) => batch.taskIndex[i]!,
    (_i, _t, k) => tag[k]!,
  );
}
