import { problemText } from '../../config/problems.ts';
import { getValue } from '../../config/schema.ts';
import { metricIndex } from '../../slots/metrics/metrics.ts';
import { newestSeries } from '../frames.ts';
import { lab, reset, runConfig, step } from '../session.ts';
import { linkOf } from '../share/linkOf.ts';
import { shownNow } from '../stage/shown.ts';
import { showNow, useTimeline } from '../timeline/timelineStore.ts';
import { useDraft } from '../stores/draft.ts';
import { useRun } from '../stores/run.ts';
import { look, select } from '../stores/view.ts';
import { beginEmbed } from './begin.ts';
import { setEmbed, useEmbed } from './embedStore.ts';
import { bring, metricsOf } from './experiment.ts';
import type { FromHost, StateNow, ToHost } from './protocol.ts';
import { rest, runInSight } from './sight.ts';

/** Why something is not done: a short name for programs, and a sentence. */
class Refusal extends Error {
  readonly id: string;
  constructor(id: string, words: string) {
    super(words);
    this.id = id;
  }
}

export function stateNow(ignored: number): StateNow {
  const { state, update, updates } = useRun.getState();
  const { title, baseTitle } = useDraft.getState();
  const { isSeen, waitsForSight } = useEmbed.getState();
  return { state, update, updates, experiment: title || baseTitle, isSeen, waitsForSight, ignored };
}

/** Mean over the seeds of the newest values of the curves that the frame is asked for. */
export function metricsNow(): { readonly update: number; readonly values: Record<string, number | null> } {
  const series = newestSeries.get();
  const of = (metric: number): number | null => {
    if (!series || series.points === 0) return null;
    const at = (s: number): number => series.values[(metric * series.S + s + 1) * series.points - 1]!;
    const mean = Array.from({ length: series.S }, (_, s) => at(s)).reduce((a, b) => a + b, 0) / series.S;
    return Number.isFinite(mean) ? mean : null;
  };
  const { metrics } = useEmbed.getState();
  return {
    update: useRun.getState().update,
    values: Object.fromEntries(metrics.map((id) => [id, of(metricIndex[id])])),
  };
}

export async function digestNow(): Promise<{ config: string; result: string; update: number }> {
  const { config, result, update } = await lab().digest();
  return { config, result, update };
}

/** Does what the host asks; the answer, or why it was not done. */
export async function obey(message: FromHost, ignored: number): Promise<ToHost> {
  const { re } = message;
  try {
    if (message.type === 'get')
      return { type: 'state', re, what: message.what, value: await got(message.what, ignored) };
    await act(message);
    return { type: 'state', re, what: 'state', value: stateNow(ignored) };
  } catch (error) {
    if (error instanceof Refusal) return { type: 'error', re, id: error.id, text: error.message };
    return {
      type: 'error',
      re,
      id: 'unexpected',
      text: error instanceof Error ? error.message.slice(0, 500) : 'It failed.',
    };
  }
}

async function act(message: FromHost): Promise<void> {
  switch (message.type) {
    case 'load':
      return load(message.payload);
    case 'run':
      return runInSight();
    case 'pause':
      return rest();
    case 'step':
      return oneStep(message.slot);
    case 'seek':
      return seek(message.update);
    case 'select':
      return choose(message.trajectory, message.step);
    case 'view':
      return show(message);
    default:
  }
}

async function load(payload: string): Promise<void> {
  if (useEmbed.getState().options.readonly)
    throw new Refusal('readonly', 'This frame shows one experiment only: its address says readonly=1.');
  const problem = await bring(payload);
  if (problem) {
    const { title, sentence } = problemText(problem);
    throw new Refusal(problem.kind, `${title}: ${sentence}`);
  }
  // one that is not in sight yet begins with this experiment; one that could not show its own can show this
  setEmbed({ x: payload, trouble: null });
  if (useEmbed.getState().hasBegun) await reset();
  else if (useEmbed.getState().isSeen) await beginEmbed();
}

function hasBegun(): void {
  if (!useEmbed.getState().hasBegun)
    throw new Refusal('notSeen', 'The frame has not been in sight yet, so that nothing is loaded.');
}

async function oneStep(slot: string | undefined): Promise<void> {
  hasBegun();
  if (slot !== undefined)
    throw new Refusal('slotNotShown', 'A frame does not show the inside of an update; step without a slot makes one.');
  if (useRun.getState().state === 'running')
    throw new Refusal('isRunning', 'It trains; pause it before a single step.');
  await step();
}

async function seek(update: number): Promise<void> {
  hasBegun();
  if (update === useRun.getState().update) return showNow();
  const mark = useTimeline.getState().marks.findLast((m) => m.update <= update);
  if (!mark || update > useRun.getState().update) throw new Refusal('notTrained', `Update ${update} is not kept.`);
  const { lookAt } = await import('../timeline/story.ts');
  await lookAt(mark.update);
}

function choose(trajectory: number, to: number): void {
  const snapshot = shownNow();
  if (!snapshot) throw new Refusal('noBatch', 'There are no episodes before the first update.');
  if (trajectory >= snapshot.B || to > snapshot.length[trajectory]!)
    throw new Refusal('noSuchStep', `There are ${snapshot.B} episodes, and this one may be shorter than step ${to}.`);
  select(trajectory, to);
}

function show({ overlay, replica, theme, metrics, updatesPerSecond }: Extract<FromHost, { type: 'view' }>): void {
  const known = metrics && metricsOf(metrics);
  if (known && 'unknown' in known) throw new Refusal('noSuchMetric', `There is no metric “${known.unknown}”.`);
  const seeds = (getValue(runConfig() ?? useDraft.getState().config, 'run.seeds') as number) ?? 1;
  if (replica !== undefined && replica >= seeds) throw new Refusal('noSuchSeed', `The run has ${seeds} seeds, from 0.`);
  if (known) setEmbed({ metrics: known });
  if (theme) setEmbed({ options: { ...useEmbed.getState().options, theme } });
  look({
    ...(overlay && { overlay }),
    ...(replica !== undefined && { replica }),
    ...(updatesPerSecond !== undefined && { pace: updatesPerSecond }),
  });
}

type Answer = Extract<ToHost, { type: 'state' }>['value'];

async function got(what: Extract<FromHost, { type: 'get' }>['what'], ignored: number): Promise<Answer> {
  if (what === 'state') return stateNow(ignored);
  hasBegun();
  if (what === 'metrics') return metricsNow();
  if (what === 'link') return linkOf();
  return what === 'digest' ? digestNow() : svgNow();
}

/** The first curve as a file of its own, with the link of its experiment. */
async function svgNow(): Promise<string> {
  const drawing = document.querySelector<SVGSVGElement>('main svg.recharts-surface');
  if (!drawing) throw new Refusal('noSvg', 'Only curves are drawn as SVG; there is none here yet.');
  const { standalone } = await import('../charts/picture.ts');
  const { update } = useRun.getState();
  return standalone(drawing, { title: document.title, caption: `After update ${update}.`, link: linkOf() });
}
