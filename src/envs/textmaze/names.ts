/** What rooms and things are called, index = number. */

export const ROOM_NAMES: readonly string[] =
  'kitchen hall attic cellar garden library studio tower bedroom bathroom garage office vault porch pantry workshop'.split(
    ' ',
  );
/** Everywhere in this order: 0 east, 1 south, 2 west, 3 north; the opposite is two further. */
export const DIRECTIONS: readonly string[] = ['east', 'south', 'west', 'north'];
export const COLORS: readonly string[] = ['red', 'blue', 'green', 'yellow'];
export const ITEMS: readonly string[] = ['lamp', 'coin', 'cup'];
