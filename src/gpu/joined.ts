import type { Gpu } from './device.ts';
import { codeOf } from './kernel.ts';
import { whole, type Slice } from './recorder.ts';
import sideBySide from './shaders/decision/tree/sideBySide.wgsl?raw';
import type { Given } from './together.ts';

/** Bytes that every device has for a workgroup, and workgroups along one axis. */
const WORKGROUP_BYTES = 16_384;
const MOST_GROUPS = 65_535;

/** A function, a type or a variable of a module. */
type Declaration = { readonly name: string; readonly text: string };

/** The declarations that an entry point needs, itself among them. */
export function neededBy(code: string, entry: string): Declaration[] {
  const text = code.replace(/\/\/.*$/gm, '');
  const all: Declaration[] = [];
  let [depth, from] = [0, 0];
  for (let k = 0; k < text.length; k++) {
    if (text[k] === '{') depth++;
    if (text[k] === '}') depth--;
    if (depth > 0 || (text[k] !== '}' && text[k] !== ';')) continue;
    const one = text.slice(from, k + 1).trim();
    from = k + 1;
    const name = /\b(?:fn|struct|const|alias|var(?:<[^>]*>)?)\s+(\w+)/.exec(one)?.[1];
    if (name) all.push({ name, text: one });
  }
  const isFunction = new Set(all.filter((one) => /\bfn\s/.test(one.text)).map(({ name }) => name));
  const needed = new Set([entry]);
  // it grows while it is walked; a local variable may have the name of a function
  for (const name of needed)
    for (const [, word, call] of (all.find((one) => one.name === name)?.text ?? '').matchAll(/(\w+)(\(?)/g))
      if (all.some((one) => one.name === word) && (call || !isFunction.has(word!))) needed.add(word!);
  return all.filter(({ name }) => needed.has(name));
}

/** A storage buffer that one kernel or several are bound to. */
type Slot = Readonly<Record<'name' | 'access' | 'type' | 'text', string>> & { readonly slice: Slice };

const BINDING = /@binding\(\d+\)\s*var<storage,\s*(read|read_write)>\s*(\w+)\s*:\s*([^;]+);/;
const ENTRY = /@compute\s*@workgroup_size\((\w+)\)\s*/;
const PLACES = /@builtin\(workgroup_id\)(.*)@builtin\(local_invocation_index\)/;

/** Numbers of a buffer that a kernel finds by their place alone: they may be found behind others. */
const isMovable = (name: string, type: string, declared: readonly Declaration[]): boolean =>
  /^array<(?:[fiu]32|atomic<u32>)>$/.test(type) &&
  declared.every(
    ({ text }) =>
      /^struct\b/.test(text) || BINDING.test(text) || !new RegExp(`(?<!\\.)\\b${name}\\b(?!\\[)`).test(text),
  );

/** One of several kernels in a text: with names of its own. */
class Part {
  readonly given: Given;
  readonly texts: string[] = [];
  readonly fields: string[] = [];
  readonly dims: Record<string, number> = {};
  readonly lanes: number;
  readonly waits: boolean;
  readonly hasMemory: boolean;
  /** its entry point takes what `PLACES` says */
  readonly isCallable: boolean;
  readonly call: string;
  readonly told: string;
  private readonly k: number;

  constructor(given: Given, k: number, slots: Slot[]) {
    this.given = given;
    this.k = k;
    const { kernel, dims, groups, buffers } = given;
    const { entry = 'main' } = kernel;
    const declared = neededBy(codeOf(kernel), entry);
    const names = new Map(declared.map(({ name }) => [name, this.own(name)]));
    // these are those of all of them
    for (const name of ['dims', 'Dims']) names.delete(name);
    const moved = new Set<string>();
    const bound: string[] = [];
    this.field('groups', 'u32', groups[0]);
    this.field('deep', 'u32', groups[2]);
    for (const { name, text } of declared) {
      const [, access, , type] = BINDING.exec(text) ?? [];
      const fields = name === 'Dims' ? text.matchAll(/(\w+)\s*:\s*(\w+)/g) : [];
      for (const [, field, of] of fields) this.field(field!, of!, dims[field!]!);
      if (!access || !type) continue;
      const one = buffers[name]!;
      const slice = 'buffer' in one ? one : whole(one);
      bound.push(`${name} ${slice.size}`);
      if (isMovable(name, type, declared)) {
        moved.add(name);
        this.field(`${name}At`, 'u32', slice.offset / 4);
        names.set(name, slotOf(slots, { name: this.own(name), access, type, text, slice: whole(slice.buffer) }));
      } else
        names.set(name, slotOf(slots, { name: this.own(name), access, type: this.renamed(type, names), text, slice }));
    }
    for (const { name, text } of declared) {
      if (name === 'Dims' || text.startsWith('@group')) continue;
      let own = text.replace(/\bdims\.(\w+)/g, (_, field: string) => `dims.${this.own(field)}`);
      for (const one of moved)
        own = own.replace(new RegExp(`(?<!\\.)\\b${one}\\[`, 'g'), `${one}[dims.${this.own(`${one}At`)} + `);
      this.texts.push(this.renamed(own, names).replace(ENTRY, '').replace(PLACES, '$1'));
    }
    const { text } = declared.find(({ name }) => name === entry)!;
    const size = ENTRY.exec(text)![1]!;
    const lanes = declared.find(({ name }) => name === size)?.text.match(/=\s*(\d+)/)?.[1] ?? size;
    this.lanes = Number.parseInt(lanes, 10);
    this.waits = declared.some(({ text }) => /Barrier\(|UniformLoad\(/.test(text));
    this.hasMemory = declared.some(({ text }) => text.startsWith('var<workgroup>'));
    this.isCallable = PLACES.test(text);
    this.call = `${names.get(entry)}(`;
    this.told = `${kernel.id} ${groups.join('×')} of ${this.lanes}: ${bound.join(', ')}`;
  }

  private own(name: string): string {
    return `${name}_${this.k}`;
  }
  private field(name: string, type: string, value: number): void {
    this.fields.push(`${this.own(name)} : ${type}`);
    this.dims[this.own(name)] = value;
  }
  /** Fields of types keep their names. */
  private renamed(text: string, names: ReadonlyMap<string, string>): string {
    const isType = text.startsWith('struct');
    return text.replace(/(?<![.\w@])[A-Za-z_]\w*/g, (word, at: number) =>
      isType && /^\s*:/.test(text.slice(at + word.length)) ? word : (names.get(word) ?? word),
    );
  }
}

/** The name of the slot of a buffer, which is added where there is none. */
function slotOf(slots: Slot[], slot: Slot): string {
  const { access, type, slice } = slot;
  const found = slots.find(
    (one) =>
      one.access === access &&
      one.type === type &&
      one.slice.buffer === slice.buffer &&
      one.slice.offset === slice.offset &&
      one.slice.size === slice.size,
  );
  if (!found) slots.push(slot);
  return (found ?? slot).name;
}

/** Where does one write what another reads or writes? A device refuses even neighbors, where one of them only reads. */
const meets = (slots: readonly Slot[]): boolean =>
  slots.some((a, k) =>
    slots.slice(k + 1).some((b) => {
      if (a.slice.buffer !== b.slice.buffer || (a.access === 'read' && b.access === 'read')) return false;
      const isApart =
        a.slice.offset + a.slice.size <= b.slice.offset || b.slice.offset + b.slice.size <= a.slice.offset;
      return a.access !== b.access || !isApart;
    }),
  );

/**
 * Kernels as one, whose workgroups stand side by side; null where one dispatch cannot be all of them. Each keeps its invocations, and the
 * bits that they make.
 */
export function join({ device }: Gpu, calls: readonly Given[]): Given | null {
  const { maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = device.limits;
  const slots: Slot[] = [];
  const parts = calls.map((call, k) => new Part(call, k, slots));
  const lanes = Math.max(...parts.map((part) => part.lanes));
  const bytes = calls.reduce((sum, { kernel }) => sum + 4 * (kernel.laneWords ?? 0) * (kernel.lanes ?? 64), 0);
  const x = calls.reduce((sum, { groups }) => sum + groups[0], 0);
  if (
    slots.length > maxStorageBuffersPerShaderStage ||
    slots.some(({ slice }) => slice.size > maxStorageBufferBindingSize) ||
    meets(slots) ||
    parts.some((part) => !part.isCallable) ||
    parts.some((part) => part.waits && part.lanes !== lanes) ||
    parts.some((part) => part.hasMemory && !part.given.kernel.laneWords) ||
    calls.some(({ groups }) => groups[1] !== 1) ||
    bytes > WORKGROUP_BYTES ||
    x > MOST_GROUPS
  )
    return null;
  const bindings = slots.map(({ name, type, text }, k) =>
    text.replace(/@binding\(\d+\)/, `@binding(${k + 1})`).replace(/\w+\s*:[^;]*;$/, `${name} : ${type};`),
  );
  const choices = parts.map(({ call, lanes: own }, k) => {
    const mine = own < lanes ? ` && local < ${own}u` : '';
    return [
      `if (x < dims.groups_${k}) {`,
      `if (z < dims.deep_${k}${mine}) { ${call}vec3u(x, 0u, z), local); }`,
      `return;\n}\nx -= dims.groups_${k};`,
    ].join('\n');
  });
  const link = [
    `struct Dims { ${parts.flatMap(({ fields }) => fields).join(', ')} }`,
    ...bindings,
    ...parts.flatMap(({ texts }) => texts),
    `const LANES = ${lanes}u;`,
    `fn choose(x_ : u32, z : u32, local : u32) {\nvar x = x_;\n${choices.join('\n')}\n}`,
  ];
  return {
    kernel: {
      id: calls.map(({ kernel }) => kernel.id).join(' + '),
      ...{ wgsl: sideBySide, link },
      told: parts.map(({ told }) => told).join('; '),
    },
    dims: Object.assign({}, ...parts.map(({ dims }) => dims)) as Record<string, number>,
    groups: [x, 1, Math.max(...calls.map(({ groups }) => groups[2]))],
    buffers: Object.fromEntries(slots.map(({ name, slice }) => [name, slice])),
  };
}

/** Bytes of the parts that the first dispatch of a job leaves for the second one: one of each workgroup, or of each of its lanes. */
function partBytes({ kernel, groups }: Given): number {
  const { laneWords = 0, lanes = 64 } = kernel;
  const each = /const SHARE = 1u/.test(codeOf(kernel)) ? lanes : 1;
  return Math.ceil((4 * laneWords * each * groups[0] * groups[2]) / 256) * 256;
}

/** Jobs with a section of `parts` for each, of those that it has room for; and those before, which have all of it, one after the other. */
export function apart(jobs: readonly (readonly Given[])[]): Record<'alone' | 'together', (readonly Given[])[]> {
  const found = { alone: [] as (readonly Given[])[], together: [] as (readonly Given[])[] };
  let offset = 0;
  for (const job of jobs) {
    const parts = job.length > 1 && job[0]!.buffers['parts'];
    if (!parts) {
      found.together.push(job);
      continue;
    }
    const size = partBytes(job[0]!);
    const all = 'buffer' in parts ? parts : whole(parts);
    if (offset + size > all.size) {
      found.alone.push(job);
      continue;
    }
    const own = { buffer: all.buffer, offset: all.offset + offset, size };
    found.together.push(job.map((call) => ({ ...call, buffers: { ...call.buffers, parts: own } })));
    offset += size;
  }
  return found;
}

/** Calls that nothing of each other waits for, as few as they can be in their order. */
export function joined(gpu: Gpu, calls: readonly Given[]): Given[] {
  const done: Given[] = [];
  let [now, all] = [[] as Given[], null as Given | null];
  for (const call of calls) {
    const both = now.length > 0 ? join(gpu, [...now, call]) : call;
    if (!both) done.push(all!);
    [now, all] = both ? [[...now, call], both] : [[call], call];
  }
  return all ? [...done, all] : done;
}

type Use = { readonly writes: boolean; readonly slice: Slice };

/** What a kernel reads and writes. */
function usesOf({ kernel, buffers }: Given): Use[] {
  return neededBy(codeOf(kernel), kernel.entry ?? 'main').flatMap(({ text }) => {
    const [, access, name] = BINDING.exec(text) ?? [];
    const one = name === undefined ? undefined : buffers[name];
    return one ? [{ writes: access === 'read_write', slice: 'buffer' in one ? one : whole(one) }] : [];
  });
}

const overlap = (a: Slice, b: Slice): boolean =>
  a.buffer === b.buffer && a.offset < b.offset + b.size && b.offset < a.offset + a.size;
/** Does one write what the other reads or writes? */
const waits = (before: readonly Use[], after: readonly Use[]): boolean =>
  before.some((a) => after.some((b) => (a.writes || b.writes) && overlap(a.slice, b.slice)));

/** Calls that follow one another as turns of them: each stands in the first turn behind all that it has to wait for. */
export function inTurns(calls: readonly Given[]): Given[][] {
  const turns: Given[][] = [];
  const known: { readonly uses: readonly Use[]; readonly turn: number }[] = [];
  for (const call of calls) {
    const uses = usesOf(call);
    const turn = Math.max(0, ...known.map((one) => (waits(one.uses, uses) ? one.turn + 1 : 0)));
    known.push({ uses, turn });
    (turns[turn] ??= []).push(call);
  }
  return turns;
}
