import { drGrpo } from './advantage/drGrpo.ts';
import { gae } from './advantage/gae.ts';
import { gigpo } from './advantage/gigpo.ts';
import { grpo } from './advantage/grpo.ts';
import { hgpo } from './advantage/hgpo.ts';
import { reinforcePP } from './advantage/reinforcePP.ts';
import { reinforcePPBaseline } from './advantage/reinforcePPBaseline.ts';
import { rloo } from './advantage/rloo.ts';
import { salt } from './advantage/salt.ts';
import { cispo } from './objective/cispo.ts';
import { ppoClip } from './objective/ppoClip.ts';
import { reinforce } from './objective/reinforce.ts';
import { adam } from './optimizer/adam.ts';
import { sgd } from './optimizer/sgd.ts';
import type { Estimator, Objective, Optimizer } from './types.ts';

/** Order here is the order in menus. */
export const estimators: readonly Estimator[] = [
  gigpo,
  grpo,
  drGrpo,
  rloo,
  reinforcePP,
  reinforcePPBaseline,
  gae,
  hgpo,
  salt,
];
export const objectives: readonly Objective[] = [ppoClip, cispo, reinforce];
export const optimizers: readonly Optimizer[] = [adam, sgd];
