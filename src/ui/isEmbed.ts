/**
 * True where this page is one view in a frame of another page (`#/embed/…`): it keeps nothing in the browser. Decided when
 * it opens; a frame stays what it is.
 */
export const isEmbed = globalThis.location?.hash.startsWith('#/embed/') === true;
