/** `isSeen`: it also stands on the page for a moment, because nothing else shows it. */
type Listener = (sentence: string, isSeen: boolean) => void;
let listener: Listener | null = null;

/** One sentence for the polite live region. */
export function say(sentence: string, isSeen = true): void {
  listener?.(sentence, isSeen);
}

export function onSay(next: Listener | null): void {
  listener = next;
}
