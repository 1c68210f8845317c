import type { Face } from '../../../faces/face.ts';
import { type TextStyle, textSvg, textWidth } from '../../../picture/text.ts';
import { type Canvas, rgb, type Size } from '../canvas.ts';
import type { Points } from '../faces/mesh.ts';
import type { FacePicture, Seat } from '../faces/place.ts';
import { sample } from '../faces/warp.ts';
import { createBrush } from './brush.ts';
import {
  drawBrushSvg,
  drawPeople,
  hairOf,
  type PlacedPerson,
  readPaintedFace,
  type SceneSetting,
  skinOf,
} from './draw-scene.ts';
import type { DrawnGender, Scene } from './scene.ts';

const MOST_PEOPLE = 6;

/** A person of a group; the request does not say who is a child or a woman. */
export interface Member {
  photo: Uint8Array;
  face: Face;
}

/** The people with the largest faces, photo by photo, and from left to right in each. */
export function membersOf(photos: readonly Uint8Array[], faces: readonly (readonly Face[])[]): Member[] {
  const all = photos.flatMap((photo, n) =>
    (faces[n] ?? [])
      .toSorted((a, b) => a.box.left + a.box.width / 2 - b.box.left - b.box.width / 2)
      .map((face) => ({ photo, face })),
  );
  const largest = new Set(
    all.toSorted((a, b) => b.face.box.height - a.face.box.height).slice(0, MOST_PEOPLE),
  );
  return all.filter((member) => largest.has(member));
}

/** Colours of the costumes of the fifth and the sixth person. */
const MORE_COLOURS = ['#a8741f', '#46526c'];

/** Draws the scene with all members, each in a costume of another colour. `found` people were in the photos. */
export async function drawGroup(
  setting: SceneSetting,
  members: readonly Member[],
  found = members.length,
): Promise<Canvas> {
  const { scene, size } = setting;
  const children = areChildren(members.map(({ face }) => face));
  const seats = seatsOf(scene, size, children);
  const colours = [...Object.values(scene.colours), ...MORE_COLOURS];
  const people: PlacedPerson[] = [];
  for (const [n, { photo, face }] of members.entries()) {
    const seat = seats[n];
    if (seat === undefined) throw new Error('there are more people than seats');
    const picture = await readPaintedFace(photo, face, seat.height);
    const gender = variantFor(picture, children[n] ?? false);
    people.push({ picture, face, gender, seat, colour: colours[n] ?? '' });
  }
  const canvas = await drawPeople(
    setting,
    people.toSorted((a, b) => a.seat.centre.y - b.seat.centre.y),
  );
  return found > members.length ? drawCount(canvas, members.length, found) : canvas;
}

/** Writes in a corner that not everybody is in the picture. */
function drawCount(canvas: Canvas, shown: number, found: number): Promise<Canvas> {
  const text = `${shown} of ${found} people`;
  const style: TextStyle = { size: 22, colour: '#ffffff', weight: 0.14, spacing: 0.24, align: 'right' };
  const right = canvas.width - 40;
  const y = canvas.height - 60;
  const wide = textWidth(text, style) + 36;
  const plate = `<rect x="${right - wide + 18}" y="${y - 14}" width="${wide}" height="50" rx="14" fill="#000" opacity=".55"/>`;
  return drawBrushSvg(canvas, { brush: createBrush() }, '', plate + textSvg(text, right, y, style));
}

/** Guesses which faces are of children: these are wide for their height below the eyes, and small beside those of adults. */
export function areChildren(faces: readonly Pick<Face, 'points' | 'box'>[]): boolean[] {
  const heights = faces.map(({ box }) => box.height).toSorted((a, b) => a - b);
  const usual = heights[heights.length >> 1] ?? 1;
  return faces.map(({ points, box }) => roundness(points) > (box.height < usual * 0.85 ? 0.645 : 0.66));
}

/** The distance of the eyes divided by their distance to the chin. */
function roundness(points: Points): number {
  const middle = (...ids: number[]) =>
    [0, 1, 2].map((axis) => ids.reduce((sum, id) => sum + (points[id * 3 + axis] ?? 0), 0) / ids.length);
  const distance = (a: number[], b: number[]) =>
    Math.hypot(...a.map((value, axis) => value - (b[axis] ?? 0)));
  return distance(middle(33, 133), middle(362, 263)) / distance(middle(33, 133, 362, 263), middle(152));
}

/** Chooses the variant of a costume: a person whose hair shows beside the jaw on both sides gets the one with long hair. */
function variantFor(picture: FacePicture, isChild: boolean): DrawnGender {
  const { canvas, points } = picture;
  const at = (point: number, axis: number) => points[point * 3 + axis] ?? 0;
  const hair = rgb(hairOf(picture, skinOf(picture)));
  const outwards = (at(152, 1) - at(10, 1)) * 0.16;
  const hasHair = (point: number, side: number) => {
    const colour = [0, 1, 2].map((k) => sample(canvas, at(point, 0) + side * outwards, at(point, 1), k));
    return Math.hypot(...colour.map((value, k) => value - (hair[k] ?? 0))) < 60;
  };
  const isLong = hasHair(58, -1) && hasHair(288, 1);
  if (isChild) return isLong ? 'girl' : 'boy';
  return isLong ? 'female' : 'male';
}

/**
 * Seats by the number of people, for a picture that is 1200 high: the height of the largest face, the distance between faces in
 * faces, and how much higher a few people are placed.
 */
const ROOM: readonly (readonly [height: number, apart: number, lift: number])[] = [
  [340, 0, 110],
  [310, 1.9, 60],
  [285, 1.7, 0],
  [268, 1.5, 0],
  [242, 1.38, 0],
  [210, 1.36, 0],
];
const VIEW = { width: 1800, height: 1200 };
const CHILD = 0.8;

/** Places people from left to right in two rows, so that nobody hides a face; children and their neighbours are in front. */
function seatsOf(scene: Scene, { width, height }: Size, children: readonly boolean[]): Seat[] {
  const { y = 0.55, scale = 1 } = scene.seat ?? {};
  const [tall, apart, lift] = ROOM[children.length - 1] ?? [210, 1.36, 0];
  const unit = Math.min(width / VIEW.width, height / VIEW.height);
  const face = tall * scale * unit;
  const rise = face * (children.length === 2 ? 0.3 : 0.8);
  let isBehind = true;
  return children.map((isChild, n) => {
    isBehind = !isChild && !isBehind && children.length > 1;
    const x = width / 2 + (n - (children.length - 1) / 2) * apart * face;
    let low = isBehind ? -rise : 0;
    if (isChild) low = face * 0.3;
    return {
      centre: { x, y: height * y + low - lift * unit },
      height: isChild ? face * CHILD : face,
    };
  });
}
