import type { TrainState } from '../contract/state.ts';
import { groupsOf } from '../core/batch.ts';
import { noiseFromSums, twoBatchNoise, type GradientNoise } from '../slots/optimizer/gradientNoise.ts';
import { CpuStepScores } from '../engine/cpu/stepScores.ts';
import { scoreOf } from '../engine/stepScores.ts';
import { StillBackend } from '../engine/cpu/still.ts';
import { hasRounds } from '../engine/cpu/parts.ts';
import { CpuProcessModel } from '../engine/cpu/processModel.ts';
import { CpuRounds } from '../engine/cpu/rounds.ts';
import { CpuSideEpisodes } from '../engine/cpu/sideEpisodes.ts';
import * as start from '../engine/cpu/start.ts';
import { Survey } from '../engine/cpu/survey.ts';
import type { Plan } from '../engine/plan.ts';
import { tasksAt } from '../engine/taskFeed.ts';

/** With this many task groups they are the units: their credit adds up to 0, so trajectories of one depend on each other. */
const ENOUGH_GROUPS = 8;

/**
 * Numbers that unit by unit would be added up, units times parameters, beyond which a batch is taken in PARTS: its
 * gradients then are those of parts of equal size and of the whole (two-batch form of the noise scale).
 */
const UNIT_NUMBERS = 2e7;
const PARTS = 8;

export type NoiseResult = GradientNoise & {
  readonly update: number;
  readonly units: 'groups' | 'trajectories';
  readonly n: number;
  /** units of each gradient: 1, or those of a part in the two-batch form */
  readonly each: number;
};

/**
 * Gradient noise of one replica, alone, as its next update begins: a scratch copy plays the batch of that update and gives
 * credit as the run itself will, and the gradient of the loss is taken unit by unit at fixed parameters, in parts where
 * that is too much. The run does not move. Yields the share that is done.
 */
export function* measureNoise(
  { plan, state }: { readonly plan: Plan; readonly state: TrainState },
  most = UNIT_NUMBERS,
): Generator<number, NoiseResult> {
  const { update } = state;
  const backend = new StillBackend(plan, state, {
    scoring: scoreOf(plan) && CpuStepScores,
    returning: null,
    Rounds: hasRounds(plan) ? CpuRounds : null,
    Process: CpuProcessModel,
    Survey: plan.objective.survey ? Survey : null,
    Side: CpuSideEpisodes,
    start,
  });
  const tasks = tasksAt(plan, state);
  void backend.rollout(tasks, 'train');
  yield 0.1;
  backend.credit(plan.live);
  const still = backend.still({ s: 0, update, live: plan.live });
  yield 0.2;

  const training = new Set(still.trajectories);
  const groups = groupsOf({ B: plan.B, taskIndex: tasks.taskIndex }).map((all) => all.filter((i) => training.has(i)));
  const isGrouped = plan.P >= ENOUGH_GROUPS;
  const single = isGrouped ? groups.filter((group) => group.length > 0) : Array.from(training, (i) => [i]);
  const inParts = single.length * plan.layout.size > most && single.length >= 2 * PARTS;
  const units = inParts ? partsOf(single) : single;
  const mean = new Float64Array(plan.layout.size);
  const members = units.flat();
  const total = still.unitsOf(members);
  let squares = 0;
  for (const [k, unit] of units.entries()) {
    const gradient = still.gradientOf(Uint32Array.from(unit));
    // what this unit adds to the gradient of the batch, times n: the mean over units is that gradient
    const share =
      plan.aggregate === 'unitSum'
        ? 1
        : plan.aggregate === 'unitMean'
          ? still.unitsOf(unit) / total
          : (unit.length / members.length) * still.share;
    const scale = share * units.length;
    for (let j = 0; j < gradient.length; j++) {
      const g = scale * gradient[j]!;
      squares += g * g;
      mean[j]! += g / units.length;
    }
    yield 0.2 + (0.8 * (k + 1)) / units.length;
  }
  const normSq = mean.reduce((sum, g) => sum + g * g, 0);
  const each = inParts ? Math.floor(single.length / PARTS) : 1;
  const n = units.length * each;
  const about = { update, units: isGrouped ? 'groups' : 'trajectories', n, each } as const;
  if (!inParts) return { ...noiseFromSums(n, squares, normSq), ...about };
  const { signalSq, trace, noiseScale } = twoBatchNoise(squares / PARTS, normSq, each, n);
  const snr = trace > 0 ? (Math.max(signalSq, 0) * n) / trace : null;
  return { gradNorm: Math.sqrt(normSq), trace, signalSq, noiseScale, snr, ...about };
}

/** PARTS parts of equal size; every eighth unit belongs to the same one, so that tasks are spread. The rest is left out. */
function partsOf(units: readonly (readonly number[])[]): number[][] {
  const used = units.length - (units.length % PARTS);
  return Array.from({ length: PARTS }, (_, p) =>
    units
      .slice(0, used)
      .filter((_unit, k) => k % PARTS === p)
      .flat(),
  );
}
