import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import { chunksOf } from '../../networks/transformer/tokenList.ts';
import { addGradientEnd } from '../../networks/transformer/tokenOps.ts';
import { comparesInLoss } from '../control.ts';
import type { Plan } from '../plan.ts';
import type { RunBuffers } from './buffers.ts';
import { clipForm } from './clipForm.ts';
import type { GpuPast } from './past.ts';
import type { Passes } from './passes.ts';
import { REPORT } from './report.ts';
import { addLookChunk, addLookStart, addSeenCommands, addUnits } from './tokenCommandList.ts';
import type { TokenScoreNorms } from './tokenScoreNorms.ts';
import { commandBatch } from './tokenRollout.ts';
import { valueForm } from './valueForm.ts';

/** Passes of a network that goes over the batch in chunks: one is recorded, and runs as often as there are steps. */
export async function tokenPasses(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  past: GpuPast,
  scores: TokenScoreNorms | null,
): Promise<Passes> {
  const tokens = b.tokens!;
  const batch = commandBatch(plan, b);
  const glancing = { ...batch, live: b.look };
  const list = (name: string): CommandList => new CommandList(gpu, name, b.all);
  const [p0, p1, p2, p3] = plan.objective.uniforms(plan.objectiveParams as never);
  const perStep = plan.ratioLevel !== 'unit';
  const look = {
    objective: plan.objective.wgsl,
    params: [p0, p1, p2, p3] as const,
    ratioLevel: plan.ratioLevel,
    temperature: plan.temperature,
    value: valueForm(plan),
    clip: clipForm(plan),
  };
  const measures = { ...look, learns: false };
  const theta = past.seen;
  const both = { theta, reference: comparesInLoss(plan.control, plan.live) ? b.reference : null };
  const learn = list('learn');
  await addLookChunk(learn, tokens, batch, both, { ...look, learns: true });
  const glance = list('look');
  await addLookChunk(glance, tokens, glancing, both, measures);
  return {
    units: perStep ? b.columns.length : tokens.units,
    most: perStep ? 1 : tokens.shape.grammar.decisions,
    begin: (first) => addUnits(first, tokens, batch, tokens.units),
    see: async ({ sequence, list: before }, seen) => {
      await addLookStart(before, tokens, batch);
      const chunk = sequence.add(list('start'), chunksOf(tokens, 'weighted'));
      await addLookChunk(chunk, tokens, glancing, { theta, reference: null }, measures);
      const into = { buffer: seen.buffer, probsAt: b.probsAt, most: b.report(REPORT.mismatchMax, 1) };
      await addSeenCommands(chunk, tokens, batch, into, plan.temperature);
      return sequence.add(list('optimize'));
    },
    // its outputs are those of a chunk: there is nothing to read again
    look: async ({ sequence, list: before }, { learns, trajectories }) => {
      await addLookStart(before, tokens, batch);
      sequence.add(learns ? learn : glance, chunksOf(tokens, 'weighted', trajectories));
      const after = sequence.add(list('optimize'));
      if (learns) await addGradientEnd(after, tokens, b);
      return after;
    },
    score: async ({ sequence, list: before }, trajectories) => {
      await addLookStart(before, tokens, batch);
      scores!.addTo(sequence, trajectories);
      return sequence.add(list('optimize'));
    },
  };
}
