/** What an invocation does of a kernel is counted by the kernel itself: its text says at every place what happens there. */

/** End of the bracket that opens at `from`. */
function closing(code: string, from: number): number {
  let depth = 0;
  for (let k = from; k < code.length; k++) {
    if (code[k] === '[') depth++;
    else if (code[k] === ']' && --depth === 0) return k;
  }
  throw new Error('A bracket stays open.');
}

/** Text in which reads of the arrays `names` pass their index through `through`; what is only written is none. */
function marked(text: string, names: readonly string[], through: string): string {
  if (names.length === 0) return text;
  const name = new RegExp(`\\b(?:${names.join('|')})\\[`, 'g');
  let made = '';
  let from = 0;
  for (const found of text.matchAll(name)) {
    if (found.index < from) continue;
    const open = found.index + found[0].length - 1;
    const end = closing(text, open);
    const index = marked(text.slice(open + 1, end), names, through);
    const isWritten = /^\]\s*=[^=]/.test(text.slice(end, end + 12));
    made += `${text.slice(from, open + 1)}${isWritten ? index : `${through}(${index})`}`;
    from = end;
  }
  return made + text.slice(from);
}

const BUILT_IN = /\b(?:select|min|max|exp|log|fma|clamp|firstTrailingBit|countTrailingZeros|f32|i32|u32)\(/g;
/** Assignments that compute, each one operation. */
const COMPUTING = /[-+*/|&^]=(?!=)|<<=|>>=|\+\+|--/g;
const OPERATOR = /<<|>>|&&|\|\||[=!<>]=|[-+*/%&|^<>~!]/g;
const count = (text: string, what: RegExp): number => [...text.matchAll(what)].length;

/** Operations that stand in a piece of text: operators, functions of the language, and a comparison for every case. */
export function operationsIn(text: string): number {
  const bare = text.replace(/\b(array|bitcast|vec\d|atomic|ptr)<[^>]*>/g, '$1').replaceAll('->', '');
  const rest = bare.replace(COMPUTING, ';');
  return count(bare, BUILT_IN) + count(bare, /\bcase\b/g) + count(bare, COMPUTING) + count(rest, OPERATOR);
}

/** A function that counts its operations, block by block: what stands between two braces is done together. */
function ticking(text: string): string {
  const first = text.indexOf('{') + 1;
  const around: ('block' | 'switch')[] = ['block'];
  let made = text.slice(0, first);
  let piece = '';
  /** operations of the head of a loop, which each turn does again */
  let again = 0;
  let depth = 0;
  let k = first;
  for (; k < text.length && around.length > 0; k++) {
    const c = text[k]!;
    depth += c === '(' ? 1 : c === ')' ? -1 : 0;
    if (depth !== 0 || (c !== '{' && c !== '}')) {
      piece += c;
      continue;
    }
    const operations = operationsIn(piece) + again;
    // nothing can stand before an else or a case; what is asked there is little
    const isApart = /^\s*else\b/.test(piece) || around.at(-1) === 'switch';
    made += `${operations > 0 && !isApart ? `tick(${operations}u);` : ''}${piece}${c}`;
    const head = /\b(?:for|while)\s*\([^{}]*$/.exec(piece)?.[0];
    again = c === '{' && head !== undefined ? operationsIn(head) : 0;
    if (c === '}') around.pop();
    else around.push(/\bswitch\b[^{}]*$/.test(piece) ? 'switch' : 'block');
    piece = '';
  }
  return made + text.slice(k);
}

/**
 * Instructions of a threefry whose loops a compiler has written out: twenty rounds of an addition, two shifts, an or and an exclusive or,
 * and five times a key. Its text does more, in an order that no compiler keeps.
 */
export const DRAW = 118;

const declared = (code: string, space: RegExp): string[] =>
  [...code.matchAll(/\bvar<([\w, ]+)>\s*(\w+)\s*:\s*array/g)].filter((m) => space.test(m[1]!)).map((m) => m[2]!);

/** Functions of the network of a rollout. */
const NETWORK =
  /^(sparse|hidden|last|first|chain|sharedChain|keepFour|activated|safeTanh|weightAt|fourAt|fourOf|biasFour|isAnyPlaceTaken)/;

/** Reads of storage and of nearer memory, operations, and steps: where they are added up in flags. */
export const TALLY = ['storage', 'near', 'operations', 'steps'] as const;

/**
 * A rollout that counts in flags[0 … 4) what its invocations do: all that happens in a step where each plays alone, and what the busiest of a
 * workgroup does where they wait for each other. The kernel has replicas for so many flags.
 */
export function tallied(code: string, hasNetwork: boolean): string {
  const bare = code.replace(/\/\/.*$/gm, '');
  const [storage, near] = [declared(bare, /^storage/), declared(bare, /^(workgroup|private)/)];
  const parts = bare.split(/^(?=fn |@compute)/m).map((part) => {
    const name = /^(?:@.*\n)?fn (\w+)/.exec(part)?.[1];
    if (name === 'threefry') return part.replace('{', `{ tick(${DRAW}u);`);
    // levels are brought once, by all of a workgroup
    if (name === undefined || name === 'rotl' || name === 'mixed' || name === 'bringLevels') return part;
    if (!hasNetwork && NETWORK.test(name)) return part;
    return marked(marked(ticking(part), storage, 'fromStorage'), near, 'fromNear');
  });
  const made = parts.join('').replace(/(?=storageBarrier\(\);)/, 'busiest();');
  const isShared = made.includes('busiest();');
  const counts = isShared
    ? made.replace('isAnyone = isAnyPlaceTaken();', '$& book(isAnyone);')
    : made.replace(/(?=if \(advance\()/, 'bookOwn(); ');
  return `${counts}${COUNTERS}${isShared ? OF_WORKGROUP : OF_OWN}`;
}

const COUNTERS = `
var<private> tally : array<u32, 3>;
fn fromStorage(k : u32) -> u32 { tally[0]++; return k; }
fn fromNear(k : u32) -> u32 { tally[1]++; return k; }
fn tick(n : u32) { tally[2] += n; }
`;
const OF_OWN = `
fn bookOwn() {
  for (var k = 0u; k < 3u; k++) { atomicAdd(&flags[k], tally[k]); }
  atomicAdd(&flags[3], 1u);
  tally = array<u32, 3>();
}
`;
const OF_WORKGROUP = `
var<workgroup> most : array<atomic<u32>, 3>;
fn busiest() {
  for (var k = 0u; k < 3u; k++) { atomicMax(&most[k], tally[k]); }
  tally = array<u32, 3>();
}
fn book(isStep : bool) {
  for (var k = 0u; k < 3u; k++) { atomicAdd(&flags[k], atomicExchange(&most[k], 0u)); }
  atomicAdd(&flags[3], select(0u, 1u, isStep));
}
`;
