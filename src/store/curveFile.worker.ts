import { curveFile } from './curveFile.ts';

/** Moves so many parts to a file and answers with those that come back as they were, in a turn of their own each. */
self.onmessage = async ({ data: parts }: MessageEvent<number>): Promise<void> => {
  const told: string[] = [];
  const file = await curveFile((trouble) => told.push(trouble));
  const partOf = (k: number): Float32Array => Float32Array.from({ length: 9000 }, (_, j) => k + j / 7);
  const places = Array.from({ length: parts }, (_, k) => file?.write(partOf(k)) ?? null);
  self.postMessage('written');
  self.onmessage = () => {
    const into = new Float32Array(9000);
    const isSame = (place: number | null, k: number): boolean =>
      place !== null && file!.read(place, into) && partOf(k).every((x, j) => x === into[j]);
    self.postMessage({ same: places.filter(isSame).length, told });
  };
};
