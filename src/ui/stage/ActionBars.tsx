import type { Snapshot } from '../../worker/protocol.ts';
import { credit } from '../credit/sentences.ts';
import { percent, signed, value } from '../format.ts';

type Props = { snapshot: Snapshot; trajectory: number; step: number };

/** Actions that get their own bar: all of them, or the most likely ones and the one taken where there are many. */
const MOST = 8;
const SHOWN = 6;
export function barsOf(probs: readonly number[], taken: number): number[] {
  const all = probs.map((_, a) => a);
  if (all.length <= MOST) return all;
  const rank = (a: number): number => (a === taken ? Infinity : probs[a]!);
  const chosen = [...all].sort((a, b) => rank(b) - rank(a) || a - b).slice(0, SHOWN);
  return chosen.sort((a, b) => a - b);
}

/** A space as wide as a figure: numbers that change begin where they began. */
const FIGURE = '\u2007';

/** How likely each action was at the selected step, which one was taken, and what it was worth. */
export function ActionBars({ snapshot, trajectory: i, step: t }: Props) {
  const { actions, T } = snapshot;
  const length = snapshot.length[i]!;
  const isEnd = t >= length;
  const k = i * T + t;
  const taken = isEnd ? -1 : snapshot.action[k]!;
  const p = (a: number): number => (isEnd ? 0 : snapshot.probs[k * actions.length + a]!);
  const shown = barsOf(
    actions.map((_, a) => p(a)),
    taken,
  );
  const rest = shown.reduce((left, a) => left - p(a), 1);
  return (
    <div className={actions.length > MOST ? 'bars many' : 'bars'}>
      <h3>{isEnd ? 'The end of the episode' : `Step ${t + 1}: the agent ${saidOf(snapshot, k, taken)}`}</h3>
      {!isEnd && snapshot.written && <WordByWord written={snapshot.written} step={k} />}
      {/* named by their rows: where others are the likeliest at the next step, the words change and nothing moves */}
      {shown.map((a, row) => (
        <div key={row} className={a === taken ? 'bar taken' : 'bar'}>
          <span>{actions[a]}</span>
          <span className="track" aria-hidden>
            <span style={{ width: `${p(a) * 100}%` }} />
          </span>
          <span className="number">{isEnd ? '–' : percent(p(a)).padStart(5, FIGURE)}</span>
        </div>
      ))}
      {shown.length < actions.length && (
        <p className="quiet">
          {actions.length - shown.length} other actions{isEnd ? '' : `: ${percent(Math.max(0, rest))} together`}.
        </p>
      )}
      <dl className="number">
        <Fact name="Credit" text={isEnd ? '–' : credit(snapshot.A[k]!)} />
        {snapshot.exact && <Fact name="Exact" text={isEnd ? '–' : credit(snapshot.exact[k]!)} />}
        <Fact name="Reward" text={isEnd ? '–' : signed(snapshot.reward[k]!)} />
        {snapshot.judged && (
          <Fact name="Reward, as the estimator sees it" text={isEnd ? '–' : credit(snapshot.judged.reward[k]!)} />
        )}
        <Fact name="Entropy" text={isEnd ? '–' : `${value(Number(snapshot.entropy[k]!.toFixed(3)))} nats`} />
      </dl>
    </div>
  );
}

/** What the agent did, also when what it wrote was no command. */
function saidOf({ actions, written }: Snapshot, k: number, taken: number): string {
  const name = actions[taken];
  if (name !== undefined) return `chose ${name}`;
  const words = written?.commands[written.command[k]!]?.words.filter((word) => word !== '<stop>') ?? [];
  return `wrote “${words.join(' ')}”, which is not a command`;
}

/** Each word with the probability it had when it was written; words that were certain have none. */
function WordByWord({ written, step }: { written: NonNullable<Snapshot['written']>; step: number }) {
  const { words, decided } = written.commands[written.command[step]!]!;
  const parts = words.map((word, k) => {
    if (!decided[k]) return { word, chance: '', entropy: '', worth: '' };
    // decisions are counted, certain words are not
    const at = step * written.decisions + decided.slice(0, k).filter(Boolean).length;
    return {
      word,
      chance: percent(Math.exp(written.logp[at]!)),
      entropy: `${value(Number(written.entropy[at]!.toFixed(3)))} nats`,
      worth: written.A ? `, credit ${credit(written.A[at]!)}` : '',
    };
  });
  return (
    <p className="wordbyword">
      Word by word:{' '}
      {parts
        .filter(({ word, chance }) => word !== '<stop>' || chance !== '')
        .map(({ word, chance, entropy, worth }, k) => (
          <span key={k} className="word" title={chance && `entropy ${entropy}${worth}`}>
            {word === '<stop>' ? '(end)' : word}
            {chance && <small> {chance}</small>}
          </span>
        ))}
    </p>
  );
}

function Fact({ name, text }: { name: string; text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{text}</dd>
    </div>
  );
}
