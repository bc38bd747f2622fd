import { estimatorIn, unreadableIn } from '../slots/estimatorOf.ts';
import { estimators } from '../slots/methods.ts';
import { notYet } from './offered.ts';
import type { Issue } from './rules.ts';
import { fieldAt } from './schema.ts';
import type { Config } from './slots.ts';

/** Settings of an estimator that say what it reads and cannot be read, or ask for what no run records. */
export function estimatorIssues(config: Config): Issue[] {
  const { method } = config.advantage;
  const record = estimators.find((e) => e.id === method);
  if (!record?.made) return [];
  const refused = unreadableIn(config.advantage);
  const made = estimatorIn(config.advantage)!;
  const missing = refused ? null : notYet({ title: 'a formula', needs: made.needs });
  if (!refused && missing === null) return [];
  const [first] = Object.keys(record.params);
  const path = refused?.path ?? `advantage.${method}.${first!}`;
  const set = [{ path, value: fieldAt(path)!.setting!.default }];
  return [
    { severity: 'error', path, message: refused?.message ?? missing!, repair: { label: 'start from GiGPO', set } },
  ];
}
