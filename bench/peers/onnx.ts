/** Just enough of the ONNX format (a protocol buffer) for a graph of one MatMul. Field numbers are those of onnx.proto. */

type Field = readonly [number: number, value: number | string | Uint8Array];

function varint(x: number): number[] {
  const bytes: number[] = [];
  for (; x > 127; x = Math.floor(x / 128)) bytes.push((x % 128) | 128);
  return [...bytes, x];
}

function message(...fields: readonly Field[]): Uint8Array {
  const bytes: number[] = [];
  for (const [field, value] of fields) {
    if (typeof value === 'number') bytes.push(...varint(field * 8), ...varint(value));
    else {
      const body = typeof value === 'string' ? new TextEncoder().encode(value) : value;
      bytes.push(...varint(field * 8 + 2), ...varint(body.length), ...body);
    }
  }
  return Uint8Array.from(bytes);
}

const FLOAT = 1;

/** ValueInfoProto of a matrix of f32. */
function matrix(name: string, rows: number, cols: number): Uint8Array {
  const shape = message([1, message([1, rows])], [1, message([1, cols])]);
  return message([1, name], [2, message([1, message([1, FLOAT], [2, shape])])]);
}

/** A model with Y = A·B. */
export function productModel(m: number, k: number, n: number): Uint8Array {
  const node = message([1, 'A'], [1, 'B'], [2, 'Y'], [4, 'MatMul']);
  const graph = message(
    [1, node],
    [2, 'product'],
    [11, matrix('A', m, k)],
    [11, matrix('B', k, n)],
    [12, matrix('Y', m, n)],
  );
  return message([1, 8], [7, graph], [8, message([2, 13])]);
}
