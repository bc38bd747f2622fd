import { startsApart } from '../../config/fresh.ts';
import { measuresAges } from '../ages.ts';
import type { Plan } from '../plan.ts';
import { prepareOutcomes } from '../outcomes.ts';
import { processOf } from '../processModel.ts';
import { rolloutOf } from '../rolloutOf.ts';
import { sideOfPlan } from '../sideEpisodes.ts';
import { scoreOf } from '../stepScores.ts';
import type { CpuProcessModel } from './processModel.ts';
import type { MakeReturning } from './returning.ts';
import type { MakeRows } from './rows/rows.ts';
import type { CpuRounds } from './rounds.ts';
import type { CpuSideEpisodes } from './sideEpisodes.ts';
import type * as start from './start.ts';
import type { CpuStepScores } from './stepScores.ts';
import type { Survey } from './survey.ts';

/** What few runs need, loaded where one does; null: this run does without. */
export type Parts = {
  readonly scoring: typeof CpuStepScores | null;
  readonly returning: MakeReturning | null;
  readonly Rounds: typeof CpuRounds | null;
  readonly Process: typeof CpuProcessModel | null;
  readonly Survey: typeof Survey | null;
  readonly Side: typeof CpuSideEpisodes | null;
  readonly start: typeof start | null;
  /** spreads the rows of a batch over cores */
  readonly rows?: MakeRows | null;
};

/** False for a plan whose batches are played once and stay as they are. */
export const hasRounds = ({ scheme }: Plan): boolean => scheme?.round !== undefined || scheme?.settle !== undefined;

export async function partsOf(plan: Plan, rows: MakeRows | null): Promise<Parts> {
  await prepareOutcomes(plan);
  return {
    rows,
    scoring: scoreOf(plan) && (await import('./stepScores.ts')).CpuStepScores,
    returning: rolloutOf(plan).module.memory ? await (await import('./returning.ts')).returningOf(plan) : null,
    Rounds: hasRounds(plan) ? (await import('./rounds.ts')).CpuRounds : null,
    Survey: plan.objective.survey ? (await import('./survey.ts')).Survey : null,
    Side: sideOfPlan(plan) ? (await import('./sideEpisodes.ts')).CpuSideEpisodes : null,
    start: startsApart(plan) || measuresAges(plan) ? await import('./start.ts') : null,
    Process: processOf(plan) ? (await import('./processModel.ts')).CpuProcessModel : null,
  };
}
