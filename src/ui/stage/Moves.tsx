import { groupsOf } from './commands.ts';
import { directionOf, WINDS } from './directions.ts';

type Props = { names: readonly string[]; possible: readonly boolean[]; isDone: boolean; go: (action: number) => void };

/** A button for every action: ways on a compass, other commands in groups. What is impossible now looks quiet. */
export function Moves({ names, possible, isDone, go }: Props) {
  const groups = groupsOf(names);
  const ways = names.flatMap((name, a) => (directionOf(name) === undefined ? [] : [a]));
  const button = (a: number, style?: { gridArea: string }) => (
    <button
      key={a}
      type="button"
      disabled={isDone}
      className={possible[a] ? undefined : 'unlikely'}
      style={style}
      onClick={() => go(a)}
    >
      {names[a]}
    </button>
  );
  return (
    <>
      {ways.length > 1 && (
        <div className="moves compass" role="group" aria-label="Walk">
          {ways.map((a) => button(a, { gridArea: WINDS[directionOf(names[a]!)!]! }))}
        </div>
      )}
      {groups.map(({ verb, actions }) => {
        const rest = ways.length > 1 ? actions.filter((a) => !ways.includes(a)) : actions;
        if (rest.length === 0) return null;
        return (
          <div key={verb} className="moves" role="group" aria-label={verb === '' ? 'Other actions' : verb}>
            {rest.map((a) => button(a))}
          </div>
        );
      })}
    </>
  );
}
