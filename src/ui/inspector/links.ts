/** Estimators that have a folder to themselves. */
const FOLDERS: Readonly<Record<string, string>> = { oprl: 'oprl/oprl' };

/** File that defines an estimator. */
export const definitionOf = (id: string): string => `src/slots/advantage/${FOLDERS[id] ?? id}.ts`;

/** Address of a source file: the site carries the very files it was built from, as plain text. */
export const addressOf = (path: string): string => `./source/${path}.txt`;

export const paperOf = (arxiv: string): string => `https://arxiv.org/abs/${arxiv}`;
