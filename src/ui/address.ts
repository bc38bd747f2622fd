import { canonicalJson } from '../config/canonical.ts';
import { prepareTask } from '../config/level.ts';
import { parseConfig } from '../config/schema.ts';
import type { Config } from '../config/slots.ts';
import { loadDraft } from './drafts.ts';
import { forgetOffered, isSameExperiment, loadingIsOver, markLoading, offered } from './safeStart.ts';
import { judged, openShared, setConfig, startFrom, useDraft } from './stores/draft.ts';
import { dismissKind, report, useRun } from './stores/run.ts';
import { look, type View } from './stores/view.ts';

/** “#/runs” is the table of all kept runs, perhaps with a filter after it, “#/trajectories” the logs, “#/check” the check of the device; all else is the lab. */
const PAGES = [
  ['#/runs', 'runs'],
  ['#/traj', 'logs'],
  ['#/lesson/', 'lesson'],
  ['#/lessons', 'lessons'],
  ['#/sheet/', 'print'],
  ['#/notes/', 'print'],
  ['#/check', 'check'],
  ['#check', 'check'],
] as const;
const pageNow = (): View['page'] => PAGES.find(([hash]) => location.hash.startsWith(hash))?.[1] ?? 'lab';
const showPage = (): void => look({ page: pageNow() });

/** What reads and writes links; it comes beside the first paint. */
const links = () => import('../config/link.ts');

/** Opens a link as a new draft beside the person's own; a bad one is said in words and changes nothing: false then. */
export async function openLink(text: string): Promise<boolean> {
  const { decodeLink, payloadOf } = await links();
  const shared = decodeLink(payloadOf(text));
  // what was said of the link before does not hold for this one
  for (const kind of ['linkRejected', 'gpuAsked', 'configRejected'] as const) dismissKind(kind);
  if (!shared.ok) {
    report(shared.problem);
    return false;
  }
  const wanted = canonicalJson(shared.value.config);
  const { config: present } = useDraft.getState();
  // the same experiment is the same run, too: its sender is there already
  const config = canonicalJson(present) === wanted ? present : shared.value.config;
  markLoading(config);
  await prepareTask(config);
  // the words of the experiment of ours that it comes from, however the link was made
  const { nearestPreset } = await import('../config/nearestPreset.ts');
  const { takeShared } = await import('./share/shownMoment.ts');
  takeShared({ ...shared.value, config });
  openShared({ ...shared.value, config }, config === present ? undefined : nearestPreset(config));
  const { sweep } = shared.value;
  if (sweep) (await import('./sweeps/compareStore.ts')).openShared(sweep);
  // a run that trains stays; the experiment is loaded by the next reset
  if (useRun.getState().update > 0 || config === present) loadingIsOver();
  const refusal = (await judged())?.refusalOfLink(config);
  if (refusal) report(refusal);
  return true;
}

/** Opens the link in the address; `dead`: the experiment that the page before died of is not opened again by itself. */
export async function openAddress(dead: Config | null = null): Promise<void> {
  showPage();
  const { hash } = location;
  if (!/[?&#]x=/.test(hash)) return;
  // what was to be written there belongs to the draft before
  clearTimeout(addressTimer);
  const { decodeLink, payloadOf } = await links();
  const shared = decodeLink(payloadOf(hash));
  // the address of the draft itself (a reload) is no link from someone else; one with a moment leads there, even for its sender
  const isMine =
    shared.ok &&
    !shared.value.moment &&
    !shared.value.expect &&
    !shared.value.sweep &&
    canonicalJson(shared.value.config) === canonicalJson(useDraft.getState().config);
  if (isMine || (shared.ok && isSameExperiment(shared.value.config, dead))) return;
  await openLink(hash);
}

/** What a page died of is loaded all the same: as the person's draft where it was that, or beside it. */
export async function loadOffered(): Promise<void> {
  const [config, { config: own }] = [await offered(), await loadDraft()];
  forgetOffered();
  dismissKind('loadCrashed');
  if (!config) return;
  if (isSameExperiment(config, own)) setConfig(config);
  else openShared({ config }, undefined);
}

const QUIET_MS = 500;
let committed: Config | null = null;

/** The experiment on the screen is run: the next change makes a new entry. */
export function commit(): void {
  committed = useDraft.getState().config;
}

let addressTimer: ReturnType<typeof setTimeout> | undefined;

/**
 * The address follows the draft after half a second of quiet, so that it can be copied or reloaded. The first change
 * after a run makes a new entry: Back returns to the experiment that was run, not to each move of a slider.
 */
export function followInAddress(): void {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => void writeAddress(), QUIET_MS);
}

async function writeAddress(): Promise<void> {
  const { hash } = location;
  const { linkFragment } = await links();
  const { config, own, base, baseTitle } = useDraft.getState();
  // an address that came meanwhile is a link to open, or another page
  if (own !== null || pageNow() !== 'lab' || location.hash !== hash) return;
  const isNew = committed !== null && committed !== config;
  const entry: Entry = { mine: true, base, baseTitle };
  history[isNew ? 'pushState' : 'replaceState'](entry, '', linkFragment({ config }));
  if (isNew) committed = null;
}

/** What the browser keeps beside an address of the draft: the experiment that its changes are told against. */
export type Entry = { readonly mine: true; readonly base: Config; readonly baseTitle: string };

export async function goBack(event: PopStateEvent): Promise<void> {
  const entry = event.state as Entry | null;
  showPage();
  if (entry?.mine !== true) {
    await openAddress();
    // the lab without an experiment in its address, or with a link that cannot be opened: that of the draft
    return followInAddress();
  }
  const { decodeLink, payloadOf } = await links();
  const shared = decodeLink(payloadOf(location.hash));
  // from the runs back to the draft as it is: nothing is to be loaded
  if (!shared.ok || canonicalJson(shared.value.config) === canonicalJson(useDraft.getState().config)) return;
  startAt(entry);
  setConfig(shared.value.config);
}

/** Changes are told against the experiment of an entry again. */
export function startAt(entry: Entry | null): void {
  const base = entry?.mine === true ? parseConfig(entry.base) : null;
  if (!base?.ok) return;
  startFrom(base.value, entry!.baseTitle);
  void nameAsNow(base.value, entry!.baseTitle).catch(() => undefined);
}

/** An experiment of the lab has its name of today, whatever an older version of the page has kept. */
async function nameAsNow(base: Config, title: string): Promise<void> {
  const { presetConfig, presets } = await import('../config/presets.ts');
  if (presets.some((p) => p.title === title)) return;
  const wanted = canonicalJson(base);
  const preset = presets.find((p) => canonicalJson(presetConfig(p)) === wanted);
  if (preset && useDraft.getState().base === base) useDraft.setState({ baseTitle: preset.title });
}
