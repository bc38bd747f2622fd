import { canonicalJson } from '../../config/canonical.ts';
import { makeLevelOf } from '../../config/level.ts';
import type { Config } from '../../config/slots.ts';
import type { TrainState } from '../../contract/state.ts';
import type { NumberArray } from '../../contract/numbers.ts';
import { revisionsOf } from '../sweep/revisions.ts';
import { LAB_VERSION } from '../../core/version.ts';
import { readSafetensors, writeSafetensors, type Tensor } from './safetensors.ts';

/** What a run goes on from, in two files: the policy's weights by layer, and everything else that it remembers. */
export type StateFiles = { readonly weights: Uint8Array<ArrayBuffer>; readonly optimizer: Uint8Array<ArrayBuffer> };

const PREFIX = 'policy.';
/** Where a tensor of a layer is in the parameters of one replica. */
type Place = { readonly name: string; readonly offset: number; readonly rows: number; readonly cols: number };

/** The layout of the policy's parameters; null where the level is not there. */
function layoutOf(config: Config): { readonly size: number; readonly places: readonly Place[] } | null {
  const facts = makeLevelOf(config);
  if (!facts.ok) return null;
  const { size, tensors } = facts.value.policy.layout;
  return { size, places: tensors.map((tensor) => ({ ...tensor, name: `${PREFIX}${tensor.name}` })) };
}

/** Parameters [S, size] as one tensor [S, rows, cols] for each layer's weight or bias. */
function layersOf(theta: Float32Array, S: number, layout: NonNullable<ReturnType<typeof layoutOf>>) {
  const layers = layout.places.map(({ name, offset, rows, cols }): [string, Tensor] => {
    const values = new Float32Array(S * rows * cols);
    for (let s = 0; s < S; s++) {
      const at = s * layout.size + offset;
      values.set(theta.subarray(at, at + rows * cols), s * rows * cols);
    }
    return [name, { shape: [S, rows, cols], values }];
  });
  return Object.fromEntries(layers);
}

/** The state of a run as files; null where the level of its task is not loaded. */
export function stateFiles(config: Config, S: number, { update, steps, tensors }: TrainState): StateFiles | null {
  const layout = layoutOf(config);
  const { theta, ...others } = tensors;
  if (!layout || !(theta instanceof Float32Array) || theta.length !== S * layout.size) return null;
  const about = { update: `${update}`, steps: `${steps}`, methods: canonicalJson(revisionsOf(config)) };
  const rest = Object.entries(others).map(([name, values]): [string, Tensor] => [
    name,
    { shape: [S, values.length / S], values },
  ]);
  return {
    weights: writeSafetensors({ tensors: layersOf(theta, S, layout), about }),
    optimizer: writeSafetensors({ tensors: Object.fromEntries(rest), about }),
  };
}

const NAME = /^[A-Za-z][\w.-]{0,80}$/;
const isWhole = (x: number): boolean => Number.isInteger(x) && x >= 0 && x <= 2 ** 31;

/** The state of a run, and the revisions of the methods that trained it as its file says; null where it does not. */
export type StateRead = { readonly state: TrainState; readonly methods: string | null };

/** Reads the state of a run of this config from strangers' files. A text is the sentence of what is wrong. */
export function readState(config: Config, S: number, weights: Uint8Array, optimizer: Uint8Array): StateRead | string {
  const layout = layoutOf(config);
  if (!layout) return 'The level of its task cannot be read.';
  const [policy, rest] = [readSafetensors(weights), readSafetensors(optimizer)];
  if (typeof policy === 'string') return `Its weights cannot be read. ${policy}`;
  if (typeof rest === 'string') return `The state of its optimizer cannot be read. ${rest}`;
  const theta = new Float32Array(S * layout.size);
  if (Object.keys(policy.tensors).length !== layout.places.length) return 'Its weights are those of another network.';
  for (const { name, offset, rows, cols } of layout.places) {
    const found = Object.hasOwn(policy.tensors, name) ? policy.tensors[name]! : null;
    if (!(found?.values instanceof Float32Array) || found.shape.join() !== [S, rows, cols].join())
      return 'Its weights are those of another network.';
    if (found.values.some((x) => !Number.isFinite(x))) return 'Some of its weights are not finite.';
    for (let s = 0; s < S; s++)
      theta.set(found.values.subarray(s * rows * cols, (s + 1) * rows * cols), s * layout.size + offset);
  }
  const tensors: [string, NumberArray][] = [['theta', theta]];
  for (const [name, { shape, values }] of Object.entries(rest.tensors)) {
    if (!NAME.test(name) || name === 'theta' || shape[0] !== S)
      return 'The state of its optimizer is not one of a run.';
    tensors.push([name, values]);
  }
  const [update, steps] = [Number(rest.about['update']), Number(rest.about['steps'])];
  if (!isWhole(update) || !isWhole(steps)) return 'The state of its optimizer does not say where it belongs.';
  const state = { update, steps, tensors: Object.fromEntries(tensors) };
  return { state, methods: rest.about['methods'] ?? null };
}

/**
 * Why training that goes on from these weights here would not be that of the run; null where it would.
 * @param methods their revisions as the file has them; null: it is of a version that did not write them
 * @param lab version that wrote the bundle
 */
export function whyNotContinued(config: Config, methods: string | null, lab: string): string | null {
  const isSame = methods === null ? lab === LAB_VERSION : methods === canonicalJson(revisionsOf(config));
  return isSame
    ? null
    : `Its weights cannot be continued: version ${lab} of the lab trained them with another revision of a method.`;
}
