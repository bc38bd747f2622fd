/** The part of the package `ws` that these tests use. */
declare module 'ws' {
  export default class WebSocket {
    constructor(url: string);
    on(event: 'message', heard: (data: { toString(): string }) => void): this;
    on(event: 'close', heard: () => void): this;
    once(event: 'open', heard: () => void): this;
    once(event: 'error', heard: (error: Error) => void): this;
    send(text: string): void;
    terminate(): void;
  }
}
