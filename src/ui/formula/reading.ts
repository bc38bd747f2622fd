/** Places in the text are counted in UTF-16 units from its start; `to` is the place after the last one. */
export type Span = { readonly from: number; readonly to: number };

/** How a piece of the text is colored. */
export type PieceKind = 'number' | 'column' | 'operation' | 'name' | 'word' | 'comment';
export type Piece = Span & { readonly kind: PieceKind };

/** What is wrong, where, and what helps. */
export type Fault = Span & { readonly message: string; readonly hint: string };

/** What a piece of the text is, in words: “outcome: one number per trajectory”. */
export type Told = Span & { readonly name: string; readonly type: string; readonly doc: string };

/** A number of the text with a range: `let ω = 1 in 0…4`. The span is that of the number. */
export type Slider = Span & {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
};

/** Something that can be written at a place. `why`: it exists, but not in this experiment; null: it can be used. */
export type Offer = {
  readonly label: string;
  /** what is put into the text; where it differs from the label */
  readonly text: string;
  /** where the cursor stands afterwards, counted from the start of `text` */
  readonly cursor: number;
  readonly kind: PieceKind;
  readonly type: string;
  /** how it is called, where it is called; else empty */
  readonly form: string;
  readonly doc: string;
  readonly why: string | null;
};

/** Everything that the editor knows about a text. It is made again with every change, so it has to be quick. */
export type Reading = {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly faults: readonly Fault[];
  readonly sliders: readonly Slider[];
  /** one sentence about the whole text */
  readonly sentence: string;
  /** the innermost piece around a place that means something */
  at(place: number): Told | null;
  /** what fits at a place, and the span of the word that it would replace */
  offersAt(place: number): Span & { readonly offers: readonly Offer[] };
};
