import * as v from 'valibot';
import type { Problem, Result } from '../core/problem.ts';
import {
  defaultsOf,
  parse,
  settingsSchema,
  type AnyValues,
  type Setting,
  type SettingValue,
} from '../core/settings.ts';
import { ON } from '../contract/module.ts';
import { slots, type Config, type Module, type Slot, type SlotConfig, type SlotId, type StackConfig } from './slots.ts';

/** Version of the config schema. Links and files name it; older ones are migrated (migrations.ts). */
export const SCHEMA_VERSION = 3;

/** All modules of a slot that have settings: those to choose from, then its stack. */
export const modulesOf = (slot: Slot): readonly Module[] => [...slot.modules, ...(slot.stack ?? [])];

function slotSchema(slot: Slot): v.GenericSchema {
  const common = settingsSchema(slot.common) as unknown as { entries: Record<string, v.GenericSchema> };
  const modules = modulesOf(slot).map((m) => [m.id, settingsSchema(m.params)] as const);
  const ids = slot.modules.map((m) => m.id);
  const method: Record<string, v.GenericSchema> =
    ids.length > 0 ? { method: v.picklist(ids, `must be one of ${ids.join(', ')}`) } : {};
  return v.strictObject({ ...method, ...common.entries, ...Object.fromEntries(modules) });
}

/** The schema of a full config: every slot, every module, every setting, and nothing else. */
const configSchema = v.strictObject(
  Object.fromEntries(slots.map((slot) => [slot.id, slotSchema(slot)])),
) as unknown as v.GenericSchema<unknown, Config>;

function slotDefaults(slot: Slot): SlotConfig | StackConfig {
  const [first] = slot.modules;
  return {
    ...(first ? { method: first.id } : {}),
    ...defaultsOf(slot.common),
    ...Object.fromEntries(modulesOf(slot).map((m) => [m.id, defaultsOf(m.params)])),
  };
}

/** Put together once: a copy of it is seven times as quick. */
const defaults = Object.fromEntries(slots.map((slot) => [slot.id, slotDefaults(slot)]));

/** The experiment a new visitor sees: Key and door, a small network, GiGPO, three seeds. A fresh copy each time. */
export function defaultConfig(): Config {
  return structuredClone(defaults) as Config;
}

/** Checks an untrusted full config against the schema. Never throws, clamps nothing, names every wrong field. */
export function parseConfig(raw: unknown): Result<Config> {
  const parsed = parse(configSchema, raw);
  if (parsed.ok) return parsed;
  return { ok: false, problem: { kind: 'configRejected', issues: parsed.issues } satisfies Problem };
}

/** One setting of the config: its path such as `advantage.gigpo.omega`, and its description. `setting` null = method choice. */
export type Field = {
  readonly path: string;
  readonly slot: Slot;
  readonly module: string | null;
  readonly name: string;
  readonly setting: Setting | null;
};

/** Every path of a config, in the order of the form. */
export const fields: readonly Field[] = slots.flatMap((slot) => [
  ...(slot.modules.length > 0
    ? [{ path: `${slot.id}.method`, slot, module: null, name: 'method', setting: null }]
    : []),
  ...Object.entries(slot.common).map(([name, setting]) => ({
    path: `${slot.id}.${name}`,
    slot,
    module: null,
    name,
    setting,
  })),
  ...modulesOf(slot).flatMap((m) =>
    Object.entries(m.params).map(([name, setting]) => ({
      path: `${slot.id}.${m.id}.${name}`,
      slot,
      module: m.id,
      name,
      setting,
    })),
  ),
]);
const byPath = new Map(fields.map((field) => [field.path, field]));

export function fieldAt(path: string): Field | undefined {
  return byPath.get(path);
}

/** Value at a known path. */
export function getValue(config: Config, path: string): SettingValue {
  const field = byPath.get(path);
  if (!field) throw new Error(`There is no field ${path}.`);
  const slot = config[field.slot.id];
  const group = field.module === null ? slot : (slot[field.module] as SlotConfig);
  return group[field.name] as SettingValue;
}

/** A copy with one value changed. Only known paths can be written, so nothing outside the schema can be reached. */
export function setValue(config: Config, path: string, value: unknown): Config {
  const field = byPath.get(path);
  if (!field) throw new Error(`There is no field ${path}.`);
  const slot = config[field.slot.id];
  const changed =
    field.module === null
      ? { ...slot, [field.name]: value }
      : { ...slot, [field.module]: { ...(slot[field.module] as object), [field.name]: value } };
  return { ...config, [field.slot.id]: changed } as Config;
}

/** The default config with some values changed, by path. */
export function configWith(changes: Readonly<Record<string, unknown>>, base: Config = defaultConfig()): Config {
  return Object.entries(changes).reduce((config, [path, value]) => setValue(config, path, value), base);
}

/** The module a slot works with: its own choice, or that of the slot it follows. */
export function methodOf(config: Config, slot: SlotId): string {
  const { follows } = slots.find((s) => s.id === slot)!;
  return config[follows ?? slot]['method'] as string; // nobody asks a slot that has only a stack
}

/** A module that acts in a config: the field that says so, and its settings. */
export type Acting = { readonly module: Module; readonly path: string; readonly values: AnyValues };

/** The modules of a slot that act in a config: the chosen one, then those of its stack that are on. */
export function actingIn(config: Config, slot: Slot): readonly Acting[] {
  const valuesOf = (m: Module): AnyValues => config[slot.id][m.id] as AnyValues;
  const chosen = slot.modules.length > 0 ? methodOf(config, slot.id) : null;
  return modulesOf(slot).flatMap((module) => {
    const isOn = isStacked(slot, module.id) ? valuesOf(module)[ON] === true : module.id === chosen;
    const path = isStacked(slot, module.id) ? `${slot.id}.${module.id}.${ON}` : `${slot.follows ?? slot.id}.method`;
    return isOn ? [{ module, path, values: valuesOf(module) }] : [];
  });
}

/** True if the module is in the stack of its slot. */
export const isStacked = (slot: Slot, module: string): boolean => slot.stack?.some((m) => m.id === module) ?? false;

/** True if the field is used: by the chosen method of its slot, or by a module of its stack that is on; and by `when`. */
export function isActive(config: Config, field: Field): boolean {
  const { slot, module, name } = field;
  const group = module === null ? config[slot.id] : (config[slot.id][module] as SlotConfig);
  if (module !== null && isStacked(slot, module)) {
    if (name !== ON && group[ON] !== true) return false;
  } else if (module !== null && methodOf(config, slot.id) !== module) return false;
  const when = field.setting?.when;
  return !when || when.is.includes(group[when.setting] as string | boolean);
}

export function sameValue(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((x, k) => x === b[k]) : a === b;
}
