import { type Canvas, smoothstep } from './canvas.ts';
import { copyPixel } from './faces/warp.ts';
import { hasWordStartingWith } from './task.ts';

/** The position of the camera at one moment: the middle of the view in shares of the picture, and its rotation in radians. */
export interface Pose {
  x: number;
  y: number;
  zoom: number;
  turn: number;
}

/** A value as a function of the time `t`, which runs from 0 to 1. */
type Motion = (t: number) => number;
type Move = Partial<Record<keyof Pose, Motion>>;

function constant(value: number): Motion {
  return () => value;
}

function ramp(from: number, to: number): Motion {
  return (t) => from + (to - from) * smoothstep(t);
}

function wave(middle: number, height: number, speed: number): Motion {
  return (t) => middle + height * Math.sin(t * speed);
}

/** Words of a prompt and the camera moves that they ask for; several may be combined. */
const movesByWord: [words: RegExp, move: Move][] = [
  [/zoom(s|ing)? out|pull(s|ing)? (back|out)|widen/, { zoom: ramp(1.75, 1.08) }],
  [/zoom(?!(s|ing)? out)|push(es|ing)? in|closer|dolly|approach/, { zoom: ramp(1.08, 1.75) }],
  [
    /(pan|drift|move|slide|glide|swipe|turn)\w*( \w+){0,3} left\b|left(ward)?s?\b/,
    { x: ramp(0.62, 0.38), zoom: constant(1.34) },
  ],
  [
    /(pan|drift|move|slide|glide|swipe|turn)\w*( \w+){0,3} right\b|right(ward)?s?\b/,
    { x: ramp(0.38, 0.62), zoom: constant(1.34) },
  ],
  [/(tilt|rise|rising|lift|float|crane|up)\w*/, { y: ramp(0.6, 0.4), zoom: constant(1.3) }],
  [/(fall|sink|lower|descend|down)\w*/, { y: ramp(0.4, 0.6), zoom: constant(1.3) }],
  [/spin|rotat|twirl|whirl|swirl|orbit/, { turn: ramp(-0.16, 0.2), zoom: constant(1.42) }],
  [
    /shak|quake|trembl|handheld|rumble|earthquake/,
    { x: wave(0.5, 0.02, 91), y: wave(0.5, 0.018, 113), turn: wave(0, 0.018, 77), zoom: constant(1.16) },
  ],
  [/wave|sway|rock|swing|danc/, { turn: wave(0, 0.07, Math.PI * 4), zoom: constant(1.24) }],
  [/breath|puls|beat|heart/, { zoom: wave(1.16, 0.08, Math.PI * 6) }],
];

/** The move for a prompt without known words: slowly closer. */
const defaultMove: Move = { zoom: ramp(1.08, 1.28), x: ramp(0.47, 0.53), y: ramp(0.52, 0.48) };

/** The camera's moves for a prompt. `focus` is the point that it moves closer to, in shares of the picture. */
export function cameraFor(prompt: string, focus = { x: 0.5, y: 0.5 }): (t: number) => Pose {
  const found = movesByWord.filter(([words]) => hasWordStartingWith(prompt, words)).map(([, move]) => move);
  const moves = found.length > 0 ? found : [defaultMove];
  return (t) => {
    const values = (key: keyof Pose) => moves.flatMap((move) => move[key]?.(t) ?? []);
    const offset = (key: 'x' | 'y') => values(key).reduce((sum, value) => sum + value - 0.5, 0.5);
    const turn = values('turn').reduce((sum, value) => sum + value, 0);
    const zoom = Math.max(1, ...values('zoom'));
    // The frame stays inside the photo, however near the focus is to its edge.
    const half = 0.5 / zoom;
    const aimed = (key: 'x' | 'y') => {
      const middle = offset(key) + (focus[key] - 0.5) * (1 - 1 / zoom);
      return focus[key] === 0.5 ? middle : Math.min(1 - half, Math.max(half, middle));
    };
    return { x: aimed('x'), y: aimed('y'), zoom, turn };
  };
}

/** Draws the camera's view as RGBA into a frame that has the proportions of the photo. */
export function drawView(photo: Canvas, pose: Pose, frame: Uint8Array, width: number, height: number): void {
  const scale = photo.width / width / pose.zoom;
  const cos = Math.cos(pose.turn) * scale;
  const sin = Math.sin(pose.turn) * scale;
  for (let y = 0; y < height; y += 1) {
    const dy = y - height / 2;
    let sx = pose.x * photo.width - (width / 2) * cos - dy * sin;
    let sy = pose.y * photo.height - (width / 2) * sin + dy * cos;
    for (let x = 0; x < width; x += 1) {
      copyPixel(photo, sx, sy, frame, (y * width + x) * 4);
      sx += cos;
      sy += sin;
    }
  }
}
