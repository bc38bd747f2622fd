import { named, type StateSpec } from '../../../contract/state.ts';
import { netState } from '../../reward/learned/net.ts';

const { weights, weightsM, weightsV, rest, restM, restV, steps } = netState as Required<typeof netState>;
const learned = { weights, weightsM, weightsV, rest, restM, restV, steps } as StateSpec;
const slow = { weights, rest, steps } as StateSpec;

/** The critics by name; a slow copy of each stands beside it. */
export const CRITICS = ['q0', 'q1', 'v0', 'v1'] as const;

/** Two critics Q and two V with their optimizers, and the slow copies that give their targets. */
export const twinState: StateSpec = Object.fromEntries(
  CRITICS.flatMap((name) => Object.entries({ ...named(name, learned), ...named(`${name}Slow`, slow) })),
);
