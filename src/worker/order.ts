/**
 * In which order a worker does what it is asked. What puts another run or another state in place comes one after the
 * other; what is trained comes after that, and only if nothing else was pressed meanwhile.
 */
export class Order {
  private wish = 0;
  private presses = 0;
  private last: Promise<unknown> = Promise.resolve();

  /** Another run is asked for. What comes back says whether it is still the newest one asked for. */
  newWish(): () => boolean {
    const wish = ++this.wish;
    return () => wish === this.wish;
  }

  /** Nothing else changes the run meanwhile. */
  alone<T>(act: () => Promise<T>): Promise<T> {
    const done = this.last.then(act);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Something is pressed. What comes back says whether it is still the newest press. */
  newPress(): () => boolean {
    const press = ++this.presses;
    return () => press === this.presses;
  }

  /** What comes back says whether nothing was asked for or pressed since. */
  undisturbed(): () => boolean {
    const { wish, presses } = this;
    return () => wish === this.wish && presses === this.presses;
  }

  /** All that was asked for so far is in place. */
  get settled(): Promise<unknown> {
    return this.last;
  }
}
