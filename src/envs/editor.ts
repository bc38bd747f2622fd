import type { SceneCell } from './types.ts';

/** How the levels of an environment are edited; data only. */

/** One character of a level text: its name, its drawing, and how it goes together with others. */
export type Brush = {
  readonly char: string;
  readonly name: string;
  readonly cell: SceneCell;
  /** where the agent begins; a level has one, so the last one painted stays. Its heading, null for none */
  readonly agent?: { readonly direction: number | null };
  /** other characters that mean the same */
  readonly also?: string;
  /** what it becomes on top of other characters */
  readonly on?: Readonly<Record<string, string>>;
  /** what stays behind when the agent is put elsewhere; floor unless said */
  readonly leaves?: string;
  /** true: painted by its key or as a combination, not offered in the palette */
  readonly isRare?: boolean;
};

/** Levels painted cell by cell; the first brush is the floor. */
export type BoardKind = { readonly form: 'board'; readonly brushes: readonly Brush[] };

/** Levels that are rooms with ways between them. Directions in order east, south, west, north. */
export type RoomsKind = {
  readonly form: 'rooms';
  readonly names: readonly string[];
  readonly directions: readonly string[];
  readonly colors: readonly string[];
  readonly items: readonly string[];
};
export type LevelKind = BoardKind | RoomsKind;

/** Headings in the order of directions. */
export const FACING = ['east', 'south', 'west', 'north'] as const;
export const COLORS = ['red', 'blue', 'green', 'yellow'] as const;
