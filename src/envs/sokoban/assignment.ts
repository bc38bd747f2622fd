import { has, SHIFT, SIDE, squaresOf } from './board.ts';
import { Field } from './field.ts';
import { floorOf, type SokobanMap } from './level.ts';

/** More than any number of pushes; a box that cannot reach a target. */
const FAR = 10_000;
/** Regions that a lone box can cut the floor into: one per side. */
const REGIONS = 4;

/**
 * How many pushes a lone box needs from everywhere to every target, the side of the player included: a lower bound for
 * the box among others. Found by pulling breadth first from each target. Spec environments §3.5.
 */
export class PushDistances {
  private readonly targets: readonly number[];
  /** [box square, player square] number of the region that the player is in when only this box stands there */
  private readonly regionOf = new Uint8Array((SIDE * SIDE) ** 2);
  /** [target, box square, region] */
  private readonly distance: Uint16Array;
  private readonly solver: Assignment;

  constructor(map: SokobanMap) {
    const floor = floorOf(map);
    const field = new Field(floor);
    this.targets = squaresOf(map.targets);
    for (const box of floor) {
      field.blocked[box] = 1;
      let regions = 0;
      for (const d of SHIFT) {
        if (field.blocked[box + d] === 1 || this.regionOf[box * 256 + box + d] !== 0) continue;
        field.fill(box + d);
        regions++;
        for (const square of floor) if (field.reaches(square)) this.regionOf[box * 256 + square] = regions;
      }
      field.blocked[box] = 0;
    }
    this.distance = new Uint16Array(this.targets.length * 256 * REGIONS).fill(FAR);
    this.targets.forEach((target, k) => this.pullFrom(map, k, target));
    this.solver = new Assignment(this.targets.length);
  }

  private at(k: number, box: number, player: number): number {
    return (k * 256 + box) * REGIONS + Math.max(0, this.regionOf[box * 256 + player]! - 1);
  }

  private pullFrom(map: SokobanMap, k: number, target: number): void {
    const { distance } = this;
    const queue: [box: number, player: number][] = [];
    const isFloor = (square: number): boolean => !has(map.walls, 0, square);
    const reach = (box: number, player: number, pushes: number): void => {
      if (distance[this.at(k, box, player)]! <= pushes) return;
      distance[this.at(k, box, player)] = pushes;
      queue.push([box, player]);
    };
    for (const d of SHIFT) if (isFloor(target + d)) reach(target, target + d, 0);
    for (let head = 0; head < queue.length; head++) {
      const [box, player] = queue[head]!;
      const pushes = distance[this.at(k, box, player)]! + 1;
      for (const d of SHIFT) {
        if (!isFloor(box + d) || !isFloor(box + 2 * d)) continue;
        if (this.regionOf[box * 256 + box + d] === this.regionOf[box * 256 + player])
          reach(box + d, box + 2 * d, pushes);
      }
    }
  }

  /** Fewest pushes that bring every box to its own target, other boxes ignored; Infinity if that is impossible. */
  bound(state: Uint8Array): number {
    const n = this.targets.length;
    const cost = this.solver.cost;
    for (let b = 0; b < n; b++) {
      const box = state[b + 1]!;
      for (let k = 0; k < n; k++) cost[b * n + k] = this.distance[this.at(k, box, state[0]!)]!;
    }
    const total = this.solver.solve();
    return total >= FAR ? Infinity : total;
  }
}

/**
 * Minimum-cost assignment of n rows to n columns by shortest augmenting paths with potentials u, v (the Hungarian
 * method, n³).
 */
export class Assignment {
  /** [n*n] to be filled before `solve` */
  readonly cost: Int32Array;
  private readonly n: number;
  private readonly u: Int32Array;
  private readonly v: Int32Array;
  /** row of each column, 1-based; 0 = none */
  private readonly row: Int32Array;
  private readonly way: Int32Array;
  private readonly least: Int32Array;
  private readonly used: Uint8Array;

  constructor(n: number) {
    this.n = n;
    this.cost = new Int32Array(n * n);
    this.u = new Int32Array(n + 1);
    this.v = new Int32Array(n + 1);
    this.row = new Int32Array(n + 1);
    this.way = new Int32Array(n + 1);
    this.least = new Int32Array(n + 1);
    this.used = new Uint8Array(n + 1);
  }

  /** Sum of the costs of the best assignment. */
  solve(): number {
    const { n, u, v, row } = this;
    u.fill(0);
    v.fill(0);
    row.fill(0);
    for (let i = 1; i <= n; i++) this.augment(i);
    let total = 0;
    for (let j = 1; j <= n; j++) total += this.cost[(row[j]! - 1) * n + j - 1]!;
    return total;
  }

  private augment(i: number): void {
    const { n, cost, u, v, row, way, least, used } = this;
    least.fill(0x3fffffff);
    used.fill(0);
    row[0] = i;
    let j = 0;
    while (row[j] !== 0) {
      used[j] = 1;
      const from = row[j]!;
      let delta = 0x3fffffff;
      let best = 0;
      for (let k = 1; k <= n; k++) {
        if (used[k] === 1) continue;
        const slack = cost[(from - 1) * n + k - 1]! - u[from]! - v[k]!;
        if (slack < least[k]!) {
          least[k] = slack;
          way[k] = j;
        }
        if (least[k]! < delta) {
          delta = least[k]!;
          best = k;
        }
      }
      for (let k = 0; k <= n; k++) {
        if (used[k] === 1) {
          u[row[k]!]! += delta;
          v[k]! -= delta;
        } else least[k]! -= delta;
      }
      j = best;
    }
    for (; j !== 0; j = way[j]!) row[j] = row[way[j]!]!;
  }
}
