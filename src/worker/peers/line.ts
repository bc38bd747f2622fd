import type { Exchange, Peers, ReceivedGroup } from '../../contract/peers.ts';
import { readMessage, writeMessage, type Message } from './message.ts';

/** What carries texts to everybody else on it, and brings theirs. */
export type Wire = {
  post(text: string): void;
  close(): void;
};
export type OpenWire = (hear: (data: unknown) => void) => Wire;

/** What a line has to say of itself: tabs that are there, and episodes. */
export type PeerStatus = {
  readonly isOpen: boolean;
  readonly seen: number;
  readonly sent: number;
  readonly taken: number;
  readonly refused: number;
  /** messages that were not understood, of another task, or of tabs that are not listened to any more */
  readonly ignored: number;
};

/** Groups that wait for an update; the oldest fall out. */
const WAITING = 256;
/** Tabs that are listened to at most, and rows of one that may be refused until it is not listened to any more. */
const SENDERS = 64;
const LIES = 32;

/** A tab on the line. */
type Sender = { readonly number: number; isThere: boolean; lies: number };

/** The line to other tabs: reads, bounds and counts what comes, and tells what there is to tell. Knows no clock and no chance. */
export class PeerLine implements Peers {
  private readonly openWire: OpenWire;
  private readonly name: string;
  private wire: Wire | null = null;
  private task: string | null = null;
  private readonly senders = new Map<string, Sender>();
  private waiting: ReceivedGroup[] = [];
  private counts = { sent: 0, taken: 0, refused: 0, ignored: 0 };

  /** `name`: what others know this tab by. */
  constructor(openWire: OpenWire, name: string) {
    this.openWire = openWire;
    this.name = name;
  }

  open(): void {
    if (this.wire) return;
    this.wire = this.openWire((data) => this.hear(data));
    this.say('hello');
  }

  close(): void {
    this.say('bye');
    this.wire?.close();
    this.wire = null;
    this.forget();
  }

  /** Another run begins, in the world of this short name. */
  join(task: string): void {
    this.say('bye');
    this.task = task;
    this.forget();
    this.counts = { sent: 0, taken: 0, refused: 0, ignored: 0 };
    this.say('hello');
  }

  private forget(): void {
    this.senders.clear();
    this.waiting = [];
  }

  private say(kind: 'hello' | 'bye'): void {
    const { task, name: sender } = this;
    if (task) this.wire?.post(writeMessage({ task, sender, kind })!);
  }

  private hear(data: unknown): void {
    const message = readMessage(data);
    const sender = message?.task === this.task ? this.senderOf(message!) : null;
    if (!message || !sender || sender.lies >= LIES) return void this.counts.ignored++;
    const isNew = !sender.isThere;
    sender.isThere = message.kind !== 'bye';
    if (isNew && message.kind === 'hello') this.say('hello');
    if (message.kind !== 'group') return;
    this.waiting.push({ ...message.group, sender: sender.number });
    if (this.waiting.length > WAITING) this.waiting.shift();
  }

  /** Who said it. Null: too many did. */
  private senderOf({ sender: name }: Message): Sender | null {
    const known = this.senders.get(name);
    if (known || this.senders.size >= SENDERS || name === this.name) return known ?? null;
    const sender = { number: this.senders.size + 1, isThere: false, lies: 0 };
    this.senders.set(name, sender);
    return sender;
  }

  take(): readonly ReceivedGroup[] | null {
    if (!this.wire || !this.task) return null;
    return this.waiting.splice(0);
  }

  tell({ sent, refused, taken }: Exchange): void {
    this.counts.taken += taken;
    this.counts.refused += refused.length;
    for (const liar of refused) for (const sender of this.senders.values()) if (sender.number === liar) sender.lies++;
    const { task, name: sender } = this;
    if (!task || !this.wire) return;
    for (const group of sent) {
      const text = writeMessage({ task, sender, kind: 'group', group });
      if (text === null) continue;
      this.wire.post(text);
      this.counts.sent += group.rows.length;
    }
  }

  get status(): PeerStatus {
    const seen = [...this.senders.values()].filter(({ isThere }) => isThere).length;
    return { isOpen: this.wire !== null, seen, ...this.counts };
  }
}
