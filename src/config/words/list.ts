/** Help texts of settings and methods that the built page marks by number (scripts/lib/pageWords.ts); none elsewhere. */
export const words: readonly string[] = [];
