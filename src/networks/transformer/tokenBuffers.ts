import type { Gpu } from '../../gpu/device.ts';
import { sectionBytes, type Slice } from '../../gpu/recorder.ts';
import { valuesOf, type Layout } from '../layout.ts';
import { MOST_ROWS, SLICES } from './chunk.ts';
import type { Grammar } from './grammar.ts';
import { longestOf, offsetsOf, type TransformerShape } from './shape.ts';
import { gateBuffers, type GateBuffers } from './gateBuffers.ts';

const STORAGE = 0x80 | 0x04 | 0x08;
/** Rows of an array, as rows, tokens or prefixes of a chunk. `which` is the word of `rows` that counts the live ones. */
export type Level = {
  readonly which: number;
  /** rows between replicas */
  readonly max: number;
  /** rows that can be live, where they are always fewer */
  readonly most?: number;
};

/** The grammar as words: five per prefix, five per slot, the commands. −1 is 0xffffffff. */
function packGrammar(grammar: Grammar): Uint32Array<ArrayBuffer> {
  return Uint32Array.from([
    ...grammar.prefixes.flatMap((p) => [p.token, p.depth, p.ancestors, p.first, p.count]),
    ...grammar.slots.flatMap((c) => [c.node, c.token, c.actions, c.next, c.action]),
    ...grammar.commands,
  ]);
}

/** What a layer keeps. `queries`: all tokens, in the last layer the prefixes. */
export type LayerBuffers = {
  readonly queries: Level;
  readonly n1: GPUBuffer;
  readonly moments1: GPUBuffer;
  readonly QKV: GPUBuffer;
  readonly soft: GPUBuffer;
  readonly O: GPUBuffer;
  /** stream at the queries */
  readonly x: GPUBuffer;
  readonly gate1: GateBuffers;
  readonly mid: GPUBuffer;
  readonly n2: GPUBuffer;
  readonly moments2: GPUBuffer;
  readonly H: GPUBuffer;
  readonly gate2: GateBuffers;
};

export type TokenSizes = {
  readonly S: number;
  readonly B: number;
  readonly T: number;
  /** steps of a chunk, at most 256; must not depend on S, or a replica alone would not give the same bits */
  readonly R: number;
  readonly slices?: number;
};

/** Rows, tokens and prefixes of a chunk of R steps, and the words of `rows` that it takes. */
const levelsOf = (shape: TransformerShape, R: number) =>
  ({
    perRow: { which: 0, max: R },
    perToken: { which: 1, max: R * longestOf(shape) },
    perPrefix: { which: 2, max: R * shape.grammar.prefixes.length },
    stride: 4 + 2 * R,
  }) as const;

/** All arrays of a chunk of steps on the GPU; every one has a leading replica dimension. */
export class TokenBuffers {
  readonly shape: TransformerShape;
  readonly layout: Layout;
  readonly hasReLU: boolean;
  readonly at: Readonly<Record<string, number>>;
  readonly S: number;
  readonly B: number;
  readonly T: number;
  readonly R: number;
  readonly slices: number;
  readonly all: GPUBuffer[] = [];
  readonly perRow: Level;
  readonly perToken: Level;
  readonly perPrefix: Level;
  /** words of `rows` for one replica: counts, end of each row, step of each row */
  readonly stride: number;
  /** outputs of a row: slots, then the values if there is a critic */
  readonly n: number;
  readonly grammar: GPUBuffer;
  readonly list: GPUBuffer;
  readonly rows: GPUBuffer;
  readonly tokens: GPUBuffer;
  readonly X: readonly GPUBuffer[];
  readonly layers: readonly LayerBuffers[];
  readonly nf: GPUBuffer;
  readonly momentsF: GPUBuffer;
  /** three sections [S, R, n]: outputs, outputs of the reference, their gradient */
  readonly outs: GPUBuffer;
  readonly lastValue: GPUBuffer;
  /** [S, B] decisions of every trajectory */
  readonly units: GPUBuffer;
  readonly dX: GPUBuffer;
  readonly dQ: GPUBuffer;
  readonly dA: GPUBuffer;
  readonly dB: GPUBuffer;
  readonly dH: GPUBuffer;
  readonly dQKV: GPUBuffer;
  readonly dS: GPUBuffer;
  readonly py: GPUBuffer;
  readonly px: GPUBuffer;
  readonly pg: GPUBuffer;
  readonly partials: GPUBuffer;
  readonly gpu: Gpu;

  constructor(gpu: Gpu, shape: TransformerShape, layout: Layout, sizes: TokenSizes) {
    const { S, B, T, R } = sizes;
    if (R > MOST_ROWS) throw new Error('A chunk has at most 256 rows.');
    this.gpu = gpu;
    this.shape = shape;
    this.layout = layout;
    this.hasReLU = shape.gate !== 'none';
    this.at = offsetsOf(layout);
    this.S = S;
    this.B = B;
    this.T = T;
    this.R = R;
    this.slices = sizes.slices ?? SLICES;
    const { width: D, hidden: F, heads, layers, grammar, gate } = shape;
    const { perRow, perToken, perPrefix, stride } = levelsOf(shape, R);
    this.perRow = perRow;
    this.perToken = perToken;
    this.perPrefix = perPrefix;
    this.stride = stride;
    this.n = grammar.slots.length + valuesOf(shape);
    const make = (floats: number, label = 'activations'): GPUBuffer => {
      const buffer = gpu.buffer(label, floats, STORAGE);
      this.all.push(buffer);
      return buffer;
    };
    const per = (level: Level, width: number): GPUBuffer => make(S * level.max * width);
    const packed = packGrammar(grammar);
    this.grammar = make(packed.length);
    gpu.device.queue.writeBuffer(this.grammar, 0, packed);
    this.list = make(S * (2 + B * T));
    this.rows = make(S * this.stride);
    this.tokens = per(perToken, 4);
    const gateOf = (level: Level): GateBuffers => gateBuffers(make, shape, S * level.max);
    this.X = Array.from({ length: layers + 1 }, (_, l) => per(l < layers ? perToken : perPrefix, D));
    this.layers = Array.from({ length: layers }, (_, l): LayerBuffers => {
      const queries = l + 1 < layers ? perToken : perPrefix;
      return {
        queries,
        n1: per(perToken, D),
        moments1: per(perToken, 2),
        QKV: per(perToken, 3 * D),
        soft: per(queries, 2 * heads),
        O: per(queries, D),
        x: l + 1 < layers ? this.X[l]! : per(queries, D),
        gate1: gateOf(queries),
        mid: per(queries, D),
        n2: per(queries, D),
        moments2: per(queries, 2),
        H: per(queries, F),
        gate2: gateOf(queries),
      };
    });
    this.nf = per(perPrefix, D);
    this.momentsF = per(perPrefix, 2);
    this.outs = make((3 * sectionBytes(S * R * this.n)) / 4);
    this.lastValue = make(S * B, 'batch');
    this.units = make(S * B, 'batch');
    this.dX = per(perToken, D);
    this.dQ = per(perPrefix, D);
    this.dA = per(perToken, D);
    this.dB = per(perToken, D);
    this.dH = per(perToken, F);
    this.dQKV = per(perToken, 3 * D);
    this.dS = per(layers > 1 ? perToken : perPrefix, heads * this.distances);
    this.py = gate === 'gru' ? per(perToken, 3 * D) : make(4);
    this.px = gate === 'gru' ? per(perToken, 2 * D) : make(4);
    this.pg = per(perToken, D);
    this.partials = make(S * this.slices * layout.size, 'weights');
  }

  /** The same arrays for chunks of fewer steps: a dispatch is no larger than they need. */
  inChunksOf(R: number): TokenBuffers {
    const levels = levelsOf(this.shape, R);
    const layers = this.layers.map((m) => ({
      ...m,
      queries: m.queries === this.perToken ? levels.perToken : levels.perPrefix,
    }));
    return Object.assign(Object.create(TokenBuffers.prototype) as TokenBuffers, this, { ...levels, R, layers });
  }

  /** columns of the table of distances */
  get distances(): number {
    return this.layout.tensors.find((t) => t.name === 'rel.0')!.cols;
  }
  /** outputs, outputs of the reference, gradient of the outputs */
  out(k: 0 | 1 | 2): Slice {
    const floats = this.S * this.R * this.n;
    return { buffer: this.outs, offset: k * sectionBytes(floats), size: floats * 4 };
  }

  free(): void {
    for (const buffer of this.all) this.gpu.free(buffer);
    this.all.length = 0;
  }
}
