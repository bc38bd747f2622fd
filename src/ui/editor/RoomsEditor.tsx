import { useMemo, useState } from 'react';
import { upper } from '../stage/words.ts';
import type { RoomsKind } from '../../envs/editor.ts';
import { sceneOfGraph } from './lattice.ts';
import {
  addRoom,
  exitOf,
  GOALS,
  parseGraph,
  removeRoom,
  renameRoom,
  setExit,
  writeGraph,
  type Graph,
} from './rooms.ts';
import { Choice } from './Choice.tsx';
import { RoomsMap } from './RoomsMap.tsx';

type Props = { text: string; kind: RoomsKind; change: (text: string) => void };

const SAY_GOAL: Readonly<Record<string, string>> = {
  reach: 'reach a room',
  take: 'take a thing',
  bring: 'bring a thing',
};

/** A world of rooms as a form: the chosen room with its exits and things, and the goal; beside it the map. */
export function RoomsEditor({ text, kind, change }: Props) {
  const graph = useMemo(() => parseGraph(text, kind), [text, kind]);
  const { scene, cellOf } = useMemo(() => sceneOfGraph(graph, kind), [graph, kind]);
  const [wanted, setWanted] = useState(graph.start);
  const room = graph.rooms.includes(wanted) ? wanted : (graph.rooms[0] ?? '');
  const set = (next: Graph): void => change(writeGraph(next, kind));
  const { goal } = graph;
  const grow = (direction?: number): void => {
    const next = direction === undefined ? addRoom(graph, kind) : addRoom(graph, kind, room, direction);
    setWanted(next.rooms.at(-1) ?? room);
    set(next);
  };
  const isFull = graph.rooms.length >= kind.names.length;
  return (
    <div className="boardeditor">
      <RoomsMap
        scene={scene}
        chosen={cellOf.get(room) ?? 0}
        choose={(cell) => setWanted([...cellOf].find(([, at]) => at === cell)?.[0] ?? room)}
      />
      <div className="tools">
        <fieldset>
          <legend>Room</legend>
          <Choice label="Edit" value={room} options={graph.rooms} set={setWanted} />
          <Choice
            label="Name"
            value={room}
            options={kind.names.filter((n) => n === room || !graph.rooms.includes(n))}
            set={(name) => {
              set(renameRoom(graph, room, name));
              setWanted(name);
            }}
          />
          <div className="moves">
            <button type="button" aria-pressed={graph.start === room} onClick={() => set({ ...graph, start: room })}>
              Start here
            </button>
            <button type="button" disabled={isFull} onClick={() => grow()}>
              Add a room
            </button>
            <button type="button" disabled={graph.rooms.length < 2} onClick={() => set(removeRoom(graph, room))}>
              Remove {room}
            </button>
          </div>
        </fieldset>
        <fieldset>
          <legend>Exits of {room}</legend>
          {kind.directions.map((name, d) => (
            <Exit key={name} name={name} direction={d} room={room} graph={graph} kind={kind} set={set} grow={grow} />
          ))}
        </fieldset>
        <fieldset>
          <legend>Things</legend>
          {kind.colors.map((color) => (
            <Placed
              key={color}
              label={`${upper(color)} key`}
              at={graph.keys[color]}
              rooms={graph.rooms}
              set={(to) => set({ ...graph, keys: put(graph.keys, color, to) })}
            />
          ))}
          {kind.items.map((item) => (
            <Placed
              key={item}
              label={upper(item)}
              at={graph.items[item]}
              rooms={graph.rooms}
              set={(to) => set({ ...graph, items: put(graph.items, item, to) })}
            />
          ))}
        </fieldset>
        <fieldset>
          <legend>Goal</legend>
          <Choice
            label="Task"
            value={goal.kind}
            options={GOALS}
            say={(kindOfGoal) => SAY_GOAL[kindOfGoal]!}
            set={(next) => set({ ...graph, goal: { ...goal, kind: next } })}
          />
          {goal.kind !== 'reach' && (
            <Choice
              label="Thing"
              value={goal.item}
              options={kind.items}
              set={(item) => set({ ...graph, goal: { ...goal, item } })}
            />
          )}
          {goal.kind !== 'take' && (
            <Choice
              label="Where"
              value={goal.room}
              options={graph.rooms}
              set={(to) => set({ ...graph, goal: { ...goal, room: to } })}
            />
          )}
        </fieldset>
      </div>
    </div>
  );
}

function put(record: Readonly<Record<string, string>>, what: string, room: string): Record<string, string> {
  const rest = Object.entries(record).filter(([name]) => name !== what);
  return Object.fromEntries(room === '' ? rest : [...rest, [what, room]]);
}

function Placed(props: {
  label: string;
  at: string | undefined;
  rooms: readonly string[];
  set: (room: string) => void;
}) {
  const { label, at, rooms, set } = props;
  return <Choice label={label} value={at ?? ''} options={['', ...rooms]} say={(room) => room || 'nowhere'} set={set} />;
}

type ExitProps = {
  name: string;
  direction: number;
  room: string;
  graph: Graph;
  kind: RoomsKind;
  set: (graph: Graph) => void;
  grow: (direction: number) => void;
};
const NEW = '+';

/** One way out of a room: where it leads, and the lock on its door. */
function Exit({ name, direction, room, graph, kind, set, grow }: ExitProps) {
  const exit = exitOf(graph, room, direction);
  const others = graph.rooms.filter((r) => r !== room);
  const more = graph.rooms.length < kind.names.length ? [NEW] : [];
  const say = (to: string): string => (to === '' ? 'wall' : to === NEW ? 'a new room' : to);
  return (
    <div className="exit">
      <Choice
        label={upper(name)}
        value={exit?.to ?? ''}
        options={['', ...others, ...more]}
        say={say}
        set={(to) =>
          to === NEW ? grow(direction) : set(setExit(graph, room, direction, to || null, exit?.color ?? null))
        }
      />
      {exit && (
        <Choice
          label={`Door ${name}`}
          value={exit.color ?? ''}
          options={['', ...kind.colors]}
          say={(color) => (color === '' ? 'open' : `${color} lock`)}
          set={(color) => set(setExit(graph, room, direction, exit.to, color || null))}
        />
      )}
    </div>
  );
}
