import { keepLatest } from '../../../base/keep-latest.ts';
import type { Face } from '../../../faces/face.ts';
import {
  asSharp,
  type Canvas,
  copyCanvas,
  createCanvas,
  createRandom,
  drawLayer,
  pasteCanvas,
  type Rgb,
  readCanvas,
  type Size,
} from '../canvas.ts';
import { exposureTowards, lightFactorsFor } from '../faces/light.ts';
import { OVAL, type Points } from '../faces/mesh.ts';
import { drawFace, type FacePicture, placeFace, readFace, type Seat } from '../faces/place.ts';
import { sample } from '../faces/warp.ts';
import { createBrush, hex, mix } from './brush.ts';
import {
  type Backdrop,
  type DrawnGender,
  type Figure,
  outlineOf,
  type Scene,
  type SceneChanges,
} from './scene.ts';
import { atTimeOfDay, weatherBefore } from './scenery.ts';

/** A person who is put into a scene. */
export interface Sitter {
  photo: Uint8Array;
  face: Face;
  gender: DrawnGender;
}

/** A person who has a place in the picture. */
export interface PlacedPerson {
  picture: FacePicture;
  face: Face;
  gender: DrawnGender;
  seat: Seat;
  /** The colour of the clothes, unless the prompt names one. */
  colour: string;
}

export interface SceneSetting {
  scene: Scene;
  /** A key that is unique among scenes, for the cache of backgrounds. */
  key: string;
  size: Size;
  changes: SceneChanges;
  seed: number;
}

const FACE_UNITS = 400;
/** The width of the brush, in heights of a face. */
const BRUSH = 1 / 75;

/** Draws the scene with one person. */
export async function drawScene(setting: SceneSetting, { photo, face, gender }: Sitter): Promise<Canvas> {
  const { scene, size } = setting;
  const seat = seatOf(scene, size, gender);
  const picture = await readPaintedFace(photo, face, seat.height);
  return drawPeople(setting, [{ picture, face, gender, seat, colour: scene.colours[gender] }]);
}

/** A face is read this much larger than it is drawn. */
const SHARPER = 1.2;
/** The share of paint in a face; the other part is the photo, which keeps the likeness. */
const PAINTED = 0.55;

/** Reads a face for a seat of this height, and smooths the fine grain of the photo like a brush. */
export async function readPaintedFace(photo: Uint8Array, face: Face, height: number): Promise<FacePicture> {
  const picture = await readFace(photo, face, height * SHARPER);
  const brush = Math.floor(height * SHARPER * BRUSH);
  // A face that is this small has no visible grain.
  if (brush < 3) return picture;
  const painted = await readCanvas(asSharp(picture.canvas).median(brush));
  const mask = new Float32Array(painted.width * painted.height).fill(PAINTED);
  return { ...picture, canvas: drawLayer(picture.canvas, painted, mask) };
}

/** Draws the scene with its people, the farthest first. */
export async function drawPeople(setting: SceneSetting, people: readonly PlacedPerson[]): Promise<Canvas> {
  const { scene, size, changes, seed } = setting;
  const unit = Math.min(size.width, size.height) / 1200;
  const backdrop = (): Backdrop => ({
    width: size.width / unit,
    height: size.height / unit,
    brush: createBrush(),
    random: createRandom(seed),
  });
  const canvas = copyCanvas(await background(setting, backdrop()));
  for (const person of people) await drawCharacter(canvas, setting, person);
  const front = backdrop();
  const before = (scene.foreground?.(front) ?? '') + weatherBefore(front, changes);
  return before === '' ? canvas : drawBrushSvg(canvas, front, `scale(${unit})`, before);
}

const kept = new Map<string, Canvas>();
const MOST_KEPT = 4;

/** The background of a scene, cached: drawing it takes a good part of the time, and many people choose the same scenes. */
async function background({ scene, key, size, changes }: SceneSetting, backdrop: Backdrop): Promise<Canvas> {
  const name = JSON.stringify([key, size.width, size.height, changes]);
  const known = kept.get(name);
  if (known !== undefined) return known;
  const steady = { ...backdrop, random: createRandom(7) };
  const drawing = atTimeOfDay(steady, changes, scene.background(steady));
  const canvas = await drawBrushSvg(
    createCanvas(size),
    steady,
    `scale(${size.width / backdrop.width})`,
    drawing,
  );
  kept.set(name, canvas);
  keepLatest(kept, MOST_KEPT);
  return canvas;
}

/** The place of the person in pixels. Children are lower and smaller than adults. */
function seatOf(scene: Scene, { width, height }: Size, gender: DrawnGender): Seat {
  const wide = width > height * 1.2;
  const child = gender === 'boy' || gender === 'girl';
  const usual = wide ? { x: 0.42, y: 0.44, height: 0.29 } : { x: 0.5, y: 0.41, height: 0.245 };
  const square = !wide && height < width * 1.2;
  const seat = { ...usual, ...(square && { y: 0.43, height: 0.29 }), scale: 1, ...scene.seat };
  const centre = { x: width * seat.x, y: height * (seat.y + (child ? 0.045 : 0)) };
  return { centre, height: height * seat.height * seat.scale * (child ? 0.94 : 1) };
}

/** Half the width of the widest costume. */
const REACH = 720;

/** Draws one person into the part of the picture that the character fills, which saves most of the time for groups. */
async function drawCharacter(canvas: Canvas, setting: SceneSetting, person: PlacedPerson): Promise<void> {
  const { centre, height } = person.seat;
  const reach = (REACH * height) / FACE_UNITS;
  const left = Math.max(0, Math.floor(centre.x - reach));
  const width = Math.min(canvas.width, Math.ceil(centre.x + reach)) - left;
  const part = await readCanvas(asSharp(canvas).extract({ left, top: 0, width, height: canvas.height }));
  const seat = { ...person.seat, centre: { x: centre.x - left, y: centre.y } };
  pasteCanvas(canvas, await drawFigure(part, setting, { ...person, seat }), left, 0);
}

/** Draws one person: the character, the face in the scene's light, and parts in front of it. */
async function drawFigure(
  canvas: Canvas,
  { scene, changes, seed }: SceneSetting,
  { picture, face, gender, seat, colour }: PlacedPerson,
): Promise<Canvas> {
  const points = placeFace(face, seat);
  const scale = seat.height / FACE_UNITS;
  const brush = createBrush();
  const isChild = gender === 'boy' || gender === 'girl';
  const skin = skinOf(picture);
  const figure: Figure = {
    brush,
    random: createRandom(seed),
    gender,
    isChild,
    isFemale: gender === 'female' || gender === 'girl',
    colour: changes.colour ?? colour,
    skin: hex(skin),
    hair: hairOf(picture, skin),
    outline: outlineOf(
      OVAL.map((point) => [
        ((points[point * 3] ?? 0) - seat.centre.x) / scale,
        ((points[point * 3 + 1] ?? 0) - seat.centre.y) / scale,
      ]),
    ),
    shoulders: { male: 400, female: 350, boy: 300, girl: 285 }[gender],
  };
  const place = `translate(${seat.centre.x} ${seat.centre.y}) scale(${scale})`;
  const behind = await drawBrushSvg(canvas, { brush }, place, scene.behind(figure));
  const painted = await paintFace(behind, picture, points, scene, skin);
  const over = createBrush();
  return drawBrushSvg(painted, { brush: over }, place, scene.front({ ...figure, brush: over }));
}

/** Draws the face in the light of the scene, with a soft edge. */
async function paintFace(
  canvas: Canvas,
  picture: FacePicture,
  points: Points,
  { light }: Scene,
  skin: Rgb,
): Promise<Canvas> {
  const factors = lightFactorsFor(points, light);
  const [r, g, b] = light.colour;
  const gain = exposureTowards(skin, [(skin[0] * r) / 252, (skin[1] * g) / 252, (skin[2] * b) / 252]);
  const layer = copyCanvas(canvas);
  const mask = new Float32Array(canvas.width * canvas.height);
  // Fair skin is close to white, so its highlights are limited; otherwise it would lose its colour.
  const room = Math.min(1, Math.max(0.1, (250 / Math.max(...skin) - 1) / 0.4));
  const lit = factors.map((value, i) => {
    const factor = value * (gain[i % 3] ?? 1);
    return factor > 1 ? 1 + (factor - 1) * room : factor;
  });
  drawFace(layer, picture, points, { light: lit, mask });
  return drawLayer(canvas, layer, mask);
}

const CHEEKS = [50, 280, 205, 425, 117, 346, 151, 9];

/** The colour of skin: the median of the cheeks and the forehead. */
export function skinOf({ canvas, points }: FacePicture): Rgb {
  const middle = (k: number) => {
    const values = CHEEKS.map((point) =>
      sample(canvas, points[point * 3] ?? 0, points[point * 3 + 1] ?? 0, k),
    );
    return values.toSorted((a, b) => a - b)[CHEEKS.length / 2] ?? 0;
  };
  return [middle(0), middle(1), middle(2)];
}

const CHESTNUT = '#4a2c1c';

/**
 * The colour of hair, measured above the forehead. If that is the colour of skin or of something bright behind a bald head, a
 * default.
 */
export function hairOf({ canvas, points }: FacePicture, skin: Rgb): string {
  const at = (point: number, axis: number) => points[point * 3 + axis] ?? 0;
  const colours = [109, 10, 338].map((point) =>
    [0, 1, 2].map((k) => {
      const up = (axis: number) => at(point, axis) - (at(152, axis) - at(10, axis)) * 0.16;
      return sample(canvas, up(0), up(1), k);
    }),
  );
  const middle = [0, 1, 2].map(
    (k) => colours.map((colour) => colour[k] ?? 0).toSorted((a, b) => a - b)[1] ?? 0,
  );
  const distance = Math.hypot(...middle.map((value, k) => value - (skin[k] ?? 0)));
  return distance < 48 ? CHESTNUT : mix(hex(middle), CHESTNUT, 0.12);
}

/** Draws SVG over the canvas. */
export function drawBrushSvg(
  canvas: Canvas,
  { brush }: Pick<Backdrop, 'brush'>,
  transform: string,
  inner: string,
): Promise<Canvas> {
  const { width, height } = canvas;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${brush.defs()}</defs><g transform="${transform}">${inner}</g></svg>`;
  return readCanvas(asSharp(canvas).composite([{ input: Buffer.from(svg) }]));
}
