import type { DecodedMap } from '../../worker/protocol.ts';

/** Maps of levels that were asked about: as they are, and as they are read. */
export function ProbeMaps({ maps, classes }: { maps: readonly DecodedMap[]; classes: readonly string[] }) {
  if (maps.every(({ truth, decoded }) => truth.join() === decoded.join() && classes.length < 2)) return null;
  return (
    <>
      <div className="probemaps">
        {maps.map((map, k) => (
          <figure key={k}>
            <Map map={map} classes={classes} isTrue />
            <Map map={map} classes={classes} isTrue={false} />
            <figcaption>
              {wrongIn(map) === 0
                ? 'all cells told right'
                : `${wrongIn(map)} of ${map.truth.length} ${map.truth.length === 1 ? 'cell' : 'cells'} told wrong`}
            </figcaption>
          </figure>
        ))}
      </div>
      <p className="quiet">
        Left as it is, right as it is read, on levels that nobody learned from. Ring: the agent. Pale: never seen. A
        cross is on what is told wrong.
      </p>
    </>
  );
}

const wrongIn = ({ truth, decoded }: DecodedMap): number =>
  truth.filter((label, cell) => label !== decoded[cell]).length;

const GROUNDS = ['wall', 'floor', 'goal'];

function Map({ map, classes, isTrue }: { map: DecodedMap; classes: readonly string[]; isTrue: boolean }) {
  const { width, truth, decoded, seen } = map;
  const labels = isTrue ? truth : decoded;
  const height = truth.length / width;
  const at = isTrue ? map.agent : map.decodedAgent;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={isTrue ? 'The map as it is' : `The map as it is read: ${wrongIn(map)} cells wrong`}
      className="probemap"
    >
      {labels.map((label, cell) => {
        const [x, y] = [cell % width, Math.floor(cell / width)];
        const name = classes[label]!;
        return (
          <g key={cell} opacity={seen[cell] === 0 ? 0.45 : 1}>
            <rect x={x} y={y} width="1" height="1" className={GROUNDS.includes(name) ? `is-${name}` : 'is-thing'}>
              <title>{name}</title>
            </rect>
            {!isTrue && label !== truth[cell] && (
              <path className="is-wrong" d={`M${x + 0.25} ${y + 0.25}l.5 .5M${x + 0.75} ${y + 0.25}l-.5 .5`} />
            )}
          </g>
        );
      })}
      <circle className="is-agent" cx={(at % width) + 0.5} cy={Math.floor(at / width) + 0.5} r="0.3" />
    </svg>
  );
}
