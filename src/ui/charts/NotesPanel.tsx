import { useState } from 'react';
import { getValue } from '../../config/schema.ts';
import { wilsonInterval } from '../../core/math/wilson.ts';
import type { FactRow, NotesResult } from '../../worker/protocol.ts';
import { percent, value } from '../format.ts';
import { useWholeConfig } from '../session.ts';
import { Ask, Pick } from './Ask.tsx';
import { Figure } from './Figure.tsx';
import { RIGHT, WIDTH } from './frame.ts';
import './probes.css';
import { useMeasurement } from './useMeasurement.ts';
import { Ticks } from './Ticks.tsx';

const DOC =
  'The same episodes three times, with the same draws: as they are, with what another episode kept step by step, and with nothing kept. A policy that lives by its notes does no better with those of others than by chance. Below, in bits, what notes share with what was so when they were written, and what is kept at the last step: corrected for bias (Miller–Madow). The line is the entropy of the fact, the most that can be told; the cross is what one in twenty shuffles exceeds, in which notes and facts of different episodes are paired.';
const SIZES = [256, 512, 1024] as const;
const ROW = 19;
const LEFT = 150;
const TOP = 16;

/** Does the policy read what it writes, and what do its notes say? Only where it can write. */
export function NotesPanel() {
  const config = useWholeConfig();
  return config && getValue(config, 'task.notes.on') === true ? <Panel /> : null;
}

function Panel() {
  const [n, setN] = useState<number>(SIZES[1]);
  const { done, answers, start, stop } = useMeasurement('notes');
  const answer = answers.at(-1);
  const found = answer?.notes ?? null;
  const told = found
    ? tell(found, answer!.update)
    : (answer?.why ?? 'Plays episodes with notes that are exchanged and taken away; the run continues meanwhile.');
  return (
    <Figure
      title="Does it read what it writes?"
      unit="success, and bits told"
      doc={DOC}
      sentence={told}
      file="notes"
      table={found && table(found)}
    >
      <Ask label="Exchange the notes" done={done} start={() => start(n)} stop={stop}>
        <Pick label="episodes" options={SIZES} at={n} set={setN} off={done !== null} />
      </Ask>
      {found && <Successes found={found} />}
      {found && found.rows.length > 0 && <Bits rows={found.rows} />}
      {found && found.meanings.length > 0 && <p className="quiet">{meaningWords(found)}</p>}
    </Figure>
  );
}

type Arm = { readonly name: string; readonly won: number };

function armsOf({ own, others, none, isStore }: NotesResult): Arm[] {
  const what = isStore ? 'store' : 'notes';
  return [
    { name: `its own ${what}`, won: own },
    ...(others === null ? [] : [{ name: `${what} of others`, won: others }]),
    { name: isStore ? 'an empty store' : 'no notes', won: none },
  ];
}

/** The interval of each arm, at 95 %. */
const boundsOf = ({ episodes }: NotesResult, won: number): readonly [number, number] => wilsonInterval(won, episodes);

function tell(found: NotesResult, update: number): string {
  const { own, others, none, episodes, isStore, isOfLevel, written, rows, row } = found;
  const share = (won: number): string => percent(won / episodes);
  const level = isOfLevel ? ' on the same level' : '';
  const exchanged =
    others === null ? '' : ` ${share(others)} with ${isStore ? 'what' : 'those that'} another one kept${level},`;
  const isRead = boundsOf(found, own)[0] > boundsOf(found, others ?? none)[1];
  const verdict = isRead
    ? `It lives by ${isStore ? 'its store' : 'its notes'}.`
    : `Nothing shows that it reads ${isStore ? 'its store' : 'its notes'}.`;
  const best = rows[row];
  const tells = best
    ? ` ${nameOf(best)}, ${value(best.bits)} of ${value(best.entropy)} bits.`
    : ' What is written tells nothing beyond chance.';
  const begins = `After ${update} updates ${share(own)} of ${episodes} episodes succeed with ${isStore ? 'what they keep' : 'their own notes'},`;
  return `${begins}${exchanged} ${share(none)} with nothing kept. ${verdict} Notes an episode: ${value(written)}.${tells}`;
}

const FACT_WORDS: Readonly<Record<FactRow['what'], string>> = {
  place: 'own place',
  holding: 'what it found',
  goal: 'place of the goal',
  answer: 'true answer',
};

const nameOf = ({ nth, what }: FactRow): string => `${nth === 0 ? 'At the end' : `Note ${nth}`}: ${FACT_WORDS[what]}`;

function Successes({ found }: { found: NotesResult }) {
  const arms = armsOf(found);
  const x = (share: number): number => LEFT + share * (WIDTH - LEFT - RIGHT);
  const bottom = TOP + arms.length * ROW;
  const told = arms.map(({ name, won }) => `${name}: ${percent(won / found.episodes)}`).join(', ');
  return (
    <svg viewBox={`0 0 ${WIDTH} ${bottom + 18}`} role="img" aria-label={`Success. ${told}.`}>
      <Ticks at={[0, 0.5, 1]} x={x} from={TOP - 6} to={bottom} words={percent} />
      {arms.map(({ name, won }, j) => {
        const y = TOP + j * ROW + 4;
        const [low, high] = boundsOf(found, won);
        return (
          <g key={name}>
            <text x={LEFT - 8} y={y + 4} textAnchor="end">
              {name}
            </text>
            <path className="bar" d={`M${x(low)} ${y}H${x(high)}`} />
            <circle className="dot" cx={x(won / found.episodes)} cy={y} r="4" />
          </g>
        );
      })}
    </svg>
  );
}

function Bits({ rows }: { rows: readonly FactRow[] }) {
  const largest = Math.max(0.1, ...rows.map(({ entropy, bits }) => Math.max(entropy, bits)));
  const most = Math.ceil(10 * largest - 0.1) / 10;
  const x = (bits: number): number => LEFT + (Math.max(0, bits) / most) * (WIDTH - LEFT - RIGHT);
  const bottom = TOP + rows.length * ROW;
  const told = rows.map((row) => `${nameOf(row)}: ${value(row.bits)} of ${value(row.entropy)} bits`).join(', ');
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${bottom + 18}`} role="img" aria-label={`Bits that notes tell. ${told}.`}>
        <Ticks at={[0, most / 2, most]} x={x} from={TOP - 6} to={bottom} words={(bits) => value(bits)} />
        {rows.map((row, j) => {
          const y = TOP + j * ROW + 4;
          const at = x(row.chance);
          return (
            <g key={nameOf(row)}>
              <text x={LEFT - 8} y={y + 4} textAnchor="end">
                {nameOf(row)}
              </text>
              <path className="bar" d={`M${x(0)} ${y}H${x(row.bits)}`} />
              <path className="probemark untrained" d={`M${x(row.entropy)} ${y - 5}V${y + 5}`} />
              <path className="probemark" d={`M${at - 3} ${y - 3}l6 6M${at + 3} ${y - 3}l-6 6`} />
              <circle className="dot" cx={x(row.bits)} cy={y} r="4" />
            </g>
          );
        })}
      </svg>
      <p className="keyline probekey">
        <span>
          <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden className="probesign">
            <circle className="dot" cx="6" cy="6" r="4" />
          </svg>
          bits told
        </span>
        <span>
          <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden className="probesign">
            <path className="probemark untrained" d="M6 1V11" />
          </svg>
          all there is to tell
        </span>
        <span>
          <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden className="probesign">
            <path className="probemark" d="M3 3l6 6M9 3l-6 6" />
          </svg>
          shuffled pairs
        </span>
      </p>
    </>
  );
}

/** What each note means: the value that goes with it most often. */
function meaningWords({ meanings, rows, row, isStore }: NotesResult): string {
  const { nth, what } = rows[row]!;
  const when = nth === 0 ? 'at the end' : `in note ${nth}`;
  const told = meanings.map(({ note, value, with: n, of }, k) => {
    const name = isStore
      ? note === ''
        ? 'an empty store'
        : `content ${k + 1}`
      : note === ''
        ? 'no note'
        : `“${note}”`;
    return `${name} goes with ${value} in ${n} of ${of}`;
  });
  return `Of ${FACT_WORDS[what]}, ${when}: ${told.join('; ')}.`;
}

function table(found: NotesResult) {
  return {
    columns: ['what', 'episodes', 'measured', 'low or shuffled', 'high or most'],
    rows: [
      ...armsOf(found).map(({ name, won }) => {
        const [low, high] = boundsOf(found, won);
        return [`success with ${name}`, found.episodes, value(won / found.episodes), value(low), value(high)];
      }),
      ...found.rows.map((row) => [
        `bits, ${nameOf(row).toLowerCase()}`,
        row.episodes,
        value(row.bits),
        value(row.shuffled),
        value(row.entropy),
      ]),
    ],
  };
}
