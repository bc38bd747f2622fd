import { create } from 'zustand';
import type { Expect } from '../../config/expect.ts';
import { canonicalJson } from '../../config/canonical.ts';
import { configWith } from '../../config/schema.ts';
import type { Config } from '../../config/slots.ts';
import { episodesOf, expectOf, seedCountOf, type Curves } from '../../lab/runs/summary.ts';
import { verdictOf, verdictWords, type Verdict } from '../../lab/runs/verify.ts';
import { say } from '../notices/say.ts';
import { useDraft } from '../stores/draft.ts';
import { resultNow } from './resultNow.ts';
import { useShared } from './shownMoment.ts';
import { trainTo } from './trainTo.ts';

/** The check of the result that is open; `of` is what it belongs to. */
const useCheck = create<{ readonly of: Expect | null; readonly verdict: Verdict | 'training' | 'ended' }>(() => ({
  of: null,
  verdict: 'ended',
}));

/** The experiment wherever it trains: a result of a GPU can be compared on a machine without one. */
const anywhere = (config: Config): Config => configWith({ 'run.backend': 'auto' }, config);

/** Trains the experiment again and compares. */
async function verify(config: Config, expected: Expect, curves: Curves | null): Promise<void> {
  useCheck.setState({ of: expected, verdict: 'training' });
  const { updates } = expected.summary;
  const reached = await trainTo(updates);
  const result = reached ? await resultNow() : null;
  if (useCheck.getState().of !== expected) return;
  if (!result || result.curves.part.steps.length !== updates) return useCheck.setState({ verdict: 'ended' });
  const verdict = verdictOf(
    expected,
    expectOf(result),
    episodesOf(config) * seedCountOf(config),
    curves && [curves, result.curves],
  );
  useCheck.setState({ verdict });
  say(verdictWords(verdict));
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
  const isSame = config === shared || canonicalJson(anywhere(config)) === canonicalJson(anywhere(shared));
  return (
    <div className="verify">
      <p>
        It comes with its result after {updates === 1 ? '1 update' : `${updates} updates`} on{' '}
        {expect.backend === 'cpu' ? 'the CPU path' : 'WebGPU'}.{' '}
        {isSame ? (
          <button
            type="button"
            disabled={mine === 'training'}
            onClick={() => void verify(config, expect, curves)}
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
            <strong>{verdictWords(mine)}</strong>
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
