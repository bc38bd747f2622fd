import { log } from '../../core/fmath.ts';
import type { Coefficient, Unit } from '../../methods/types.ts';
import { softmaxRow } from '../../policies/dense.ts';
import { outputs } from '../../policies/network.ts';
import type { Arrays } from '../arrays.ts';
import type { Plan } from '../plan.ts';
import type { Live } from '../backend.ts';
import { CHUNK, type CpuNetwork } from './network.ts';
