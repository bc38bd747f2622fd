import { LIMITS, readMessage, writeMessage, type FromHost, type ToHost } from './protocol.ts';

/** A window as far as the line knows it. */
export type Peer = { postMessage(data: string, origin: string): void };

type Heard = { readonly source: unknown; readonly origin: string; readonly data: unknown };
type Tools = { readonly now: () => number; readonly later: (act: () => void, ms: number) => void };

/** Between two messages, so that there are never more than the limit in a second. */
const GAP_MS = 1000 / LIMITS.perSecond;
/** More than wait here at once are not sent; state and numbers of before make room for newer ones. */
const MOST_WAITING = 64;

/**
 * The frame's end of the line to its host. It listens to the window that the frame stands in and, from the first valid
 * hello on, to the origin of that hello alone; it answers nobody else. What is wrong, or too much, is ignored and counted.
 */
export class Line {
  ignored = 0;
  private origin: string | null = null;
  private readonly heardAt: number[] = [];
  private readonly waiting = new Map<string, string>();
  private sentAt = -Infinity;
  private isTimed = false;
  private readonly host: Peer;
  private readonly tools: Tools;
  private serial = 0;

  constructor(host: Peer, tools: Tools) {
    this.host = host;
    this.tools = tools;
  }

  get isOpen(): boolean {
    return this.origin !== null;
  }

  /** Tells whoever the host is that someone listens: the only words without an addressee, and there is nothing private in them. */
  announce(said: ToHost): void {
    const written = writeMessage(said);
    if (written !== null) this.host.postMessage(written, '*');
  }

  /** The message of an event, if it is to be obeyed. */
  hear({ source, origin, data }: Heard): FromHost | null {
    const message = source === this.host && !this.isTooMuch() ? readMessage(data) : null;
    const isOwn =
      this.origin === null ? message?.type === 'hello' && /^https?:\/\//.test(origin) : origin === this.origin;
    if (!message || !isOwn) {
      this.ignored++;
      return null;
    }
    this.origin = origin;
    return message;
  }

  /** At most so many in any second. */
  private isTooMuch(): boolean {
    const now = this.tools.now();
    const { heardAt } = this;
    while (heardAt.length > 0 && heardAt[0]! <= now - 1000) heardAt.shift();
    if (heardAt.length >= LIMITS.perSecond) return true;
    heardAt.push(now);
    return false;
  }

  /** Before the first hello there is nobody to say it to. What says the same thing newer takes the place of what waits. */
  say(said: ToHost): void {
    if (this.origin === null) return;
    const { re } = said;
    const written =
      writeMessage(said) ??
      writeMessage({ type: 'error', id: 'tooLarge', text: 'This answer is larger than a message may be.', re });
    const isNewest = re === undefined && ['state', 'metric', 'selected', 'resize'].includes(said.type);
    const key = isNewest ? said.type : String(this.serial++);
    if (written === null || (this.waiting.size >= MOST_WAITING && !this.waiting.has(key))) return;
    this.waiting.set(key, written);
    this.send();
  }

  private send(): void {
    const [first] = this.waiting;
    if (!first || this.isTimed || this.origin === null) return;
    const left = this.sentAt + GAP_MS - this.tools.now();
    if (left > 0) {
      this.isTimed = true;
      this.tools.later(() => {
        this.isTimed = false;
        this.send();
      }, left);
      return;
    }
    const [key, written] = first;
    this.waiting.delete(key);
    this.sentAt = this.tools.now();
    this.host.postMessage(written, this.origin);
    this.send();
  }
}
