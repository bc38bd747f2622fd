/**
 * Puts a text that is still being made into the clipboard. The request is made at once: Safari grants it only within
 * the click itself, not after a wait for the text.
 * @throws when the browser does not allow it or the text could not be made
 */
export function toClipboard(text: Promise<string>): Promise<void> {
  const blob = text.then((made) => new Blob([made], { type: 'text/plain' }));
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
