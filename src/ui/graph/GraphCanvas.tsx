import { useEffect, useMemo, useRef, useState, type PointerEvent } from 'react';
import { CellGrid } from '../stage/CellGrid.tsx';
import { useWidth } from '../stage/useWidth.ts';
import { useIsDark } from '../useTheme.ts';
import { chainMeans, drawGraph, lineMeans } from './drawGraph.ts';
import { fit, geometryOf, held, hit, pictureHeight, reveal, zoom, type Camera, type Hit } from './geometry.ts';
import type { Picture } from './question.ts';

type Props = {
  made: Picture;
  credit: Float32Array;
  limit: number;
  actions: readonly string[];
  path: ReadonlySet<number>;
  focus: Hit | null;
  found: { readonly nodes: ReadonlySet<number>; readonly edges: ReadonlySet<number> } | null;
  summary: string;
  /** the focused state or step in words */
  told: string;
  onPoint: (at: Hit) => void;
  onHover: (at: Hit | null) => void;
  /** true if the key meant something */
  onKey: (key: string) => boolean;
  /** only the buttons for its size: choosing a state brings it into the picture, too */
  isSmall?: boolean;
};

/** Pixels a pointer may move in a click. */
const STILL = 4;

/** The drawing of a graph: drag to move it, buttons and + − 0 for its size, arrow keys walk along its edges. */
export function GraphCanvas(props: Props) {
  const { made, credit, limit, actions, path, focus, found } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const { width, ratio } = useWidth(box, 700);
  const isDark = useIsDark();
  const geometry = useMemo(() => geometryOf(made.graph, made.drawn, made.layout, width), [made, width]);
  const height = pictureHeight(geometry, width);
  const [moved, setMoved] = useState<{ geometry: object; camera: Camera; focus: Hit | null } | null>(null);
  const [pointed, setPointed] = useState<Hit | null>(null);
  const chains = useMemo(() => chainMeans(made, credit), [made, credit]);
  const shown = useMemo(() => lineMeans(made, geometry, credit), [made, geometry, credit]);
  const size = useMemo(() => ({ width, height }), [width, height]);
  const place = useMemo(() => placeOf(made, geometry, focus), [made, geometry, focus]);
  const camera = useMemo(() => {
    if (moved?.geometry !== geometry) return fit(geometry, size);
    // what is chosen with a key or elsewhere comes into the picture
    return moved.focus === focus ? moved.camera : reveal(moved.camera, place.x, place.y, size);
  }, [moved, geometry, size, focus, place]);
  const look = (to: Camera): void => setMoved({ geometry, focus, camera: held(to, geometry, size) });
  useEffect(() => {
    drawGraph(canvas.current!, {
      made,
      geometry,
      camera,
      ...size,
      ratio,
      isDark,
      shown,
      chains,
      limit,
      actions,
      path,
      focus,
      pointed,
      found,
    });
  }, [made, geometry, camera, size, ratio, isDark, shown, chains, limit, actions, path, focus, pointed, found]);

  const drag = useRef<{ x: number; y: number; camera: Camera; isMoved: boolean } | null>(null);
  const at = (event: PointerEvent<HTMLDivElement>): [number, number] => {
    const frame = event.currentTarget.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  };
  /** a bundle of loops is chosen as its state */
  const find = (x: number, y: number): Hit | null => {
    const under = hit(geometry, camera, x, y);
    const isBundle = under?.kind === 'edge' && geometry.bundles.has(under.at);
    return isBundle ? { kind: 'node', at: made.drawn.from[under.at]! } : under;
  };
  const onDown = (event: PointerEvent<HTMLDivElement>): void => {
    const [x, y] = at(event);
    drag.current = { x, y, camera, isMoved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onMove = (event: PointerEvent<HTMLDivElement>): void => {
    const [x, y] = at(event);
    const from = drag.current;
    if (from) {
      if (Math.hypot(x - from.x, y - from.y) > STILL) from.isMoved = true;
      if (from.isMoved)
        look({ ...from.camera, left: from.camera.left + x - from.x, top: from.camera.top + y - from.y });
      return;
    }
    const under = find(x, y);
    if (under?.kind === pointed?.kind && under?.at === pointed?.at) return;
    setPointed(under);
    props.onHover(under);
  };
  const onUp = (event: PointerEvent<HTMLDivElement>): void => {
    const from = drag.current;
    drag.current = null;
    if (!from || from.isMoved) return;
    const under = find(...at(event));
    if (under) props.onPoint(under);
  };
  const bigger = (factor: number): void => look(zoom(camera, factor, width / 2, height / 2));
  const onKey = (key: string): boolean => {
    if (key === '+' || key === '=') bigger(1.4);
    else if (key === '-') bigger(1 / 1.4);
    else if (key === '0') setMoved(null);
    else return props.onKey(key);
    return true;
  };
  const move = (dx: number, dy: number): void => look({ ...camera, left: camera.left + dx, top: camera.top + dy });
  return (
    <div className="graphbox" ref={box}>
      <div
        className="graphpicture"
        style={{ height }}
        onPointerDown={onDown}
        onPointerMove={onMove}
        onPointerUp={onUp}
        onPointerCancel={() => (drag.current = null)}
        onPointerLeave={() => {
          setPointed(null);
          props.onHover(null);
        }}
      >
        <canvas ref={canvas} role="img" aria-label={props.summary} />
        <CellGrid
          label="Graph of states; right and left follow the steps, up and down change the state, Enter unfolds a chain, plus and minus change the size"
          rows={made.drawn.nodes}
          columns={made.layout.layers}
          row={place.node}
          column={made.layout.layer[place.node]!}
          text={props.told}
          isShown
          onMove={onKey}
          frame={{
            left: place.x * camera.scale + camera.left - 11,
            top: place.y * camera.scale + camera.top - 11,
            width: 22,
            height: 22,
          }}
        />
      </div>
      <div className="graphkeys" role="group" aria-label="Zoom and position">
        <button type="button" onClick={() => bigger(1.4)} aria-label="Larger">
          +
        </button>
        <button type="button" onClick={() => bigger(1 / 1.4)} aria-label="Smaller">
          −
        </button>
        {!props.isSmall && (
          <>
            <button type="button" onClick={() => setMoved(null)}>
              Whole graph
            </button>
            <button type="button" onClick={() => move(width / 3, 0)} aria-label="Move left">
              ←
            </button>
            <button type="button" onClick={() => move(-width / 3, 0)} aria-label="Move right">
              →
            </button>
            <button type="button" onClick={() => move(0, height / 3)} aria-label="Move up">
              ↑
            </button>
            <button type="button" onClick={() => move(0, -height / 3)} aria-label="Move down">
              ↓
            </button>
          </>
        )}
      </div>
    </div>
  );
}

/** Where the focus is drawn: on a node, or in the middle of an edge with the node it comes from. */
function placeOf(made: Picture, geometry: ReturnType<typeof geometryOf>, focus: Hit | null) {
  const e = focus?.kind === 'edge' ? focus.at : -1;
  const node = e >= 0 ? made.drawn.from[e]! : (focus?.at ?? 0);
  const x = e >= 0 ? middle(geometry, e, 0) : geometry.x[node]!;
  const y = e >= 0 ? middle(geometry, e, 1) : geometry.y[node]!;
  return { node, x, y };
}

const middle = ({ curve }: ReturnType<typeof geometryOf>, e: number, c: number): number =>
  (curve[8 * e + c]! + 3 * curve[8 * e + 2 + c]! + 3 * curve[8 * e + 4 + c]! + curve[8 * e + 6 + c]!) / 8;
