import { VOCABULARY } from '../envs/vocabulary.ts';
import { decisionsOf, wordsOf } from '../policies/transformer/command.ts';
import type { BatchView } from './backend.ts';
import type { Plan } from './plan.ts';
import type { WrittenView } from './snapshotTypes.ts';

/** The written commands of a batch for people: words instead of tokens, every command once. */
export function writtenView(plan: Plan, { written, batch }: BatchView): WrittenView | null {
  if (plan.policy.kind !== 'transformer' || !written) return null;
  const { grammar } = plan.policy.shape;
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
        const n = decisionsOf(grammar, packed, prefixes, slots);
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
  const { logp, entropy } = written;
  return { decisions: grammar.decisions, command, commands, logp: logp.slice(), entropy: entropy.slice() };
}
