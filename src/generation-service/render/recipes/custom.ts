import type { Operation } from '../canvas.ts';
import { engrave } from '../operations/dots.ts';
import { border, poster } from '../operations/frames.ts';
import { aurora, bloom, lightLeak, sunRays, wash } from '../operations/light.ts';
import { inkLines, neon, strokes } from '../operations/paint.ts';
import { scatter } from '../operations/scatter.ts';
import { grade, gradientMap, grain, posterize, stretch, vignette } from '../operations/tone.ts';
import { ripple } from '../operations/warp.ts';
import type { Recipe } from './recipe.ts';

export interface CustomRecipe extends Recipe {
  filterType: 'face_swap' | 'multi_swap';
  origin: 'paid' | 'self_created';
}

const entry = (
  id: number,
  name: string,
  filterType: CustomRecipe['filterType'],
  origin: CustomRecipe['origin'],
  steps: Operation[],
): CustomRecipe => ({
  id,
  key: `custom/${name.toLowerCase().replaceAll(' ', '-')}`,
  name,
  filterType,
  origin,
  steps,
});

/** What every caller of the embedded service owns besides the catalogs. */
export const customRecipes: CustomRecipe[] = [
  entry(1, 'Velvet Noir', 'face_swap', 'paid', [
    stretch(),
    gradientMap('#0a0206', '#5a0f2e', '#d98ba3', '#fff0f2'),
    grain(22),
    vignette(1.8, '#0a0206'),
  ]),
  entry(2, 'Halloween Lantern', 'face_swap', 'self_created', [
    stretch(),
    grade({ contrast: 1.2 }),
    gradientMap('#0a0510', '#43106b', '#ff7a1a', '#ffe9a8'),
    scatter({ shape: 'sparkle', count: 90, size: [6, 24], colours: ['#ffb347', '#ffe9a8'], around: true }),
    vignette(1.6, '#0a0510'),
    poster('#140a1f', '#ff8c2b', 'ONE NIGHT ONLY   BRING A LANTERN'),
  ]),
  entry(3, 'Ocean Glass', 'face_swap', 'self_created', [
    stretch(),
    ripple(0.008, 18),
    gradientMap('#021b33', '#0b6e8f', '#6fd6cf', '#f4fff8'),
    bloom(0.22),
    scatter({
      shape: 'ring',
      count: 90,
      size: [10, 40],
      colours: ['#f0ffff'],
      opacity: [0.4, 0.8],
      around: true,
      turn: 0,
    }),
  ]),
  entry(4, 'Candy Pop', 'face_swap', 'paid', [
    stretch(),
    strokes(7),
    posterize(5),
    grade({ saturation: 1.5, brightness: 18, tint: 10 }),
    inkLines(1.1, '#5a1846'),
    scatter({
      shape: 'heart',
      count: 90,
      size: [14, 44],
      colours: ['#ff5fa2', '#ffd1e8', '#8ef0ff'],
      around: true,
      turn: 60,
    }),
    border('#ffe3f1', 50),
  ]),
  entry(5, 'Ivory Ink', 'face_swap', 'paid', [
    stretch(),
    grade({ contrast: 1.2, brightness: 16 }),
    engrave({ cell: 8, angle: 42, ink: '#2a2118', paper: '#f8f1e1' }),
    border('#f8f1e1', 70),
  ]),
  entry(6, 'Summer Camp', 'multi_swap', 'self_created', [
    stretch(),
    grade({ warmth: 20, saturation: 1.2, brightness: 8 }),
    sunRays('#ffdc8a', 0.85, 0),
    lightLeak('#ff9a3d'),
    border('#f4ecd8', 54),
  ]),
  entry(7, 'Haunted Hall', 'multi_swap', 'self_created', [
    stretch(),
    grade({ brightness: -30, saturation: 0.3, contrast: 1.25 }),
    gradientMap('#05080a', '#1f3b34', '#8fb59a', '#eef5e4'),
    grain(30),
    vignette(2.4, '#020404'),
  ]),
  entry(8, 'Winter Gala', 'multi_swap', 'paid', [
    stretch(),
    grade({ warmth: -18, brightness: 10 }),
    wash('#e9f4ff', '#8fb3e6', 0.45, 'soft-light'),
    scatter({ shape: 'flake', count: 120, size: [12, 40], colours: ['#ffffff'], around: true }),
    scatter({ shape: 'sparkle', count: 70, size: [5, 20], colours: ['#fff4cf'], around: true }),
  ]),
  entry(9, 'Neon Reunion', 'multi_swap', 'paid', [
    stretch(),
    neon('#ffd60a', '#ff006e', '#0a0418'),
    bloom(0.15),
  ]),
  entry(10, 'Garden Party', 'multi_swap', 'paid', [
    stretch(),
    grade({ saturation: 1.25, brightness: 12 }),
    aurora('#d9ff9e', '#fff3a6'),
    scatter({
      shape: 'petal',
      count: 150,
      size: [10, 34],
      colours: ['#ffd1dc', '#fff', '#ffe08a', '#c8f7a5'],
      around: true,
    }),
  ]),
];
