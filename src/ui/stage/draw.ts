import type { Scene, SceneCell } from '../../envs/types.ts';

/** Colors of the stage; one set per theme. */
export type Palette = {
  readonly wall: string;
  readonly floor: string;
  readonly grid: string;
  readonly ice: string;
  readonly agent: string;
  readonly agentEdge: string;
  readonly goal: string;
  readonly lava: string;
  readonly hole: string;
  readonly ink: string;
  readonly keys: readonly [string, string, string, string];
};

export const PALETTES: Readonly<Record<'light' | 'dark', Palette>> = {
  light: {
    wall: '#5b6472',
    floor: '#ffffff',
    grid: '#e3e6eb',
    ice: '#dff1fb',
    agent: '#0b62c4',
    agentEdge: '#ffffff',
    goal: '#2a8f5b',
    lava: '#d1495b',
    hole: '#2b303a',
    ink: '#1a1d23',
    keys: ['#c23b3b', '#2b6fd0', '#1d8a5f', '#b98a00'],
  },
  dark: {
    wall: '#596273',
    floor: '#1c1f25',
    grid: '#2b3039',
    ice: '#1d3442',
    agent: '#6cb2ff',
    agentEdge: '#0c0e12',
    goal: '#4cc38a',
    lava: '#e5707e',
    hole: '#050608',
    ink: '#e8eaee',
    keys: ['#ff7b7b', '#7fb2ff', '#5fd3a3', '#f0c84b'],
  },
};

type Ctx = CanvasRenderingContext2D;

function box(ctx: Ctx, x: number, y: number, size: number, inset: number, fill: string): void {
  ctx.fillStyle = fill;
  ctx.beginPath();
  ctx.roundRect(x + size * inset, y + size * inset, size * (1 - 2 * inset), size * (1 - 2 * inset), size * 0.12);
  ctx.fill();
}

function label(ctx: Ctx, x: number, y: number, size: number, text: string, color: string, scale = 0.5): void {
  ctx.fillStyle = color;
  ctx.font = `600 ${size * scale}px system-ui, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x + size / 2, y + size * 0.53);
}

/** One to four notches say the color without color. */
function notches(ctx: Ctx, x: number, y: number, size: number, color: number, stroke: string): void {
  ctx.strokeStyle = stroke;
  ctx.lineWidth = Math.max(1, size * 0.045);
  for (let k = 0; k <= color; k++) {
    const at = x + size * (0.5 + (k - color / 2) * 0.11);
    ctx.beginPath();
    ctx.moveTo(at, y + size * 0.78);
    ctx.lineTo(at, y + size * 0.9);
    ctx.stroke();
  }
}

function key(ctx: Ctx, x: number, y: number, size: number, color: number, p: Palette): void {
  ctx.strokeStyle = p.keys[color & 3]!;
  ctx.lineWidth = size * 0.09;
  ctx.lineCap = 'round';
  ctx.beginPath();
  ctx.arc(x + size * 0.36, y + size * 0.42, size * 0.13, 0, Math.PI * 2);
  ctx.moveTo(x + size * 0.49, y + size * 0.42);
  ctx.lineTo(x + size * 0.76, y + size * 0.42);
  ctx.moveTo(x + size * 0.7, y + size * 0.42);
  ctx.lineTo(x + size * 0.7, y + size * 0.55);
  ctx.moveTo(x + size * 0.6, y + size * 0.42);
  ctx.lineTo(x + size * 0.6, y + size * 0.52);
  ctx.stroke();
  notches(ctx, x, y - size * 0.08, size, color, p.keys[color & 3]!);
}

function door(
  ctx: Ctx,
  x: number,
  y: number,
  size: number,
  color: number | undefined,
  isOpen: boolean,
  p: Palette,
): void {
  const paint = color === undefined ? p.ink : p.keys[color & 3]!;
  ctx.strokeStyle = paint;
  ctx.lineWidth = size * 0.08;
  ctx.strokeRect(x + size * 0.16, y + size * 0.1, size * 0.68, size * 0.8);
  if (isOpen) return;
  ctx.globalAlpha = 0.28;
  ctx.fillStyle = paint;
  ctx.fillRect(x + size * 0.16, y + size * 0.1, size * 0.68, size * 0.8);
  ctx.globalAlpha = 1;
  ctx.fillStyle = paint;
  ctx.beginPath();
  ctx.arc(x + size * 0.5, y + size * 0.48, size * 0.08, 0, Math.PI * 2);
  ctx.fill();
  if (color !== undefined) notches(ctx, x, y - size * 0.1, size, color, paint);
}

function item(ctx: Ctx, x: number, y: number, size: number, cell: SceneCell, p: Palette): void {
  switch (cell.item) {
    case 'goal':
      box(ctx, x, y, size, 0.14, p.goal);
      return label(ctx, x, y, size, '★', p.floor);
    case 'exit':
      ctx.strokeStyle = p.goal;
      ctx.lineWidth = size * 0.08;
      ctx.strokeRect(x + size * 0.16, y + size * 0.1, size * 0.68, size * 0.8);
      return label(ctx, x, y, size, 'EXIT', p.goal, 0.22);
    case 'lava':
      box(ctx, x, y, size, 0.04, p.lava);
      return label(ctx, x, y, size, '≋', p.floor, 0.6);
    case 'hole':
      ctx.fillStyle = p.hole;
      ctx.beginPath();
      ctx.arc(x + size / 2, y + size / 2, size * 0.36, 0, Math.PI * 2);
      return ctx.fill();
    case 'bonus':
      return label(ctx, x, y, size, '+', p.keys[3], 0.7);
    case 'key':
      return key(ctx, x, y, size, cell.color ?? 0, p);
    case 'door':
    case 'openDoor':
      return door(ctx, x, y, size, cell.color, cell.item === 'openDoor', p);
    case 'subgoal':
      ctx.strokeStyle = p.goal;
      ctx.lineWidth = size * 0.06;
      ctx.beginPath();
      ctx.arc(x + size / 2, y + size / 2, size * 0.32, 0, Math.PI * 2);
      ctx.stroke();
      return label(ctx, x, y, size, String(cell.color), p.goal);
    case 'obstacle':
      ctx.fillStyle = p.lava;
      ctx.beginPath();
      ctx.arc(x + size / 2, y + size / 2, size * 0.34, 0, Math.PI * 2);
      ctx.fill();
      return label(ctx, x, y, size, '!', p.floor);
    case 'distractor':
      return label(ctx, x, y, size, '◇△○◈'[cell.color ?? 0]!, p.wall, 0.55);
  }
}

/** The world without the agent. Each cell is `size` pixels. */
export function drawScene(
  ctx: Ctx,
  scene: Scene,
  size: number,
  p: Palette,
  tint: (cell: number) => string | null,
): void {
  const { width, height, cells } = scene;
  ctx.clearRect(0, 0, width * size, height * size);
  cells.forEach((cell, k) => {
    const x = (k % width) * size;
    const y = Math.floor(k / width) * size;
    ctx.fillStyle = cell.ground === 'wall' ? p.wall : cell.ground === 'ice' ? p.ice : p.floor;
    ctx.fillRect(x, y, size, size);
    const over = cell.ground === 'wall' ? null : tint(k);
    if (over) {
      ctx.fillStyle = over;
      ctx.fillRect(x, y, size, size);
    }
    ctx.strokeStyle = p.grid;
    ctx.lineWidth = 1;
    ctx.strokeRect(x + 0.5, y + 0.5, size - 1, size - 1);
    item(ctx, x, y, size, cell, p);
  });
}

export function drawAgent(ctx: Ctx, scene: Scene, size: number, p: Palette): void {
  const { cell, direction } = scene.agent;
  const x = ((cell % scene.width) + 0.5) * size;
  const y = (Math.floor(cell / scene.width) + 0.5) * size;
  ctx.fillStyle = p.agent;
  ctx.strokeStyle = p.agentEdge;
  ctx.lineWidth = Math.max(1.5, size * 0.05);
  ctx.beginPath();
  if (direction === null) ctx.arc(x, y, size * 0.27, 0, Math.PI * 2);
  else {
    const turn = (direction * Math.PI) / 2;
    for (const [r, a] of [
      [0.34, 0],
      [0.3, 2.4],
      [0.3, -2.4],
    ] as const)
      ctx.lineTo(x + r * size * Math.cos(turn + a), y + r * size * Math.sin(turn + a));
    ctx.closePath();
  }
  ctx.fill();
  ctx.stroke();
}

const ANGLE: Readonly<Record<string, number>> = { right: 0, down: 1, left: 2, up: 3 };

/** Arrows from the middle of a cell, as long as the action is likely. */
export function drawArrows(
  ctx: Ctx,
  cell: number,
  width: number,
  size: number,
  names: readonly string[],
  probs: ArrayLike<number>,
  at: number,
  color: string,
): void {
  const cx = ((cell % width) + 0.5) * size;
  const cy = (Math.floor(cell / width) + 0.5) * size;
  names.forEach((name, a) => {
    const p = probs[at + a]!;
    const quarter = ANGLE[name];
    if (quarter === undefined || p < 0.04) return;
    const angle = (quarter * Math.PI) / 2;
    const length = size * (0.1 + 0.36 * p);
    const [dx, dy] = [Math.cos(angle), Math.sin(angle)];
    ctx.globalAlpha = 0.25 + 0.75 * p;
    ctx.strokeStyle = color;
    ctx.fillStyle = color;
    ctx.lineWidth = Math.max(1, size * (0.015 + 0.05 * p));
    ctx.beginPath();
    ctx.moveTo(cx + dx * size * 0.05, cy + dy * size * 0.05);
    ctx.lineTo(cx + dx * length, cy + dy * length);
    ctx.stroke();
    const tip = size * (0.04 + 0.05 * p);
    ctx.beginPath();
    ctx.moveTo(cx + dx * (length + tip), cy + dy * (length + tip));
    ctx.lineTo(cx + dx * length - dy * tip, cy + dy * length + dx * tip);
    ctx.lineTo(cx + dx * length + dy * tip, cy + dy * length - dx * tip);
    ctx.fill();
  });
  ctx.globalAlpha = 1;
}
