/** One sentence for the polite live region. */
let listener: ((sentence: string) => void) | null = null;

export function say(sentence: string): void {
  listener?.(sentence);
}

export function onSay(next: ((sentence: string) => void) | null): void {
  listener = next;
}
