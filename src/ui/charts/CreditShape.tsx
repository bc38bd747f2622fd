import { value } from '../format.ts';
import { symmetricLimit } from '../color.ts';
import { Histogram } from '../update/Histogram.tsx';
import { Figure } from './Figure.tsx';
import { WIDTH } from './frame.ts';
import { useShown } from './useShown.ts';
import type { Snapshot } from '../../worker/protocol.ts';

/** How often each size of credit was given in the newest shown batch. */
export function CreditShape() {
  const shown = useShown();
  const A: number[] = [];
  if (shown) {
    for (let i = 0; i < shown.B; i++) for (let t = 0; t < shown.length[i]!; t++) A.push(shown.A[i * shown.T + t]!);
  }
  return (
    <Figure
      title="Distribution of credit"
      unit="A"
      doc="Advantages of the real steps of the newest batch shown."
      sentence=""
      file="credit"
      table={null}
    >
      {A.length > 0 ? (
        <Histogram title="Advantage A" values={A} signedFrom={0} limit={symmetricLimit(A)} />
      ) : (
        <p className="quiet empty">Appears with the first batch.</p>
      )}
    </Figure>
  );
}

/** Mean entropy of each decided word of a command: [decision] of mean and how many steps made it. */
export function wordEntropies({ written, length, B, T }: Pick<Snapshot, 'written' | 'length' | 'B' | 'T'>) {
  if (!written) return [];
  const K = written.decisions;
  const sums = Array.from({ length: K }, () => ({ total: 0, n: 0 }));
  for (let i = 0; i < B; i++) {
    for (let k = i * T; k < i * T + length[i]!; k++) {
      const made = written.commands[written.command[k]!]!.decided.filter(Boolean).length;
      for (let d = 0; d < Math.min(made, K); d++) {
        sums[d]!.total += written.entropy[k * K + d]!;
        sums[d]!.n++;
      }
    }
  }
  return sums.filter(({ n }) => n > 0).map(({ total, n }) => ({ mean: total / n, n }));
}

const HIGH = 18;

/** Entropy by word, where actions are written; nothing elsewhere. */
export function WordPanel() {
  const shown = useShown();
  const words = shown ? wordEntropies(shown) : [];
  if (words.length === 0) return null;
  const most = Math.max(...words.map((w) => w.mean)) || 1;
  const told = words.map((w, d) => `decision ${d + 1}: ${value(w.mean)} nats`).join(', ');
  return (
    <Figure
      title="Entropy by word"
      unit="nats"
      doc="Mean entropy of the first, second, … word chosen in a command, newest batch shown."
      sentence={`${told}.`}
      file="words"
      table={{ columns: ['decision', 'entropy', 'steps'], rows: words.map((w, d) => [d + 1, value(w.mean), w.n]) }}
    >
      <svg viewBox={`0 0 ${WIDTH} ${words.length * HIGH + 4}`} role="img" aria-label={told}>
        {words.map((w, d) => (
          <g key={d}>
            <text x={76} y={d * HIGH + 13} textAnchor="end">
              word {d + 1}
            </text>
            <rect className="tall" x={82} y={d * HIGH + 3} height={HIGH - 6} width={(220 * w.mean) / most} />
            <text x={88 + (220 * w.mean) / most} y={d * HIGH + 13}>
              {value(w.mean)}
            </text>
          </g>
        ))}
      </svg>
    </Figure>
  );
}
