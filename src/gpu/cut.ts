import type { Gpu } from './device.ts';
import firstGroup from './shaders/credit/firstGroup/firstGroup.wgsl?raw';

/** Workgroups of a dispatch, or of a piece of one, that begins at another workgroup than the first. */
export type Box = { readonly at: readonly number[]; readonly size: readonly [x: number, y: number, z: number] };

/**
 * A dispatch in up to `pieces` boxes of workgroups that together are all of it: the largest is halved along its longest
 * side until there are enough. No kernel knows in which order its workgroups run, so pieces give the bits of the whole.
 */
export function boxesOf(size: Box['size'], pieces: number): Box[] {
  const boxes: Box[] = [{ at: [0, 0, 0], size }];
  const groups = (box: Box): number => box.size[0] * box.size[1] * box.size[2];
  while (boxes.length < pieces) {
    const k = boxes.reduce((best, box, j) => (groups(box) > groups(boxes[best]!) ? j : best), 0);
    const box = boxes[k]!;
    const side = box.size.indexOf(Math.max(...box.size));
    const half = Math.ceil(box.size[side]! / 2);
    if (box.size[side] === 1) break;
    const part = (from: number, length: number): Box => ({
      at: box.at.map((x, d) => (d === side ? x + from : x)),
      size: [0, 1, 2].map((d) => (d === side ? length : box.size[d]!)) as [number, number, number],
    });
    boxes.splice(k, 1, part(0, half), part(half, box.size[side]! - half));
  }
  return boxes;
}

const ENTRY =
  /(@workgroup_size\((\w+)\)\s*fn \w+\()@builtin\((workgroup_id|global_invocation_id)\) (\w+)( : vec3u[^{]*\{)/g;

/**
 * WGSL whose entry points begin at workgroup `firstGroup`, its own uniform, instead of 0: WebGPU has no such offset.
 * Lines stay where they are. Texts without a known entry point come back as they are, and are never cut.
 */
export function movable(code: string): string {
  const moved = code.replace(ENTRY, (_all, head, size, builtin, name, rest) => {
    const first = builtin === 'workgroup_id' ? 'firstGroup' : `firstGroup * vec3u(${size}, 1u, 1u)`;
    return `${head}@builtin(${builtin}) ${name}InPiece${rest} let ${name} = ${name}InPiece + ${first};`;
  });
  return moved === code ? code : `${moved}\n${firstGroup}`;
}

const FOLD = /\.y\s*\*\s*65535u/;

/** Does an entry point read `workgroup id = x + y · 65535`, itself or in a function that it calls? Others take fewer in x. */
export function folds(code: string, entry: string): boolean {
  // a function on one line, or to the first brace at the beginning of one
  const textOf = (name: string): string =>
    new RegExp(`fn ${name}\\([^{]*\\{(?:[^\\n]*\\}(?=\\n|$)|[^]*?\\n\\})`).exec(code)?.[0] ?? '';
  const called = [...textOf(entry).matchAll(/(\w+)\(/g)].map((m) => m[1]!);
  return [entry, ...called].some((name) => FOLD.test(textOf(name)));
}

type Firsts = { readonly layout: GPUBindGroupLayout; readonly origin: GPUBindGroup };
const known = new WeakMap<Gpu, Firsts>();

/** Layout of the uniform `firstGroup`, and the one at the origin, on a device. */
export function firstsOf(gpu: Gpu): Firsts {
  const found = known.get(gpu);
  if (found) return found;
  const { device } = gpu;
  const entry = { binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: { type: 'uniform' as const } };
  const layout = device.createBindGroupLayout({ label: 'firstGroup', entries: [entry] });
  const buffer = device.createBuffer({ label: 'firstGroup', size: 16, usage: GPUBufferUsage.UNIFORM });
  const origin = device.createBindGroup({
    label: 'firstGroup',
    layout,
    entries: [{ binding: 0, resource: { buffer } }],
  });
  const made = { layout, origin };
  known.set(gpu, made);
  return made;
}

/** Bytes between two uniforms of one buffer. */
const STRIDE = 256;

/** `firstGroup` of each box; whoever owns the list owns the buffer, which is made when a dispatch is first cut. */
export function firstsAt(gpu: Gpu, boxes: readonly Box[], owner: GPUBuffer[]): GPUBindGroup[] {
  const words = new Uint32Array((boxes.length * STRIDE) / 4);
  boxes.forEach(({ at }, k) => words.set(at, (k * STRIDE) / 4));
  const buffer = gpu.buffer('uniforms', words.length, GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
  owner.push(buffer);
  gpu.device.queue.writeBuffer(buffer, 0, words);
  return boxes.map((_, k) =>
    gpu.device.createBindGroup({
      label: 'firstGroup',
      layout: firstsOf(gpu).layout,
      entries: [{ binding: 0, resource: { buffer, offset: k * STRIDE, size: 16 } }],
    }),
  );
}
