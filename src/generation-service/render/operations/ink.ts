import {
  blurred,
  type Canvas,
  clamp01,
  createCanvas,
  createMask,
  drawLayer,
  lumaPlane,
  type Mask,
  type Operation,
  type RenderContext,
} from '../canvas.ts';
import { edgePlane } from './edges.ts';

interface Ink {
  /** The colour of the ink; by default black. */
  colour?: string;
  /** The colour of the paper; without it the picture stays underneath. */
  paper?: string;
}

type MaskOf<P> = (canvas: Canvas, parameters: P, context: RenderContext) => Mask | Promise<Mask>;

/** Makes an operation that draws in one colour through a mask, on paper or over the picture. */
function inked<P>(maskOf: MaskOf<P>): Operation<P & Ink> {
  return async (canvas, parameters, context) => {
    const mask = await maskOf(canvas, parameters, context);
    const base = parameters.paper === undefined ? canvas : createCanvas(canvas, parameters.paper);
    return drawLayer(base, createCanvas(canvas, parameters.colour), mask);
  };
}

/** Darkens the corners. */
export const vignette = inked<{ strength: number }>(({ width, height }, { strength }) =>
  createMask({ width, height }, (x, y) => {
    const dx = x / width - 0.5;
    const dy = y / height - 0.5;
    const outside = Math.max(0, 2 * (dx * dx + dy * dy) - 0.18);
    return strength * (outside * outside * 1.6 + outside * 0.35);
  }),
);

/** Dark lines across, as on a tube screen. */
export const scanlines: Operation<{ pitch: number; opacity: number }> = (canvas, parameters, { unit }) => {
  const { width, height, data } = canvas;
  const period = Math.max(2, Math.round(parameters.pitch * unit));
  for (let y = 0; y < height; y += 1) {
    if (y % period >= period / 2) continue;
    const end = (y + 1) * width * 3;
    for (let i = y * width * 3; i < end; i += 1) data[i] = (data[i] ?? 0) * (1 - parameters.opacity);
  }
  return canvas;
};

/** Contour lines where brightness changes. */
export const outlines = inked<{ strength: number; width?: number }>(async (canvas, parameters, { unit }) => {
  const { strength, width = 1.6 } = parameters;
  const edges = await edgePlane(canvas, Math.max(0.6, width * unit));
  return edges.map((edge) => clamp01((edge * unit * strength - 26) / 50));
});

interface Screen {
  /** Distance between dots or lines. */
  cell: number;
  /** Angle in degrees. */
  angle: number;
}

/** Round dots on a turned grid, larger where the picture is darker. */
export const halftone = inked<Screen>((canvas, screen, context) =>
  halftoneMask(lumaPlane(canvas), canvas, screen, context),
);

/** Turned halftones of cyan, magenta and yellow, as in printed comics. */
export const colourHalftone: Operation<number> = (canvas, cell, context) => {
  const { data } = canvas;
  for (const [k, angle] of [15, 75, 0].entries()) {
    const plane = new Float32Array(data.length / 3);
    for (let p = 0; p < plane.length; p += 1) plane[p] = data[p * 3 + k] ?? 0;
    const mask = halftoneMask(plane, canvas, { cell, angle }, context);
    for (let p = 0; p < mask.length; p += 1) data[p * 3 + k] = 250 - 230 * (mask[p] ?? 0);
  }
  return canvas;
};

function halftoneMask(plane: Float32Array, canvas: Canvas, screen: Screen, { unit }: RenderContext): Mask {
  const { width, height } = canvas;
  const cell = Math.max(3, screen.cell * unit);
  const { cos, sin } = turn(screen.angle);
  return createMask(canvas, (x, y) => {
    const u = (x * cos + y * sin) / cell;
    const v = (y * cos - x * sin) / cell;
    const middleU = Math.floor(u) + 0.5;
    const middleV = Math.floor(v) + 0.5;
    // The size of a dot depends on the picture at its middle, so that it stays round.
    const middleX = Math.min(width - 1, Math.max(0, Math.round((middleU * cos - middleV * sin) * cell)));
    const middleY = Math.min(height - 1, Math.max(0, Math.round((middleU * sin + middleV * cos) * cell)));
    const darkness = 1 - (plane[middleY * width + middleX] ?? 0) / 255;
    return (Math.sqrt(darkness) * 0.76 - Math.hypot(u - middleU, v - middleV)) * cell + 0.5;
  });
}

function turn(degrees: number) {
  const radians = (degrees * Math.PI) / 180;
  return { cos: Math.cos(radians), sin: Math.sin(radians) };
}

/** Wavy lines that are thicker where the picture is darker, as on an engraved banknote. */
export const engraving = inked<Screen>((canvas, { cell, angle }, { unit }) => {
  const plane = lumaPlane(canvas);
  const size = Math.max(3, cell * unit);
  const { cos, sin } = turn(angle);
  const fromLine = (across: number) => Math.abs(across - Math.floor(across) - 0.5);
  return createMask(canvas, (x, y) => {
    const darkness = 1 - (plane[y * canvas.width + x] ?? 0) / 255;
    const wave = Math.sin((x * cos + y * sin) / (size * 6)) * 0.8;
    const line = darkness * 0.52 - fromLine((y * cos - x * sin) / size + wave);
    // A second set of lines crosses the first where the picture is darkest.
    const crossing = (darkness - 0.55) * 0.8 - fromLine((x * sin + y * cos) / size);
    return Math.max(line, crossing) * size + 0.5;
  });
});

/** A pencil drawing: brightness divided by blurred brightness leaves only the changes. */
export const pencil = inked<{ softness: number }>(async (canvas, { softness }, { unit }) => {
  const smooth = lumaPlane(await blurred(canvas, softness * unit));
  return lumaPlane(canvas).map((level, p) => {
    const change = Math.min(1, level / Math.max(1, smooth[p] ?? 0)) ** 3;
    return 1 - change * (0.72 + 0.28 * Math.min(1, level / 150));
  });
});
