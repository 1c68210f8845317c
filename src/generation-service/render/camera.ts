import type { Canvas } from './canvas.ts';

/** Where the camera is at one moment: middle in shares of the picture, closeness, turn in radians. */
export interface Pose {
  x: number;
  y: number;
  zoom: number;
  turn: number;
}

type Move = (t: number) => Partial<Pose>;

const smooth = (t: number) => t * t * (3 - 2 * t);
const span = (from: number, to: number, t: number) => from + (to - from) * smooth(t);

/** Words of a prompt and the moves they ask for; several may come together. */
const moves: [words: RegExp, move: Move][] = [
  [/zoom(s|ing)? out|pull(s|ing)? (back|out)|widen/i, (t) => ({ zoom: span(1.75, 1.08, t) })],
  [/zoom|push(es|ing)? in|closer|dolly|approach/i, (t) => ({ zoom: span(1.08, 1.75, t) })],
  [
    /(pan|drift|move|slide|glide|swipe|turn)\w*( \w+){0,3} left|left(ward)?s?\b/i,
    (t) => ({ x: span(0.62, 0.38, t), zoom: 1.34 }),
  ],
  [
    /(pan|drift|move|slide|glide|swipe|turn)\w*( \w+){0,3} right|right(ward)?s?\b/i,
    (t) => ({ x: span(0.38, 0.62, t), zoom: 1.34 }),
  ],
  [/\b(tilt|rise|rising|lift|float|crane|up)\w*/i, (t) => ({ y: span(0.6, 0.4, t), zoom: 1.3 })],
  [/\b(fall|sink|lower|descend|down)\w*/i, (t) => ({ y: span(0.4, 0.6, t), zoom: 1.3 })],
  [/spin|rotat|twirl|whirl|swirl|orbit/i, (t) => ({ turn: span(-0.16, 0.2, t), zoom: 1.42 })],
  [
    /shak|quake|trembl|handheld|rumble|earthquake/i,
    (t) => ({
      x: 0.5 + 0.012 * Math.sin(t * 91) + 0.008 * Math.sin(t * 143),
      y: 0.5 + 0.012 * Math.sin(t * 113 + 1) + 0.007 * Math.sin(t * 67),
      turn: 0.018 * Math.sin(t * 77),
      zoom: 1.16,
    }),
  ],
  [/wave|sway|rock|swing|danc/i, (t) => ({ turn: 0.07 * Math.sin(t * Math.PI * 4), zoom: 1.24 })],
  [/breath|puls|beat|heart/i, (t) => ({ zoom: 1.16 + 0.08 * Math.sin(t * Math.PI * 6) })],
];

/** Without a known word the camera drifts slowly closer, as in documentaries. */
const drift: Move = (t) => ({ zoom: span(1.08, 1.28, t), x: span(0.47, 0.53, t), y: span(0.52, 0.48, t) });

export function cameraFor(prompt: string): (t: number) => Pose {
  const wanted = moves.filter(([words]) => words.test(prompt)).map(([, move]) => move);
  // "zoom out" contains "zoom": of the two zooms only the first that fits is meant.
  const [first] = moves;
  const asked = first && wanted[0] === first[1] ? wanted.filter((move) => move !== moves[1]?.[1]) : wanted;
  const used = asked.length > 0 ? asked : [drift];
  return (t) => {
    const pose: Pose = { x: 0.5, y: 0.5, zoom: 1, turn: 0 };
    for (const move of used) {
      const { x = 0.5, y = 0.5, zoom = 1, turn = 0 } = move(t);
      pose.x += x - 0.5;
      pose.y += y - 0.5;
      pose.zoom = Math.max(pose.zoom, zoom);
      pose.turn += turn;
    }
    return pose;
  };
}

/** What the camera sees, written as RGBA into `frame`. The photo must have the frame's proportions. */
export function shoot(photo: Canvas, pose: Pose, frame: Uint8Array, width: number, height: number): void {
  const scale = photo.width / width / pose.zoom;
  const cos = Math.cos(pose.turn) * scale;
  const sin = Math.sin(pose.turn) * scale;
  const { data } = photo;
  const lastX = photo.width - 1.001;
  const lastY = photo.height - 1.001;
  const stride = photo.width * 3;
  for (let y = 0; y < height; y += 1) {
    const dy = y - height / 2;
    let sx = pose.x * photo.width - (width / 2) * cos - dy * sin;
    let sy = pose.y * photo.height - (width / 2) * sin + dy * cos;
    for (let x = 0; x < width; x += 1) {
      const cx = sx < 0 ? 0 : sx > lastX ? lastX : sx;
      const cy = sy < 0 ? 0 : sy > lastY ? lastY : sy;
      const ix = cx | 0;
      const iy = cy | 0;
      const fx = cx - ix;
      const fy = cy - iy;
      const a = iy * stride + ix * 3;
      const to = (y * width + x) * 4;
      for (let k = 0; k < 3; k += 1) {
        const upper = (data[a + k] ?? 0) * (1 - fx) + (data[a + k + 3] ?? 0) * fx;
        const lower = (data[a + k + stride] ?? 0) * (1 - fx) + (data[a + k + stride + 3] ?? 0) * fx;
        frame[to + k] = upper * (1 - fy) + lower * fy;
      }
      sx += cos;
      sy += sin;
    }
  }
}
