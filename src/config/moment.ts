import type { LinkReason, Result } from '../core/problem.ts';
import { fail, ok } from '../core/problem.ts';
import { defaultsOf, parse, settingsSchema, type AnyValues } from '../core/settings.ts';
import { offeredEstimators } from './offered.ts';

/**
 * Where its sender looked: updates made, seed, episode and step on the stage, part of the page, what the map showed,
 * the tab of the dock, and how the credit of all episodes was looked at; null while it was closed. `compared`: the page of
 * the comparison and its estimators, null until some were chosen.
 */
export type Moment = {
  readonly update: number;
  readonly replica: number;
  readonly trajectory: number;
  readonly step: number;
  readonly tab: (typeof TABS)[number];
  readonly overlay: (typeof OVERLAYS)[number];
  readonly dock: (typeof DOCKS)[number];
  readonly credit: (typeof CREDITS)[number] | null;
  readonly compared: Compared;
};

type Compared = {
  readonly page: (typeof PAGES)[number];
  readonly methods: readonly { readonly id: string; readonly params: AnyValues }[] | null;
};

/** The curve of success that its sender saw, over `updates` updates: a few digits of base 36, 0 … z for 0 … 1. */
export type Expected = { readonly updates: number; readonly curve: string };

const TABS = ['setup', 'watch', 'charts', 'episodes'] as const;
const OVERLAYS = ['policy', 'visits', 'credit', 'entropy', 'change', 'reward', 'ahead'] as const;
const DOCKS = ['episodes', 'graph', 'update', 'inside', 'profile', 'log'] as const;
const CREDITS = ['run', 'compare', 'step', 'rewards'] as const;
const PAGES = ['strips', 'points', 'batches', 'map'] as const;
const FIELDS = ['u', 'r', 'i', 's', 't', 'o', 'd', 'v', 'p', 'a'];
/** Estimators side by side, at most. */
export const MOST_COMPARED = 4;
/** Letters in a link, with the largest number that a page could have. */
const NUMBERS = { u: 20_000, r: 255, i: 262_143, s: 4_095 } as const;
/** Most points of a curve: a link has to stay short. */
export const EXPECTED_POINTS = 48;
const BASE = 36;

const reject = (reason: LinkReason, detail: string): Result<never> => fail({ kind: 'linkRejected', reason, detail });
const isCount = (value: unknown, most: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= most;

/** An estimator of the comparison in a link: its id, and the settings that differ from the defaults. */
function packMethod({ id, params }: NonNullable<Compared['methods']>[number]): unknown {
  const record = offeredEstimators.find((e) => e.id === id);
  const defaults: AnyValues = record ? defaultsOf(record.params) : {};
  const changed = Object.entries(params).filter(([name, value]) => value !== defaults[name]);
  return changed.length > 0 ? [id, Object.fromEntries(changed)] : id;
}

function readMethod(raw: unknown): NonNullable<Compared['methods']>[number] | null {
  const [id, changed = {}] = Array.isArray(raw) && raw.length === 2 ? (raw as unknown[]) : [raw];
  const record = offeredEstimators.find((e) => e.id === id);
  if (!record || typeof changed !== 'object' || changed === null) return null;
  const params = parse(settingsSchema(record.params), { ...defaultsOf(record.params), ...changed });
  return params.ok ? { id: record.id, params: params.value as AnyValues } : null;
}

/** The page and the estimators of the comparison; null where they are none. */
function readCompared(page: unknown, methods: unknown): Compared | null {
  const known = PAGES.find((one) => one === page);
  if (!known) return null;
  if (methods === null) return { page: known, methods };
  if (!Array.isArray(methods) || methods.length === 0 || methods.length > MOST_COMPARED) return null;
  const read = methods.map(readMethod);
  return read.includes(null) ? null : { page: known, methods: read.filter((m) => m !== null) };
}

/** As it stands in a link. What is left out is as on a first visit: episodes in the dock, credit closed. */
export function packMoment(moment: Moment): Record<string, unknown> {
  const { update, replica, trajectory, step, tab, overlay, dock, credit, compared } = moment;
  const packed: Record<string, unknown> = { u: update, r: replica, i: trajectory, s: step, t: tab, o: overlay };
  if (dock !== 'episodes') packed['d'] = dock;
  if (credit !== null) packed['v'] = credit;
  if (compared.page !== 'strips') packed['p'] = compared.page;
  if (compared.methods) packed['a'] = compared.methods.map(packMethod);
  return packed;
}

/** Reads what a stranger sent: every value has to be one that this page can show. */
export function readMoment(raw: unknown): Result<Moment> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return reject('badValue', 'Its moment is not a record.');
  const record = raw as Readonly<Record<string, unknown>>;
  const strange = Object.keys(record).find((name) => !FIELDS.includes(name));
  if (strange !== undefined)
    return reject('unknownField', `Its moment has a field “${strange.slice(0, 40)}” that is not known here.`);
  const { u, r, i, s, t, o, d = 'episodes', v = null, p = 'strips', a = null } = record;
  const tab = TABS.find((known) => known === t);
  const overlay = OVERLAYS.find((known) => known === o);
  const dock = DOCKS.find((known) => known === d);
  const credit = v === null ? null : CREDITS.find((known) => known === v);
  const fits = isCount(u, NUMBERS.u) && isCount(r, NUMBERS.r) && isCount(i, NUMBERS.i) && isCount(s, NUMBERS.s);
  if (!fits || !tab || !overlay || !dock || credit === undefined)
    return reject('badValue', 'No run can have its moment.');
  const compared = readCompared(p, a);
  if (!compared) return reject('badValue', 'It compares estimators that are not known here.');
  return ok({ update: u, replica: r, trajectory: i, step: s, tab, overlay, dock, credit, compared });
}

/** A curve in [0, 1] thinned for a link; null where there is too little of it. */
export function expectedOf(success: readonly number[], updates: number): Expected | null {
  const known = success.filter((y) => Number.isFinite(y));
  if (known.length < 2) return null;
  const points = Math.min(EXPECTED_POINTS, known.length);
  const at = (k: number): number => known[Math.round((k * (known.length - 1)) / (points - 1))]!;
  const digit = (y: number): string => Math.round((BASE - 1) * Math.min(1, Math.max(0, y))).toString(BASE);
  return { updates, curve: Array.from({ length: points }, (_, k) => digit(at(k))).join('') };
}

/** Reads a curve that a stranger sent. */
export function readExpected(raw: unknown): Result<Expected> {
  const [updates, curve] = Array.isArray(raw) && raw.length === 2 ? (raw as unknown[]) : [];
  const isCurve = typeof curve === 'string' && curve.length <= EXPECTED_POINTS && /^[0-9a-z]{2,}$/.test(curve);
  if (!isCount(updates, NUMBERS.u) || !isCurve) return reject('badValue', 'Its expected curve is not a curve.');
  return ok({ updates, curve });
}

/** The values of an expected curve, 0 … 1. */
export const valuesOf = ({ curve }: Expected): number[] =>
  Array.from(curve, (digit) => parseInt(digit, BASE) / (BASE - 1));
