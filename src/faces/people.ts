import { type Area, sharesOf } from '../base/area.ts';
import type { Face } from './face.ts';

/** A person in a photo. */
export interface PersonAreas {
  /** The part of the photo that shows this person, and others as little as possible. */
  readonly cut: Area;
  /** The face alone, as a square. */
  readonly portrait: Area;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The least width of a face relative to the widest one; narrower ones are passers-by. */
const LEAST_WIDTH = 1 / 4;
/** The size of a cut in widths and heights of the face: room for hair, ears, shoulders. */
const CUT = { width: 2.4, height: 2.8, above: 0.8 };
const PORTRAIT = 1.9;

/**
 * The people in a photo from left to right. Each cut is at least `leastSide` pixels a side, where the photo has them without
 * showing other people.
 */
export function peopleIn(faces: readonly Face[], photo: Size, leastSide: number): readonly PersonAreas[] {
  const widest = Math.max(...faces.map(({ box }) => box.width));
  return faces
    .map(({ box }) => box)
    .filter(({ width }) => width >= LEAST_WIDTH * widest)
    .toSorted((a, b) => middleOf(a).x - middleOf(b).x)
    .map((box, _, all) => {
      const others = all.filter((other) => other !== box);
      return {
        cut: sharesOf(cutOf(box, others, photo, leastSide), photo),
        portrait: sharesOf(portraitOf(box, photo), photo),
      };
    });
}

const middleOf = (box: Area) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

function cutOf(box: Area, others: readonly Area[], photo: Size, leastSide: number): Area {
  const { left, top, right, bottom } = roomOf(box, others, photo);
  const across = within(
    left,
    right,
    Math.max(leastSide, box.width * CUT.width),
    (length) => middleOf(box).x - length / 2,
  );
  const down = within(
    top,
    bottom,
    Math.max(leastSide, box.height * CUT.height),
    (length) => box.top - (length - box.height) * (CUT.above / (CUT.height - 1)),
  );
  return { left: across.from, width: across.length, top: down.from, height: down.length };
}

/** A span of the wanted length, moved so that it lies between `from` and `to`. */
function within(from: number, to: number, wanted: number, startOf: (length: number) => number) {
  const length = Math.min(wanted, to - from);
  return { length, from: Math.min(Math.max(startOf(length), from), to - length) };
}

/** The part of the photo nearer to this face than to any other, cut on the side where the other face is farthest. */
function roomOf(box: Area, others: readonly Area[], photo: Size) {
  const room = { left: 0, top: 0, right: photo.width, bottom: photo.height };
  const right = box.left + box.width;
  const bottom = box.top + box.height;
  for (const other of others) {
    const gaps = {
      left: box.left - (other.left + other.width),
      right: other.left - right,
      top: box.top - (other.top + other.height),
      bottom: other.top - bottom,
    };
    const widest = Math.max(gaps.left, gaps.right, gaps.top, gaps.bottom);
    const half = Math.max(0, widest) / 2;
    if (widest === gaps.left) room.left = Math.max(room.left, box.left - half);
    else if (widest === gaps.right) room.right = Math.min(room.right, right + half);
    else if (widest === gaps.top) room.top = Math.max(room.top, box.top - half);
    else room.bottom = Math.min(room.bottom, bottom + half);
  }
  return room;
}

function portraitOf(box: Area, { width, height }: Size): Area {
  const side = Math.min(width, height, PORTRAIT * Math.max(box.width, box.height));
  const { x, y } = middleOf(box);
  const across = within(0, width, side, () => x - side / 2);
  const down = within(0, height, side, () => y - side / 2);
  return { left: across.from, width: side, top: down.from, height: side };
}
