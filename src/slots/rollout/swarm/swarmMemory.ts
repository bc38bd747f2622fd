import { groupsOf } from '../../../core/batch.ts';
import { isMeasured } from '../../../contract/rows.ts';
import type { ReceivedGroup, SharedRow } from '../../../contract/peers.ts';
import type { Tensors } from '../../../contract/state.ts';
import type { ValuesOf } from '../../../core/settings.ts';
import { drop, place, replayOf, storedIn, type Stored } from '../again/episodeStore.ts';
import { drawFrom } from '../again/drawFrom.ts';
import type { Finished, MemoryContext, PeerContext, RolloutMemory } from '../memory/types.ts';
import { creditInside, foreignGroups } from './groups.ts';
import type { swarmSettings } from './swarm.ts';

type Params = ValuesOf<typeof swarmSettings>;

/** Groups that are looked at in an update, for each that trains: what others send costs a bounded amount of work. */
const READ = 4;
/** First draw of what is told; those below are of what trains. */
const TELLS = 100_000;

const [GROUP, SENDER] = [0, 1];
/** Group and sender of the episode in a place. */
const labelOf = (memory: Tensors, slot: number, which: number): number => memory['groups']![1 + 2 * slot + which]!;

/** True if a level of this name can be made, and the rows of the group have a place in this run. */
function fits({ name, rows }: ReceivedGroup, { env, T, G, actions }: MemoryContext): boolean {
  const { maxSteps, variant } = name;
  const variants = env.deal?.count ?? 1;
  return (
    maxSteps <= T &&
    variant < variants &&
    rows.length <= G &&
    rows.every((row) => row.actions.length <= T && row.actions.every((action) => action < actions))
  );
}

/** Stores a group of others in free places, else in those of the oldest groups. */
function keep(memory: Tensors, group: ReceivedGroup, credit: readonly number[], context: MemoryContext): void {
  const labels = memory['groups']!;
  const places = (labels.length - 1) / 2;
  if (group.rows.length > places) return;
  const number = ++labels[0]!;
  for (let kept = storedIn(memory); places - kept.length < group.rows.length; kept = storedIn(memory)) {
    const oldest = Math.min(...kept.map(({ slot }) => labelOf(memory, slot, GROUP)));
    drop(
      memory,
      kept.filter(({ slot }) => labelOf(memory, slot, GROUP) === oldest),
    );
  }
  const taken = new Set(storedIn(memory).map(({ slot }) => slot));
  const free = Array.from({ length: places }, (_, slot) => slot).filter((slot) => !taken.has(slot));
  group.rows.forEach((row, k) => {
    const numbers = { update: context.update, ...group.name, success: 0, advantage: credit[k]! };
    place(memory, free[k]!, { ...numbers, ...row, length: row.actions.length }, context);
    labels.set([number, group.sender], 1 + 2 * free[k]!);
  });
}

const withoutLogp = ({ episodeSeed, actions, outcome }: SharedRow): SharedRow => ({ episodeSeed, actions, outcome });
/** A policy of another kind may decide a step in other units. */
const hasLogp = ({ logp, actions }: SharedRow, { K }: MemoryContext): boolean => logp?.length === actions.length * K;

/** Reads what others have told: rows that are what they say, in groups that tell good from bad. */
function read(memory: Tensors, peers: PeerContext, context: MemoryContext, params: Params): number {
  let refused = 0;
  for (const group of peers.received.slice(-READ * foreignGroups(params, context.P))) {
    const wrong = fits(group, context) ? peers.check(group).map((isRight) => !isRight) : group.rows.map(() => true);
    for (const isWrong of wrong) if (isWrong) [refused] = [refused + 1, peers.refuse(group.sender)];
    const right = group.rows.filter((_, k) => !wrong[k]);
    const rows = params.ratio === 'local' ? right.map(withoutLogp) : right.filter((row) => hasLogp(row, context));
    const credit = creditInside(rows.map(({ outcome }) => outcome));
    if (credit) keep(memory, { ...group, rows }, credit, context);
  }
  return refused;
}

/** The stored episodes by group, oldest first. */
function pooled(memory: Tensors): readonly (readonly Stored[])[] {
  const groups = new Map<number, Stored[]>();
  for (const one of storedIn(memory)) {
    const number = labelOf(memory, one.slot, GROUP);
    groups.set(number, [...(groups.get(number) ?? []), one]);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, rows]) => rows);
}

export const swarmMemory: RolloutMemory<Params> = {
  again(memory, context, params) {
    const { P, G, update } = context;
    const refused = context.peers ? read(memory, context.peers, context, params) : 0;
    drop(
      memory,
      storedIn(memory).filter((one) => update - one.update > params.expiry),
    );
    const groups = pooled(memory);
    const drawn = drawFrom(groups, foreignGroups(params, P), context.draw).flat();
    const replays = drawn.map((one) => {
      const came = { origin: 'peer', update: one.update, sender: labelOf(memory, one.slot, SENDER) } as const;
      const { logp, ...replay } = { ...replayOf(memory, one, one.advantage, context), came };
      return params.ratio === 'sender' ? { ...replay, logp: logp! } : replay;
    });
    const weight = replays.length / (replays.length + P * G);
    const known = new Set(groups.flat().map(({ slot }) => labelOf(memory, slot, SENDER))).size;
    const measured = { peersKnown: known, peerRefused: refused };
    return { replays, weight, own: 1 - weight, peers: true, measured };
  },

  report(_, finished, context, params) {
    const { peers } = context;
    if (!peers) return { peerSent: 0 };
    const groups = groupsOf(finished.batch).filter((group) => isTold(group, finished));
    const draw = (n: number): number => context.draw(TELLS + n);
    const told = drawFrom(groups, foreignGroups(params, context.P), draw);
    for (const group of told) peers.share(sharedOf(group, finished, context, params));
    return { peerSent: told.reduce((sum, { length }) => sum + length, 0) };
  },
};

/** Worth telling: rows of the policy itself, from the start of one level, that did not all earn the same. */
function isTold(group: readonly number[], { batch, begins, name }: Finished): boolean {
  const nameOf = (i: number): string => Object.values(name(i)).join();
  return (
    group.every((i) => isMeasured(batch, i) && begins(i) === null && nameOf(i) === nameOf(group[0]!)) &&
    group.some((i) => batch.outcome[i] !== batch.outcome[group[0]!])
  );
}

function sharedOf(group: readonly number[], finished: Finished, { T, K, update }: MemoryContext, { ratio }: Params) {
  const { batch, logp, name, episodeSeed } = finished;
  const rows = group.map((i) => {
    const length = batch.length[i]!;
    const row = {
      episodeSeed: episodeSeed(i),
      actions: Array.from(batch.action.subarray(i * T, i * T + length)),
      outcome: batch.outcome[i]!,
    };
    return ratio === 'local' ? row : { ...row, logp: Array.from(logp.subarray(i * T * K, (i * T + length) * K)) };
  });
  return { name: name(group[0]!), version: update, rows };
}
