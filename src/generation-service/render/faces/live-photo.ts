import { boundsOf } from '../../../faces/geometry.ts';
import { type Canvas, copyCanvas, createCanvas } from '../canvas.ts';
import { type Expression, expressPoints } from './expression.ts';
import { EYES, type Points, trianglesInOrder } from './mesh.ts';
import { createLid, createMouth } from './patches.ts';
import { movedSurroundings, surroundedPoints, surroundedTriangles } from './surroundings.ts';
import { warpMesh } from './warp.ts';

/** Makes a photo whose faces can show expressions. The returned canvas is valid until the next call. */
export function createLivePhoto(photo: Canvas, faces: readonly Points[]) {
  const frame = copyCanvas(photo);
  const people = faces.map((points, index) => createPerson(photo, points, reachOf(faces, index)));
  return (expressions: readonly Expression[]): Canvas => {
    for (const { box } of people) copyPart(photo, box, frame, box.left, box.top);
    for (const [index, person] of people.entries()) {
      const expression = expressions[index];
      if (expression !== undefined) person.draw(frame, expression);
    }
    return frame;
  };
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

function createPerson(photo: Canvas, points: Points, reach: number) {
  const all = surroundedPoints(points, reach);
  const bounds = boundsOf(all);
  // The face can lie outside of a crop, so the box is kept inside the photo.
  const left = Math.min(photo.width - 2, Math.max(0, Math.floor(bounds.left) - 1));
  const top = Math.min(photo.height - 2, Math.max(0, Math.floor(bounds.top) - 1));
  const box: Box = {
    left,
    top,
    width: Math.max(2, Math.min(photo.width, Math.ceil(bounds.right) + 2) - left),
    height: Math.max(2, Math.min(photo.height, Math.ceil(bounds.bottom) + 2) - top),
  };
  // The source is read from the frame with the neighbours already drawn, so that faces do not cut each other.
  const source = createCanvas(box);
  const still = all.map((value, i) => value - ([left, top, 0][i % 3] ?? 0));
  const triangles = trianglesInOrder(all, surroundedTriangles);
  const lids = EYES.map((eye) => createLid(photo, points, eye));
  const mouth = createMouth(photo, points);
  return {
    box,
    draw(frame: Canvas, expression: Expression): void {
      const moved = movedSurroundings(all, expressPoints(points, expression));
      copyPart(frame, box, source, 0, 0);
      warpMesh(frame, { source, from: still, to: moved, triangles });
      for (const [index, lid] of lids.entries())
        lid.draw(frame, source, still, moved, expression.lids[index] ?? 0);
      mouth.draw(frame, source, still, moved, expression.round);
    },
  };
}

function copyPart(from: Canvas, { left, top, width, height }: Box, to: Canvas, x: number, y: number): void {
  for (let row = 0; row < height; row += 1) {
    const start = ((top + row) * from.width + left) * 3;
    to.data.set(from.data.subarray(start, start + width * 3), ((y + row) * to.width + x) * 3);
  }
}

/** How far the surroundings of a face reach, so that they do not overlap another face. */
function reachOf(faces: readonly Points[], index: number): number {
  const circles = faces.map((points) => {
    const { left, top, right, bottom } = boundsOf(points);
    return { x: (left + right) / 2, y: (top + bottom) / 2, radius: (right - left + bottom - top) / 4 };
  });
  const own = circles[index];
  if (own === undefined) return 1;
  const free = circles
    .filter((_, other) => other !== index)
    .map(({ x, y, radius }) => (Math.hypot(x - own.x, y - own.y) - radius) / own.radius - 1);
  return Math.min(1, Math.max(0.3, Math.min(...free)));
}
