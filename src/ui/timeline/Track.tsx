import type { Mark } from '../../worker/protocol.ts';

type Props = {
  marks: readonly Mark[];
  changes: readonly { readonly update: number }[];
  forkedAt: number;
  update: number;
  updates: number;
  past: number | null;
};

/** The run as a line: what is done, checkpoints as ticks (special ones taller), changes as flags. A picture of the list below. */
export function Track({ marks, changes, forkedAt, update, updates, past }: Props) {
  const at = (u: number): string => `${(100 * u) / Math.max(1, updates)}%`;
  const isSpecial = ({ reasons }: Mark): boolean =>
    reasons.some(({ kind }) => kind === 'best' || kind === 'alarm' || kind === 'fork');
  return (
    <div className="marks" aria-hidden>
      {past !== null && <div className="trackahead" style={{ left: at(past), width: at(update - past) }} />}
      {marks.map((mark) => (
        <i key={mark.update} className={isSpecial(mark) ? 'special' : ''} style={{ left: at(mark.update) }} />
      ))}
      {changes.map((change) => (
        <b key={change.update} style={{ left: at(change.update) }} />
      ))}
      {forkedAt > 0 && <span className="trackfork" style={{ left: at(forkedAt) }} />}
    </div>
  );
}
