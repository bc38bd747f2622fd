import { useMemo } from 'react';
import { css, viridis } from '../color.ts';
import { count, percent } from '../format.ts';
import { useRunConfig } from '../session.ts';
import { worldOf } from '../stage/world.ts';
import { confusionOf, stretchesIn, summaryOf, type Confusion } from './confusion.ts';
import { Figure } from './Figure.tsx';
import { WIDTH } from './frame.ts';
import { useShown } from './useShown.ts';

const DOC =
  'Each stretch of steps under one choice of a subgoal, in the newest batch shown: the row is what was chosen, the column which subgoal came to hold first before the next choice. Brightness and number: share of the row. On the diagonal a subgoal means what it says; a bright column off it is what happens whatever is chosen. Stretches whose subgoal held already when it was chosen are left out of the shares and counted in the table.';
const ROW = 22;
const LEFT = 118;
const TOP = 20;
/** Letters of a name that fit beside a row. */
const MOST_LETTERS = 16;

/** What the policy set itself against what it brought about. */
export function ConfusionPanel() {
  const shown = useShown();
  const config = useRunConfig();
  const found = useMemo(() => {
    if (!shown || !config || !worldOf(config, shown.levelSeeds[0]!)?.env.aiming) return null;
    const worlds = Array.from(shown.levelSeeds, (seed) => worldOf(config, seed));
    return confusionOf(
      worlds.flatMap((world, i) => (world ? stretchesIn(world, shown, i) : [])),
      worlds.flatMap((world) => world?.env.aiming?.names(world.level) ?? []),
    );
  }, [shown, config]);
  if (!found || found.names.length === 0) return null;
  const { all, meant, none, other, mixed } = summaryOf(found);
  const most = mixed ? `, most often “${mixed.first}” where “${mixed.chosen}” was chosen` : '';
  const told =
    all === 0
      ? 'Every subgoal that was chosen held already.'
      : `Of ${count(all)} choices ${percent(meant / all)} came to hold first, ${percent(other / all)} led to another subgoal first${most}, ${percent(none / all)} to none.`;
  return (
    <Figure
      title="Chosen and reached"
      unit="share of choices"
      doc={DOC}
      sentence={told}
      file="subgoals"
      table={table(found)}
    >
      <Matrix found={found} told={told} />
    </Figure>
  );
}

const shorter = (name: string): string => (name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name);

function Matrix({ found: { names, counts }, told }: { found: Confusion; told: string }) {
  const wide = (WIDTH - LEFT - 4) / (names.length + 1);
  const isRoomy = wide >= 26;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${TOP + names.length * ROW + 4}`}
      role="img"
      aria-label={`Chosen against reached subgoals. ${told}`}
    >
      {[...names.map((_, k) => String(k + 1)), 'none'].map((name, j) => (
        <text key={name} x={LEFT + (j + 0.5) * wide} y={TOP - 6} textAnchor="middle">
          {name}
        </text>
      ))}
      {names.map((name, k) => {
        const all = counts[k]!.reduce((a, b) => a + b, 0);
        const y = TOP + k * ROW;
        return (
          <g key={name}>
            <text x={LEFT - 6} y={y + 15} textAnchor="end">
              <title>{name}</title>
              {`${shorter(name)} ${k + 1}`}
            </text>
            {counts[k]!.map((n, j) => {
              const share = all === 0 ? 0 : n / all;
              return (
                <g key={j}>
                  <rect
                    x={LEFT + j * wide}
                    y={y}
                    width={wide - 1}
                    height={ROW - 1}
                    fill={css(viridis(share))}
                    className={j === k ? 'confusion meant' : 'confusion'}
                  />
                  {isRoomy && n > 0 && (
                    <text
                      x={LEFT + (j + 0.5) * wide}
                      y={y + 15}
                      textAnchor="middle"
                      className={share > 0.6 ? 'confusionshare bright' : 'confusionshare'}
                    >
                      {percent(share)}
                    </text>
                  )}
                </g>
              );
            })}
          </g>
        );
      })}
    </svg>
  );
}

function table({ names, counts, held }: Confusion) {
  return {
    columns: ['chosen', ...names.map((name) => `${name} first`), 'none', 'held already'],
    rows: names.map((name, k) => [name, ...counts[k]!, held[k]!]),
  };
}
