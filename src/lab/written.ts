import { VOCABULARY } from '../envs/vocabulary.ts';
import { unitsIn } from '../contract/units.ts';
import { wordsOf } from '../networks/transformer/grammar.ts';
import type { Words } from '../slots/metrics/batchMeasures.ts';
import type { BatchView } from '../engine/backend.ts';
import { partOf } from '../engine/measuredPart.ts';
import type { Plan } from '../engine/plan.ts';
import type { WrittenView } from './snapshotTypes.ts';

/** The written commands of a batch for people: words instead of tokens, every command once. */
export function writtenView(plan: Plan, { written, batch }: Pick<BatchView, 'written' | 'batch'>): WrittenView | null {
  const grammar = plan.policy.words;
  if (!grammar || !written) return null;
  const prefixes = new Int32Array(grammar.decisions);
  const slots = new Int32Array(grammar.decisions);
  const known = new Map<number, number>();
  const commands: { words: string[]; decided: boolean[] }[] = [];
  const command = written.command.slice();
  for (let i = 0; i < batch.B; i++) {
    for (let t = 0; t < batch.length[i]!; t++) {
      const packed = command[i * batch.T + t]!;
      if (!known.has(packed)) {
        known.set(packed, commands.length);
        const depths = new Set<number>();
        const n = unitsIn(grammar, packed, prefixes, slots);
        for (let k = 0; k < n; k++) depths.add(grammar.prefixes[prefixes[k]!]!.depth);
        const tokens = wordsOf(packed);
        commands.push({
          words: tokens.map((token) => VOCABULARY[token] ?? '?'),
          decided: tokens.map((_, k) => depths.has(k)),
        });
      }
      command[i * batch.T + t] = known.get(packed)!;
    }
  }
  const { logp, entropy, A } = written;
  const own = { logp: logp.slice(), entropy: entropy.slice(), ...(A ? { A: A.slice() } : {}) };
  return { decisions: grammar.decisions, command, commands, ...own };
}

/** The decided words of some trajectories, where each is a unit with its own ratio; null where steps are the units. */
export function wordUnits(
  plan: Plan,
  { written }: BatchView,
  view: WrittenView | null,
  rows: readonly number[],
): Words | null {
  if (!written || !view || plan.ratioLevel !== 'unit') return null;
  const decided = view.commands.map((c) => c.decided.filter(Boolean).length);
  const own = <T extends Float32Array | Uint32Array>(values: T): T => partOf(values, plan.B, rows);
  const command = own(view.command);
  return {
    decisions: view.decisions,
    count: Uint32Array.from(command, (c) => decided[c] ?? 0),
    logp: own(written.logp),
    delta: own(written.delta),
  };
}
