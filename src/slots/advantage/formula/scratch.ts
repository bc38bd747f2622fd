import type { Column, CreditOps, Level, SetRule, Sets } from '../../types.ts';
import { evaluate } from './evaluate.ts';
import type { Formula } from './formula.ts';

/**
 * Floats of a step that the columns take which a formula makes on a device, beside those of the batch: the formula is
 * evaluated on operations that only count. What a row or a replica has one number of does not count.
 */
export function scratchFloats(formula: Formula): number {
  const counter = new Counter();
  evaluate(formula, counter);
  return counter.floats;
}

type Kind = Column & { readonly handle: null };
const COLUMN: Kind = { per: 'step', handle: null };
const ROW: Kind = { per: 'trajectory', handle: null };
/** Mean and divisor of the set of each step. */
const STATS = 2;
/** First step of the set of each step, and the next one in its ring. */
const MATCH = 2;

class Counter implements CreditOps {
  floats = 0;
  readonly outcome = ROW;
  readonly reward = COLUMN;
  readonly value = COLUMN;
  readonly entropy = COLUMN;
  readonly logp = COLUMN;
  readonly logpPhi = COLUMN;
  readonly planMask = null;
  readonly groupSize = 1;
  /** sets that were matched, and statistics of a column over sets that were taken */
  private readonly matched = new Set<string>();
  private readonly summed = new Map<Column, Set<string>>();

  get rewardParts(): readonly Column[] {
    return Array.from({ length: 4 }, () => ROW);
  }
  ofTask = (): Column => ROW;
  column = (): Column => ROW;
  lead = (): Column => ROW;
  ended = (): Column => ROW;
  endShare = (): Column => ROW;
  normalizeMeans = (): Column => ROW;
  threshold = (): Column => ROW;

  private takes(floats: number): Column {
    this.floats += floats;
    return { ...COLUMN };
  }
  private alike = (x: Column): Column => (x.per === 'step' ? this.takes(1) : { ...ROW });

  earnedTags = (): Column => this.takes(1);
  returnsToGo = (): Column => this.takes(1);
  tdSums = (): { adv: Column; target: Column } => ({ adv: this.takes(2), target: this.takes(1) });
  normalize = (x: Column): Column => this.alike(x);
  overSpread = (x: Column): Column => this.alike(x);
  unitRange = (x: Column): Column => this.alike(x);
  map = (_f: unknown, x: Column): Column => this.alike(x);
  following = (): Column => this.takes(1);
  broadcast = (): Column => this.takes(1);
  combine = (): Column => this.takes(1);
  scaleByLargest = (): Column => this.takes(1);
  branches = (): Column => this.takes(3);
  zip: CreditOps['zip'] = (_f, x, y) => {
    const isStep = (of: Column | number): boolean => typeof of !== 'number' && of.per === 'step';
    const isNumber = (of: Column | number): boolean => typeof of === 'number';
    return isStep(x) || isStep(y) || (isNumber(x) && isNumber(y)) ? this.takes(1) : { ...ROW };
  };

  sets(rule: SetRule): Sets {
    for (const name of matchesOf(rule)) {
      if (!this.matched.has(name)) this.floats += MATCH;
      this.matched.add(name);
    }
    return { handle: `${rule.of} ${rule.past}` };
  }
  setsBy(): Sets {
    this.floats += MATCH;
    return { handle: `label ${this.floats}` };
  }
  keepApart = (): CreditOps => this;
  setsAlike = (): Sets => this.setsBy();
  private stats(x: Column, sets: Sets, how: string): void {
    const known = this.summed.get(x) ?? new Set();
    this.summed.set(x, known);
    const key = `${String(sets.handle)} ${how}`;
    if (!known.has(key)) this.floats += STATS;
    known.add(key);
  }
  normalizeSets: CreditOps['normalizeSets'] = (x, sets, mode, population = false) => {
    this.stats(x, sets, `${mode} ${population}`);
    return this.takes(1);
  };
  meanOver: CreditOps['meanOver'] = (x, sets, count) => {
    this.stats(x, sets, count);
    return this.takes(1);
  };
  overLevels(x: Column, levels: readonly Level[], mode: string): { credit: Column; weight: Column } {
    for (const { sets } of levels) this.stats(x, sets, `${mode} true`);
    return { credit: this.takes(1), weight: this.takes(1) };
  }
}

/** Names of what has to be matched for a rule: a window of states or pairs is a pair of windows half as long. */
function matchesOf({ of, past }: SetRule): readonly string[] {
  const window = (kind: string, steps: number): readonly string[] => {
    if (steps === 1) return kind === 'state' ? [] : ['pair 1'];
    return [...window(kind, 2 ** Math.ceil(Math.log2(steps) - 1)), `${kind} ${steps}`];
  };
  if (of === 'time') return ['time'];
  if (of === 'state') return window('state', past + 1);
  return past === 0 ? ['edge'] : ['edge', ...window('pair', 2 ** Math.floor(Math.log2(past))), `edge ${past}`];
}
