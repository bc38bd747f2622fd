/** Numbers of which it is not known beforehand how many there will be. */
type Numbers = Float32Array | Float64Array | Uint32Array | Int32Array | Uint8Array | Uint16Array;
type Made<A> = { new (size: number): A };

/** A typed array that grows: twice as long whenever it is full. */
export class Grown<A extends Numbers> {
  private readonly make: Made<A>;
  private array: A;
  size = 0;

  constructor(make: Made<A>) {
    this.make = make;
    this.array = new make(1024);
  }

  push(value: number): void {
    if (this.size === this.array.length) {
      const more = new this.make(2 * this.size);
      more.set(this.array);
      this.array = more;
    }
    this.array[this.size++] = value;
  }

  at(k: number): number {
    return this.array[k]!;
  }

  put(k: number, value: number): void {
    this.array[k] = value;
  }

  /** The numbers at these places, in their order. */
  picked(order: Uint32Array): A {
    const result = new this.make(order.length);
    for (let k = 0; k < order.length; k++) result[k] = this.array[order[k]!]!;
    return result;
  }

  /** All of them, without copying. */
  all(): A {
    return this.array.subarray(0, this.size) as A;
  }

  /** Gives the memory back. */
  clear(): void {
    this.array = new this.make(0);
    this.size = 0;
  }
}
