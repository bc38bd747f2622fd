import * as v from 'valibot';
import { LAB_VERSION } from '../core/version.ts';
import { parse } from '../core/settings.ts';
import type { NumberArray } from '../contract/numbers.ts';
import type { RunRecord } from '../lab/runs/record.ts';
import { COLUMNS, inColumns } from '../lab/runs/soFar.ts';
import { revisionsOf } from '../lab/sweep/revisions.ts';
import { standingOf, type Standing } from '../lab/sweep/together.ts';
import type { Packed } from './packed.ts';

const KIND = 'batch';
const aboutSchema = v.object({
  kind: v.literal(KIND),
  version: v.string(),
  /** [S] ids and addresses: what the replicas are */
  runs: v.array(v.strictTuple([v.string(), v.string()])),
  methods: v.record(v.string(), v.number()),
  columns: v.array(v.string()),
  ...{ update: v.number(), steps: v.number(), seconds: v.number() },
});

const named = (before: string, arrays: readonly (readonly [string | number, NumberArray])[]) =>
  Object.fromEntries(arrays.map(([name, array]) => [`${before}.${name}`, array]));

/** Runs of a comparison that train as replicas of one run, as what a file holds. */
export function packBatch(runs: readonly RunRecord[], { checkpoint, curves, seconds }: Standing): Packed {
  const { state, chain } = checkpoint;
  const { update, steps, tensors } = state;
  return {
    about: {
      ...{ kind: KIND, version: LAB_VERSION, runs: runs.map(({ id, address }) => [id, address]) },
      ...{ methods: revisionsOf(runs[0]!.config), columns: COLUMNS, update, steps, seconds },
    },
    arrays: {
      ...named('state', Object.entries(tensors)),
      ...named('chain', [...chain.entries()]),
      ...named('values', [...curves.map(({ values }) => values).entries()]),
      ...named('times', [...curves.map((part) => part.steps).entries()]),
    },
  };
}

/** Where these runs stand, if a file holds all of them at one update; else null, and they train from their beginning. */
export function readBatch({ about, arrays }: Packed, runs: readonly RunRecord[]): Standing | null {
  const parsed = parse(aboutSchema, about);
  if (!parsed.ok) return null;
  const { runs: there, methods, columns, update, steps, seconds } = parsed.value;
  const now = revisionsOf(runs[0]!.config);
  if (Object.keys({ ...methods, ...now }).some((name) => methods[name] !== now[name])) return null;
  const which = runs.map(({ id, address }) => there.findIndex(([one, at]) => one === id && at === address));
  if (which.includes(-1)) return null;
  const curves = there.map((_, s) => {
    const [values, times] = [arrays[`values.${s}`], arrays[`times.${s}`]];
    const isWhole = values instanceof Float32Array && times instanceof Float64Array;
    return isWhole ? inColumns({ from: 0, values, steps: times }, columns) : null;
  });
  const chain = there.map((_, s) => arrays[`chain.${s}`]);
  const isSound = which.every((s) => curves[s]?.steps.length === update && chain[s] instanceof Uint8Array);
  if (!isSound || curves.includes(null)) return null;
  const tensors = Object.fromEntries(
    Object.entries(arrays).flatMap(([name, array]) => (name.startsWith('state.') ? [[name.slice(6), array]] : [])),
  );
  const checkpoint = { state: { update, steps, tensors }, chain: chain as Uint8Array[] };
  return standingOf({ checkpoint, curves: curves.map((part) => part!), seconds }, which);
}
