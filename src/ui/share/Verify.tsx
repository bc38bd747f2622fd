import { create } from 'zustand';
import type { Expect } from '../../config/expect.ts';
import { canonicalJson } from '../../config/canonical.ts';
import { configWith } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { PATHS } from '../../core/trainedOn.ts';
import { seedCountOf } from '../../lab/runs/summary.ts';
import { compared, neverEqual, type Known } from '../../lab/runs/foreign.ts';
import { columnOfFile, columnOfParts, type KnownCurves } from '../../lab/runs/filed.ts';
import { verdictWords, type Verdict } from '../../lab/runs/verify.ts';
import { say } from '../notices/say.ts';
import { nullIfGone } from '../owed.ts';
import { lab } from '../session.ts';
import { useDraft } from '../stores/draft.ts';
import { resultNow, type ResultNow } from './resultNow.ts';
import { useShared } from './shownMoment.ts';
import { trainTo } from './trainTo.ts';

/** What a check has shown, or the sentence of why it shows nothing. */
type Shown = { readonly words: string; readonly environment: readonly string[] };
const shownOf = (verdict: Verdict | string): Shown =>
  typeof verdict === 'string'
    ? { words: verdict, environment: [] }
    : { words: verdictWords(verdict), environment: verdict.environment };

/** The check of the result that is open; `of` is what it belongs to. */
const useCheck = create<{ readonly of: Expect | null; readonly verdict: Shown | 'training' | 'ended' }>(() => ({
  of: null,
  verdict: 'ended',
}));

/** The experiment wherever it trains: a result of a GPU can be compared on a machine without one. */
const anywhere = (config: Config): Config => configWith({ 'run.backend': 'auto' }, config);

const UNREADABLE = 'The numbers of the bundle cannot be read any more. Open it again to verify it.';

/** A file that the browser holds may be gone. */
function toldIfUnreadable(error: unknown): string {
  if (error instanceof DOMException) return UNREADABLE;
  throw error;
}

/** The numbers of a bundle and those of the run on the page, as files; null where that run has gone. */
async function knownOf(curves: KnownCurves, { config, expect }: ResultNow): Promise<Known | null> {
  const here = await lab().columns().catch(nullIfGone);
  const { updates } = expect.summary;
  if (here?.steps.length !== updates) return null;
  const own = { S: seedCountOf(config), updates, file: here.file };
  return {
    foreign: curves.foreign,
    both: async (metric) => [await columnOfParts(curves.parts, metric), await columnOfFile(own, metric)],
  };
}

/** Trains the experiment again and compares. */
async function verify(expected: Expect, curves: KnownCurves | null): Promise<void> {
  useCheck.setState({ of: expected, verdict: 'training' });
  const { updates } = expected.summary;
  const reached = await trainTo(updates);
  const result = reached ? await resultNow() : null;
  if (useCheck.getState().of !== expected) return;
  if (result?.expect.summary.updates !== updates) return useCheck.setState({ verdict: 'ended' });
  const known = curves && (await knownOf(curves, result));
  if (curves && !known) return useCheck.setState({ verdict: 'ended' });
  const verdict = shownOf(await compared(expected, known, result).catch(toldIfUnreadable));
  if (useCheck.getState().of !== expected) return;
  useCheck.setState({ verdict });
  say(verdict.words);
}

/** The result that came with what is open: train it again, and see whether the same comes out. */
export function Verify() {
  const { config: shared, expect, curves } = useShared();
  const isOpen = useDraft((d) => d.own !== null);
  const config = useDraft((d) => d.config);
  const { of, verdict } = useCheck();
  if (!shared || !expect || !isOpen) return null;
  const { updates } = expect.summary;
  const mine = of === expect ? verdict : 'ended';
  const why = curves && neverEqual(curves.foreign);
  const isSame = config === shared || canonicalJson(anywhere(config)) === canonicalJson(anywhere(shared));
  return (
    <div className="verify">
      <p>
        It comes with its result after {updates === 1 ? '1 update' : `${updates} updates`} on {PATHS[expect.backend]}.{' '}
        {why ? (
          why
        ) : isSame ? (
          <button
            type="button"
            disabled={mine === 'training'}
            onClick={() => void verify(expect, curves)}
            title="Trains the experiment again and compares every bit"
          >
            {mine === 'training' ? 'Training again …' : 'Verify'}
          </button>
        ) : (
          'The settings have been changed since, so there is nothing to compare.'
        )}
      </p>
      {typeof mine === 'object' && (
        <div role="status">
          <p>
            <strong>{mine.words}</strong>
          </p>
          {mine.environment.map((sentence) => (
            <p key={sentence} className="quiet">
              {sentence}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
