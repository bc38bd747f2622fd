/** Arrays of numbers that a text binds: place, space, name, type. */
const DECLARED = /@group\(0\)\s*@binding\((\d+)\)\s*(var<storage[^>]*>)\s*(\w+)\s*:\s*array<(\w+)>;/g;

/** An array of a kernel that is bound in several ranges, because one binding may not be that large. */
export type Split = {
  readonly name: string;
  /** bytes of a range; the last one has what is left */
  readonly bytes: number;
  readonly parts: number;
};

/** A binding of a split text: range `part` of the array `of`. */
export type Part = { readonly of: string; readonly part: number };

/** The type that a name stands for; null where it is none of numbers. */
function typeOf(code: string, type: string): string | null {
  const known = new RegExp(`\\balias ${type}\\s*=\\s*(\\w+);`).exec(code)?.[1] ?? type;
  return /^([fui]32|vec[234][fui])$/.test(known) ? known : null;
}

/** Bytes of an element as WGSL lays it out. */
const SIZE: Readonly<Record<string, number>> = { '2': 8, '3': 16, '4': 16 };
const sizeOf = (type: string): number => SIZE[/^vec([234])/.exec(type)?.[1] ?? ''] ?? 4;

/** The place after the bracket that closes the one at `from`. */
function closing(code: string, from: number): number {
  for (let k = from, depth = 0; k < code.length; k++) {
    if ('[({'.includes(code[k]!)) depth++;
    else if ('])}'.includes(code[k]!) && --depth === 0) return k + 1;
  }
  throw new Error('A bracket of a kernel is not closed.');
}

/** The place of the semicolon that ends the statement in which `from` is; null inside of brackets. */
function endOf(code: string, from: number): number | null {
  for (let k = from; k < code.length; k++) {
    if (code[k] === ';') return k;
    if ('[({'.includes(code[k]!)) k = closing(code, k) - 1;
    else if ('])}'.includes(code[k]!)) break;
  }
  return null;
}

/** Comments out of the way, with the lines where they were. */
const bare = (code: string): string => code.replace(/\/\/[^\n]*/g, '');

/** True where a function has something else of this name. */
const isShadowed = (body: string, name: string): boolean =>
  new RegExp(`\\b(?:let|const|var(?:<[^>]*>)?)\\s+${name}\\b\\s*[:=;]|[(,]\\s*${name}\\s*:`).test(body);

/** The text with every function changed; null where one cannot be. */
function inFunctions(code: string, change: (body: string) => string | null): string | null {
  const found = /\bfn \w+\(/.exec(code);
  if (!found) return code;
  const end = closing(code, code.indexOf('{', closing(code, found.index + found[0].length - 1)));
  const body = change(code.slice(found.index, end));
  const rest = inFunctions(code.slice(end), change);
  return body === null || rest === null ? null : code.slice(0, found.index) + body + rest;
}

/** A statement that changes one element: `= v`, or an operation with what is there. */
const CHANGE = /^\s*(=(?!=)|[-+*/|&^]=)/;

/** Reads and writes of `name[…]` as calls; null where the text does something else with it. */
function withCalls(code: string, name: string): string | null {
  const found = new RegExp(`\\b${name}\\b`).exec(code);
  if (!found) return code;
  const at = found.index;
  const open = at + name.length;
  const before = code.slice(0, at);
  // a member of something else, or a text that passes the array on
  if (/\.\s*$/.test(before)) {
    const rest = withCalls(code.slice(open), name);
    return rest === null ? null : code.slice(0, open) + rest;
  }
  if (/[(,=]\s*&\s*$/.test(before)) return null;
  const bracket = /^\s*\[/.exec(code.slice(open));
  if (!bracket) return null;
  const close = closing(code, open + bracket[0].length - 1);
  const index = withCalls(code.slice(open + bracket[0].length, close - 1), name);
  if (index === null) return null;
  const after = code.slice(close);
  const isStatement = /(^|[;{}])\s*$/.test(before);
  // a change of a part of an element would write all of it
  if (isStatement && /^\s*(\.|\[|\+\+|--)/.test(after)) return null;
  const change = isStatement ? CHANGE.exec(after) : null;
  if (!change) {
    const rest = withCalls(after, name);
    return rest === null ? null : `${before}${name}_get(u32(${index}))${rest}`;
  }
  const end = endOf(code, close + change[0].length);
  if (end === null) return null;
  const value = withCalls(code.slice(close + change[0].length, end), name);
  const rest = withCalls(code.slice(end + 1), name);
  if (value === null || rest === null) return null;
  const operator = change[1]!.slice(0, -1);
  const now = operator === '' ? value : `${name}_get(splitAt) ${operator} (${value})`;
  return `${before}{ let splitAt = u32(${index}); ${name}_set(splitAt, ${now}); }${rest}`;
}

/**
 * WGSL in which some arrays are bound in ranges: every access asks which one an element is in. The text computes what it
 * did, on the same numbers in the same order. Null where an array is used in a way that this cannot follow (atomics,
 * pointers, its length). Lines stay where they are.
 */
export function splitText(code: string, splits: readonly Split[]): { code: string; parts: Map<string, Part> } | null {
  let text = bare(code);
  const parts = new Map<string, Part>();
  let next = Math.max(...[...text.matchAll(/@binding\((\d+)\)/g)].map((m) => Number(m[1]))) + 1;
  for (const { name, bytes, parts: count } of splits) {
    const declared = [...text.matchAll(DECLARED)].find((found) => found[3] === name);
    const type = declared && typeOf(text, declared[4]!);
    if (!declared || !type) return null;
    const [all, , space] = declared;
    const called = [text.slice(0, declared.index), text.slice(declared.index + all.length)].map((part) =>
      inFunctions(part, (body) =>
        isShadowed(body, name)
          ? body.replace(new RegExp(`(?<!\\.)\\b${name}\\b`, 'g'), `${name}_own`)
          : withCalls(body, name),
      ),
    );
    if (called.includes(null)) return null;
    const each = bytes / sizeOf(type);
    const ranges = Array.from({ length: count }, (_, k) => k);
    const bound = ranges.map((k) => {
      parts.set(`${name}_${k}`, { of: name, part: k });
      const own = k === 0 ? all : all.replace(/@binding\(\d+\)/, `@binding(${next++})`);
      return own.replace(/\w+(?=\s*:)/, `${name}_${k}`);
    });
    const choose = (act: (range: string, at: string) => string): string =>
      ranges
        .map((k) => {
          const does = act(`${name}_${k}`, k === 0 ? 'i' : `i - ${k * each}u`);
          return k + 1 < count ? `if (i < ${(k + 1) * each}u) { ${does} }` : does;
        })
        .join(' ');
    const get = `fn ${name}_get(i : u32) -> ${type} { ${choose((range, at) => `return ${range}[${at}];`)} }`;
    const set = `fn ${name}_set(i : u32, v : ${type}) { ${choose((range, at) => `${range}[${at}] = v; return;`)} }`;
    const isWritten = space!.includes('read_write');
    text = [called[0], bound.join(' '), ` ${get}`, isWritten ? ` ${set}` : '', called[1]].join('');
  }
  return { code: text, parts };
}
