/** What a frame can be asked for. */
export type What = 'state' | 'metrics' | 'link' | 'digest' | 'svg';

export type State = {
  readonly state: 'empty' | 'ready' | 'running' | 'paused' | 'finished' | 'failed';
  readonly update: number;
  readonly updates: number;
  readonly experiment: string;
  /** a part of the frame is on the reader's screen */
  readonly isSeen: boolean;
  /** it trains as soon as it is */
  readonly waitsForSight: boolean;
  /** messages that were wrong, or too many */
  readonly ignored: number;
};

/** What the frame says by itself. */
export type Messages = {
  ready: { readonly version: string; readonly views: readonly string[]; readonly nonce?: string };
  state: { readonly what: What; readonly value: unknown };
  metric: { readonly update: number; readonly values: Readonly<Record<string, number | null>> };
  selected: { readonly trajectory: number; readonly step: number };
  check: { readonly lesson: string; readonly id: string; readonly passed: boolean; readonly value: number | null };
  done: { readonly digest: { readonly config: string; readonly result: string; readonly update: number } };
  resize: { readonly height: number };
  error: { readonly id: string; readonly text: string };
};

export type View = {
  overlay?: 'policy' | 'visits' | 'credit' | 'entropy' | 'change';
  replica?: number;
  theme?: 'auto' | 'light' | 'dark';
  metrics?: readonly string[];
  updatesPerSecond?: number | null;
};

/** A frame and the line to it. Calls wait until the frame listens, and are refused with its sentence. */
export type LabEmbed = {
  readonly frame: HTMLIFrameElement;
  readonly ready: Promise<Messages['ready']>;
  load(payload: string): Promise<State>;
  run(): Promise<State>;
  pause(): Promise<State>;
  step(): Promise<State>;
  seek(update: number): Promise<State>;
  select(trajectory: number, step: number): Promise<State>;
  view(changes: View): Promise<State>;
  get(what: 'state'): Promise<State>;
  get(what: 'metrics'): Promise<Messages['metric']>;
  get(what: 'link' | 'svg'): Promise<string>;
  get(what: 'digest'): Promise<Messages['done']['digest']>;
  /** Returns what ends it. */
  on<T extends keyof Messages>(type: T, listener: (message: Messages[T]) => void): () => void;
  remove(): void;
};

/**
 * Puts a frame at the end of `place`. `src`: the whole address of a view, `https://…/#/embed/stage?x=…`. `height` in CSS
 * pixels, or that of its content.
 */
export function labEmbed(
  place: Element,
  src: string,
  options?: { height?: number | 'auto'; title?: string; sandbox?: string },
): LabEmbed;
