/** One call that reached the device, with what it was made on. */
type Call = { readonly on: 'device' | 'encoder' | 'pass' | 'queue'; readonly name: string; readonly given: unknown[] };
type Methods = Record<string, (...given: unknown[]) => unknown>;

const WATCHED = {
  device: [GPUDevice.prototype, ['createCommandEncoder']],
  encoder: [GPUCommandEncoder.prototype, ['beginComputePass', 'copyBufferToBuffer', 'clearBuffer']],
  pass: [
    GPUComputePassEncoder.prototype,
    ['setPipeline', 'setBindGroup', 'dispatchWorkgroups', 'dispatchWorkgroupsIndirect', 'end'],
  ],
  queue: [GPUQueue.prototype, ['writeBuffer', 'submit']],
} as const;

/** Bytes belong to their writer, who writes over them. */
const kept = (value: unknown): unknown =>
  ArrayBuffer.isView(value) ? (value as Uint8Array).slice() : value instanceof ArrayBuffer ? value.slice(0) : value;

/** All that is handed to devices while `work` goes on. */
export async function taped(work: () => Promise<unknown>): Promise<readonly Call[]> {
  const tape: Call[] = [];
  const undo: (() => void)[] = [];
  for (const [on, [prototype, names]] of Object.entries(WATCHED) as [
    Call['on'],
    readonly [object, readonly string[]],
  ][])
    for (const name of names) {
      const methods = prototype as Methods;
      const method = methods[name]!;
      methods[name] = function (this: unknown, ...given: unknown[]) {
        // pokes, and what only a waiting reader needs, which may have its buffer mapped
        const isIdle = name === 'submit' && (given[0] as unknown[]).length === 0;
        const isRead =
          name === 'copyBufferToBuffer' &&
          given.some((x) => x instanceof GPUBuffer && x.usage & GPUBufferUsage.MAP_READ);
        if (!isIdle && !isRead) tape.push({ on, name, given: given.map(kept) });
        return method.apply(this, given);
      };
      undo.push(() => (methods[name] = method));
    }
  try {
    await work();
  } finally {
    for (const back of undo) back();
  }
  return tape;
}

/** Hands the same to the device again, without a wait anywhere. */
export function replay(device: GPUDevice, tape: readonly Call[]): void {
  let [encoder, pass]: [GPUCommandEncoder | null, GPUComputePassEncoder | null] = [null, null];
  for (const { on, name, given } of tape) {
    if (name === 'createCommandEncoder') encoder = device.createCommandEncoder();
    else if (name === 'beginComputePass') pass = encoder!.beginComputePass();
    else if (name === 'submit') device.queue.submit([encoder!.finish()]);
    else (({ encoder, pass, queue: device.queue, device })[on] as unknown as Methods)[name]!(...given);
  }
}
