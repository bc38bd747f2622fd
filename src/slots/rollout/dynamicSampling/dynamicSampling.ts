import { settings } from '../../../core/settings.ts';
import { defineRollout, type RowMark, type Taken } from '../types.ts';
import { filterNeeds, filtersCredit, groupsIn, groupsThatStay } from './rounds.ts';

const params = settings({
  maxRounds: {
    kind: 'integer',
    label: 'Most rounds',
    default: 10,
    min: 1,
    max: 50,
    doc: 'Rounds of fresh tasks per update at most; then the groups found so far are used.',
  },
  filter: {
    ...groupsThatStay,
    doc: 'A group is dropped when this is the same for all of its episodes.',
  },
});

/** Short episodes: playing them is what an update costs. */
const SHORT = 30;

/**
 * Groups whose outcomes all agree teach nothing, so fresh tasks are played until the batch is full of groups that do:
 *
 *   repeat: play P fresh tasks, G episodes each; keep the groups with a spread, in order of arrival
 *   until P groups are kept, or after `maxRounds` rounds
 *
 * Credit that judges steps finds something in groups that agree: “those with any credit” drops a group only where A is 0 at
 * all of its steps. What is dropped is charged. If rounds run out the update trains on the groups that it has; with none of them it changes
 * nothing. (The released code stops with an error there.)
 */
export const dynamicSampling = defineRollout({
  id: 'dynamicSampling',
  title: 'Dynamic sampling (DAPO)',
  rev: 1,
  source: {
    title: 'DAPO: an open-source LLM reinforcement learning system at scale',
    arxiv: '2503.14476',
    level: 'code',
  },
  formula: '0 < |{i: success}| < G  in every group',
  look: 'Groups that agree vanish. Steps per update double or more at the start and near the end of training.',
  params,
  needs: filterNeeds,
  asksCredit: filtersCredit,
  metrics: ['rounds', 'episodesPlayed', 'playedSuccess', 'trainedShare'],
  round(seen, { tasks, P }, { filter, maxRounds }, n) {
    if (n >= maxRounds || groupsIn(seen, filter).every(({ stays }) => stays)) return [];
    return Array.from(tasks, (task) => ({ task, fresh: (n - 1) * P + task }));
  },
  take(seen, played, _context, { filter }) {
    const free = groupsIn(seen, filter).filter(({ stays }) => !stays);
    const taken: Taken[] = [];
    for (const { rows } of groupsIn(played, filter).filter(({ stays }) => stays)) {
      // where a source gives unequal groups, one takes the place of another of its size
      const k = free.findIndex((group) => group.rows.length === rows.length);
      const [place] = k < 0 ? [] : free.splice(k, 1);
      place?.rows.forEach((row, j) => taken.push({ row, from: rows[j]!, task: seen.taskIndex[row]! }));
    }
    return taken;
  },
  settle(seen, _context, { filter }) {
    const groups = groupsIn(seen, filter);
    const isEmpty = groups.every(({ stays }) => !stays);
    const marks: RowMark[] = [];
    // with nothing to train on the last groups remain to be looked at
    for (const { rows, stays } of groups)
      for (const row of rows) marks[row] = { trains: stays, measured: stays || isEmpty };
    return marks;
  },
  mostSteps: ({ maxRounds }, { P, G, T }) => maxRounds * P * G * T,
  charges: ({ maxRounds }) =>
    maxRounds > 1 ? `plays up to ${maxRounds} rounds per update; the steps of groups that it drops are charged` : null,
  warns: ({ filter }, { G, T, levels }) =>
    G === 1
      ? filter === 'advantage'
        ? 'may drop everything: a group of one episode has credit only where the credit compares with nothing'
        : 'drops nothing: groups of one episode have nothing to agree on'
      : levels === 1
        ? 'has one level only: a fresh task is the same level again'
        : T <= SHORT
          ? `may cost more than it brings: with episodes of at most ${T} steps, playing them is the whole cost`
          : null,
});
