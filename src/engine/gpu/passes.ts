import type { CommandList } from '../../gpu/recorder.ts';
import type { ListedRows } from '../../gpu/listedRows.ts';
import type { Buffer } from '../../gpu/network.ts';
import type { SeenPolicy } from './buffers.ts';
import type { Sequence } from './tokenSequence.ts';

/** Where dispatches go: `list` is the last one of the sequence. */
export type Recording = { readonly sequence: Sequence; readonly list: CommandList };

/** A look at the trajectories that have a weight. */
export type Look = {
  /** with the gradient that a step needs; else only loss and statistics */
  readonly learns: boolean;
  /** at most so many trajectories have a weight */
  readonly trajectories: number;
  /**
   * these parameters went forward last, and their outputs are still there: over all of the batch at the start of the update,
   * or in the survey of this very minibatch
   */
  readonly again?: 'start' | 'survey';
  /** its steps were listed with the weights of their trajectories, in this place of those that were listed at once */
  readonly listed?: number;
};

/** Does it go over all steps of the batch? After the look at the start, since outputs of a minibatch would lie elsewhere. */
export const goesOverAll = ({ B }: { readonly B: number }, { again, trajectories }: Look): boolean =>
  again === 'start' && trajectories === B;

/**
 * A network with its decision head and the objective, over the batch of an update: all steps at once, or in chunks. What
 * an update does with them stands in updateLists.ts. Methods that record return where what follows is recorded.
 */
export type Passes = {
  /** units of every trajectory [S, B], and the most of a step */
  readonly units: Buffer;
  readonly most: number;
  /** where looks go over lists of steps: the list, and what makes it */
  readonly lists?: { readonly rows: GPUBuffer; readonly by: ListedRows };
  /** Once per batch, before the first look. */
  begin(list: CommandList): Promise<void>;
  /** A look by the policy that trains at all of a batch that another one played. */
  see(to: Recording, seen: SeenPolicy, listed: number | undefined): Promise<CommandList>;
  /** Forward pass, decision head, objective, and if it learns the way back. */
  look(to: Recording, how: Look): Promise<CommandList>;
  /** Squared lengths of scores in place of a look, where the objective weighs by them. */
  score(to: Recording, trajectories: number): Promise<CommandList>;
};
