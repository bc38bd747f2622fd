import type { Gpu } from '../../gpu/device.ts';
import { CommandList } from '../../gpu/recorder.ts';
import type { TokenBuffers } from '../../networks/transformer/tokenBuffers.ts';
import { addSteps, chunksOf } from '../../networks/transformer/tokenList.ts';
import type { Plan } from '../plan.ts';
import type { GpuRestriction } from './restriction.ts';
import type { RunBuffers } from './buffers.ts';
import { paceOf, sizesOf } from './pace.ts';
import { addCommandChunk, addLastValueChunk, type CommandBatch } from './tokenCommandList.ts';
import { Sequence } from './tokenSequence.ts';
import { addTurnLast, playsInParts } from './playsInParts.ts';
import { addWorld } from './worldList.ts';

/** The batch of a run as the lists of commands name it. */
export function commandBatch(plan: Plan, b: RunBuffers): CommandBatch {
  const { obs, choice, section, sampled, roll, shown, flags, stats, credit, live, marksAt, creditAt } = b;
  const { length, probs, command: commands } = b.columns;
  const { obsWords } = plan;
  return {
    obs,
    obsWords,
    commands,
    length,
    plan: b.plan,
    section,
    choice,
    sampled,
    probs,
    roll,
    shown,
    flags,
    stats,
    credit,
    marksAt,
    creditAt,
    live,
  };
}

/** A rollout in which actions are written as commands. */
export async function tokenRollout(
  gpu: Gpu,
  plan: Plan,
  b: RunBuffers,
  tokens: TokenBuffers,
  restriction: GpuRestriction | null,
): Promise<Sequence> {
  const batch = commandBatch(plan, b);
  const sequence = new Sequence(paceOf(gpu, `rollout ${sizesOf(plan)}`));
  const list = (name: string): CommandList => new CommandList(gpu, name, b.all);
  const write = list('commands');
  await addCommandChunk(write, tokens, batch, { theta: b.sampledTheta, temperature: plan.temperature }, restriction);
  // where several versions play a batch, the lists of a step are its own
  const inTurns = playsInParts(plan);
  const at = (t: number): number | null => (inTurns ? t : null);
  let world = sequence.add(list('start'), 1, at(-1));
  await addWorld(world, plan, b, 'start');
  for (let t = 0; t < plan.T; t++) {
    if (inTurns) await addWorld((world = sequence.add(list('turn'), 1, t)), plan, b, 'turn', t);
    await addWorld(world, plan, b, 'observe', t);
    await addSteps(world, tokens, batch, { t });
    sequence.add(write, chunksOf(tokens, { t }), at(t));
    world = sequence.add(list('step'), 1, at(t));
    await addWorld(world, plan, b, 'step', t);
  }
  if (inTurns) world = sequence.add(list('finish'));
  await addWorld(world, plan, b, 'observe', plan.T);
  if (!plan.critic) return sequence;
  await addSteps(world, tokens, batch, 'last');
  const values = sequence.add(list('values'), chunksOf(tokens, 'last'));
  await addLastValueChunk(values, tokens, batch, b.sampledTheta);
  if (inTurns) await addTurnLast(sequence.add(list('turn')), plan, b);
  return sequence;
}
