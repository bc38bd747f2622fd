import type { AnyValues, Settings, ValuesOf } from '../core/settings.ts';
import type { StateSpec } from './state.ts';

/** How solid the source of a method is, from its specification; `restated`: only the idea is the paper's, the formula is ours. */
export type SourceLevel = 'code' | 'text' | 'digest' | 'abstract' | 'restated' | 'textbook';
export type Source = { readonly title: string; readonly arxiv?: string; readonly level: SourceLevel };

/** Where a paper, its released code and this lab do not do the same. */
export type FinePrint = {
  /** what it is about */
  readonly on: string;
  readonly paper: string;
  readonly code: string;
  readonly lab: string;
};

/**
 * The outer form of a module, the same in every slot. Form, link, command line, schema, frozen defaults, docs tables,
 * availability and the hint about read-backs are derived from it. What `run` and `gpu` get differs by slot: the slot's own
 * type says it (`Estimator`, `Controller`, `Revision`, …). Only whoever trains calls `run`, `gpu` and `explain`.
 */
export type ModuleForm<S extends Settings = Settings> = {
  /** name of the file and of the export; stands in links and fixtures, never reused or renamed */
  readonly id: string;
  readonly title: string;
  /** goes up when the numbers change; the changelog says why */
  readonly rev: number;
  readonly source?: Source;
  readonly formula?: string;
  /** where paper and code disagree, and whom this follows */
  readonly finePrint?: readonly FinePrint[];
  /** what a person should see on screen; in a stack also the help of its switch, at most 90 characters there */
  readonly look: string;
  /** other words by which people look for it, for the search of the form: what it is about, or what others call it */
  readonly also?: string;
  readonly params: S;
  /** columns that `run` reads, exactly */
  readonly needs?: readonly string[];
  /** columns that `run` writes, exactly, beyond what its slot is about; only of rewards, before which nobody reads columns */
  readonly makes?: readonly string[];
  /** what it remembers between updates, a `StateSpec` or a function of its settings: saved, cut, resumed, forked generically */
  readonly state?: unknown;
  /** metrics that exist only while it is chosen, by id */
  readonly metrics?: readonly string[];
  /** caption of the figure that shows what it did */
  readonly caption?: string;
  /** the same on the GPU; its type is the slot's. Without it a run on the GPU reads `needs` back and calls `run` */
  readonly gpu?: unknown;
  /** floats of a step that the columns take which `gpu` makes on its way: what the memory estimate counts; a test counts them */
  scratch?(params: ValuesOf<S>): number;
  /** only where `gpu` does not know all settings: false where it does not know these */
  onGpu?(params: ValuesOf<S>): boolean;
};

/** A module of a run with its settings. */
export type Chosen<M> = { readonly module: M; readonly params: AnyValues };

/** Name of the switch that every module of a stack has. */
export const ON = 'on';

/**
 * The modules of a stack that a config has switched on, in the order of the registry, each with its settings.
 * @param slot the slot's part of the config: one record of settings per module
 */
export function chosenOf<M extends { readonly id: string }>(
  registry: readonly M[],
  slot: { readonly [id: string]: unknown },
): readonly Chosen<M>[] {
  return registry
    .map((module) => ({ module, params: (slot[module.id] ?? {}) as AnyValues }))
    .filter(({ params }) => params[ON] === true);
}

/** What a module remembers with these settings, under its own names. */
export function stateOf({ state }: Pick<ModuleForm, 'state'>, params: AnyValues): StateSpec {
  const of = state as StateSpec | ((params: AnyValues) => StateSpec) | undefined; // the slot's type says which
  return typeof of === 'function' ? of(params) : (of ?? {});
}

/** The settings of a module of a stack, null where it is off. */
export function paramsOf<M extends { readonly id: string }>(
  chosen: readonly Chosen<M>[],
  id: string,
): AnyValues | null {
  return chosen.find(({ module }) => module.id === id)?.params ?? null;
}

/** Floats of a step that a module with these settings takes on a device beside its columns; none where it is computed on the CPU. */
export function scratchOf(module: Pick<ModuleForm, 'gpu' | 'onGpu' | 'scratch'>, params: AnyValues): number {
  return runsOnGpu(module, params) ? (module.scratch?.(params as never) ?? 0) : 0;
}

/** True if a module with these settings is computed on the GPU where the run is there; else in TypeScript after a read-back. */
export function runsOnGpu(module: Pick<ModuleForm, 'gpu' | 'onGpu'>, params: AnyValues): boolean {
  return module.gpu !== undefined && module.onGpu?.(params as never) !== false;
}
