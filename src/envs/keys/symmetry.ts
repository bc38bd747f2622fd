/**
 * The eight symmetries of a grid, and its canonical form (BQ-NCO, arXiv 2301.03313). Transform ids 0–7: a
 * left–right mirror first where the id is 4 or more, then id mod 4 quarter turns clockwise.
 */

/** Transforms that keep the shape of a grid: rectangles have half of them. */
export const symmetriesOf = (height: number, width: number): readonly number[] =>
  height === width ? [0, 1, 2, 3, 4, 5, 6, 7] : [0, 2, 4, 6];

/** Where a cell y·width + x of the grid comes to lie under a transform that keeps the shape of the grid. */
export function imageOf(cell: number, height: number, width: number, transform: number): number {
  let x = cell % width;
  let y = Math.floor(cell / width);
  let [w, h] = [width, height];
  if (transform >= 4) x = w - 1 - x;
  for (let turn = 0; turn < (transform & 3); turn++) {
    [x, y] = [h - 1 - y, x];
    [w, h] = [h, w];
  }
  return y * w + x;
}

/** What a direction 0 right, 1 down, 2 left, 3 up becomes under a transform. */
export const actionImage = (action: number, transform: number): number =>
  ((transform >= 4 ? (2 - action) & 3 : action) + (transform & 3)) & 3;

/** The direction that becomes this one. */
export function actionBefore(image: number, transform: number): number {
  const turned = (image - (transform & 3)) & 3;
  return transform >= 4 ? (2 - turned) & 3 : turned;
}

/** Cells of a grid under a transform. */
export function imageCells(cells: ArrayLike<number>, height: number, width: number, transform: number): number[] {
  const image = new Array<number>(height * width);
  for (let cell = 0; cell < height * width; cell++) image[imageOf(cell, height, width, transform)] = cells[cell]!;
  return image;
}

/** The lexicographically smallest image of a grid, and the transform that gives it: of several the one with the smallest id. */
export function canonicalGrid(cells: ArrayLike<number>, height: number, width: number) {
  let canonical = imageCells(cells, height, width, 0);
  let transform = 0;
  for (const id of symmetriesOf(height, width).slice(1)) {
    const image = imageCells(cells, height, width, id);
    const at = image.findIndex((cell, k) => cell !== canonical[k]);
    if (at >= 0 && image[at]! < canonical[at]!) [canonical, transform] = [image, id];
  }
  return { canonical, transform };
}
