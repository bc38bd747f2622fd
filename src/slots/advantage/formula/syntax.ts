/** Where something stands in a text: first letter, and the first after it. */
export type Span = readonly [from: number, to: number];

/** What is wrong with a formula, where, and what to write instead. */
export type Fault = { readonly at: Span; readonly message: string; readonly hint?: string };

/** What bounds the time and memory of every formula, whoever wrote it. */
export const LIMITS = { characters: 2000, nodes: 400, depth: 40 } as const;

/** An expression as it was written. */
export type Node =
  | { readonly kind: 'number'; readonly at: Span; readonly value: number }
  | { readonly kind: 'name'; readonly at: Span; readonly name: string }
  | {
      readonly kind: 'call';
      readonly at: Span;
      readonly name: string;
      readonly nameAt: Span;
      readonly args: readonly Arg[];
    };
/** An argument, perhaps with the name of its parameter. */
export type Arg = { readonly name?: string; readonly nameAt?: Span; readonly node: Node };

type Named = { readonly name: string; readonly nameAt: Span };
/** A number with a slider: `let ω = 1 in 0…4`. `numberAt` is the place of its value. */
export type SliderLine = Named & {
  readonly kind: 'slider';
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly numberAt: Span;
};
export type Line =
  | SliderLine
  | (Named & { readonly kind: 'bind' | 'part'; readonly node: Node })
  /** the credit itself */
  | { readonly kind: 'result'; readonly node: Node };

/** Words that no name may be. */
export const RESERVED: readonly string[] = ['let', 'in', 'part'];
