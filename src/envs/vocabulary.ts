/** Words of the observation language; id = index. Adding a word = appending. Spec environments §4.5. */
export const VOCABULARY: readonly string[] = [
  ...['<pad>', '<bos>', '<eos>', '<stop>', '.'],
  ...'you are in exits none locked door here have nothing goal reach take bring no way taken unlocked not key seen what'.split(
    ' ',
  ),
  ...'go unlock look plan recall east south west north red blue green yellow lamp coin cup'.split(' '),
  ...'kitchen hall attic cellar garden library studio tower bedroom bathroom garage office vault porch pantry workshop'.split(
    ' ',
  ),
  ...[...'#.SGELO~abcdABCD+123456789$otuwz@>v<^', 'target', 'box', 'boxOnTarget', 'agentOnTarget'].map(
    (c) => `cell:${c}`,
  ),
];

const ids = new Map(VOCABULARY.map((word, id) => [word, id]));

/** Ids of words; every word must be in the vocabulary. */
export function tokenIds(words: readonly string[]): number[] {
  return words.map((word) => {
    const id = ids.get(word);
    if (id === undefined) throw new Error(`The word “${word}” is not in the vocabulary.`);
    return id;
  });
}
