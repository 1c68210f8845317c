import { border, filmStrip, polaroid } from '../operations/frames.ts';
import { aurora, bloom, lightLeak, sunRays, wash } from '../operations/light.ts';
import { paper } from '../operations/paint.ts';
import { scatter } from '../operations/scatter.ts';
import { grade, gradientMap, grain, mix, stretch, vignette } from '../operations/tone.ts';
import { channelShift, ripple, tiltShift } from '../operations/warp.ts';
import { catalog } from './recipe.ts';

/** Group styles that keep the photo a photo: light, weather, film. The interface promises 1 to 25. */
export const realisticRecipes = catalog('realistic', [
  {
    name: 'Golden Afternoon',
    steps: [stretch(), grade({ warmth: 26, saturation: 1.15 }), sunRays('#ffcf70', 0.12, 0), bloom(0.2)],
  },
  {
    name: 'Blue Hour',
    steps: [
      stretch(),
      grade({ warmth: -28, saturation: 0.85, brightness: -16 }),
      wash('#16265c', '#5a78c9', 0.55, 'soft-light'),
      vignette(1.1, '#050a24'),
    ],
  },
  {
    name: 'Seventies Album',
    steps: [
      stretch(),
      grade({ saturation: 0.75, contrast: 0.82, brightness: 20, warmth: 22, tint: 4 }),
      grain(20),
      lightLeak('#ff8a2b'),
      border('#f7efdd', 60),
    ],
  },
  {
    name: 'Press Photo',
    steps: [stretch(), grade({ saturation: 0, contrast: 1.3 }), grain(24), border('#ffffff', 44)],
  },
  {
    name: 'Fresh Snow',
    steps: [
      stretch(),
      grade({ saturation: 0.7, brightness: 24, warmth: -16 }),
      scatter({ shape: 'dot', count: 620, size: [2, 10], colours: ['#ffffff'], opacity: [0.55, 1] }),
      vignette(1.2, '#f3f9ff'),
    ],
  },
  {
    name: 'Summer Rain',
    steps: [
      stretch(),
      grade({ saturation: 0.6, brightness: -22, warmth: -14, contrast: 1.1 }),
      scatter({
        shape: 'streak',
        count: 420,
        size: [6, 16],
        colours: ['#dbeaf7'],
        opacity: [0.2, 0.55],
        turn: 3,
        angle: 12,
      }),
      vignette(1.1, '#101a24'),
    ],
  },
  {
    name: 'Cherry Garden',
    steps: [
      stretch(),
      grade({ brightness: 14, tint: 10 }),
      wash('#ffe3ee', '#ffb0cd', 0.4, 'soft-light'),
      scatter({
        shape: 'petal',
        count: 300,
        size: [14, 42],
        colours: ['#ffc4da', '#ff9dc1', '#fff'],
        around: true,
      }),
    ],
  },
  {
    name: 'Autumn Walk',
    steps: [
      stretch(),
      grade({ warmth: 24, saturation: 1.2, contrast: 1.05 }),
      wash('#d9772b', '#7a3b12', 0.35, 'soft-light'),
      scatter({
        shape: 'leaf',
        count: 280,
        size: [20, 54],
        colours: ['#d9531e', '#e8902a', '#b5331a', '#f2c14e'],
        around: true,
      }),
    ],
  },
  {
    name: 'Confetti Party',
    steps: [
      stretch(),
      grade({ saturation: 1.35, brightness: 8 }),
      bloom(0.15),
      scatter({
        shape: 'ribbon',
        count: 620,
        size: [11, 25],
        colours: ['#ff3d6e', '#ffd23f', '#3bceac', '#3a86ff', '#b15cff', '#ffffff'],
        around: true,
      }),
    ],
  },
  {
    name: 'Northern Lights',
    steps: [
      stretch(),
      grade({ brightness: -44, saturation: 0.7, warmth: -24 }),
      aurora('#2bffb0', '#39d0ff', '#a76bff'),
      scatter({ shape: 'dot', count: 260, size: [1, 3], colours: ['#fff'], around: true }),
      vignette(1, '#020816'),
    ],
  },
  {
    name: 'Misty Morning',
    steps: [
      stretch(),
      grade({ contrast: 0.72, saturation: 0.7, brightness: 34 }),
      wash('#f3f1ea', '#c9d6dc', 0.5, 'screen'),
      bloom(0.12, 40),
    ],
  },
  {
    name: 'Teal and Orange',
    steps: [
      stretch(),
      grade({ contrast: 1.15, saturation: 1.1 }),
      mix(0.5, gradientMap('#032a33', '#1d7480', '#f2a25c', '#fff0d6')),
      border('#050505', 0),
      vignette(0.9),
    ],
  },
  {
    name: 'Miniature',
    steps: [stretch(), grade({ saturation: 1.6, contrast: 1.15, brightness: 6 }), tiltShift(13)],
  },
  {
    name: 'Instant Film',
    steps: [
      stretch(),
      grade({ saturation: 0.9, contrast: 0.88, brightness: 14, tint: -6, warmth: 8 }),
      vignette(0.7, '#2b3a24'),
      polaroid(),
    ],
  },
  {
    name: 'Film Strip',
    steps: [stretch(), grade({ saturation: 0.9, contrast: 1.1, warmth: 10 }), grain(18), filmStrip()],
  },
  {
    name: 'Desert Heat',
    steps: [
      stretch(),
      grade({ warmth: 34, saturation: 1.1, contrast: 0.95, brightness: 8 }),
      wash('#ffd9a0', '#e8743b', 0.5, 'soft-light'),
      ripple(0.0035, 30),
      bloom(0.18),
    ],
  },
  {
    name: 'Under Water',
    steps: [
      stretch(),
      grade({ warmth: -34, saturation: 0.9, tint: -14 }),
      ripple(0.009, 16),
      wash('#7af0ff', '#00497a', 0.6, 'soft-light'),
      scatter({
        shape: 'ring',
        count: 110,
        size: [10, 44],
        colours: ['#e8fdff'],
        opacity: [0.4, 0.85],
        around: true,
        turn: 0,
      }),
      sunRays('#bff6ff', 0.4, -0.1),
    ],
  },
  {
    name: 'Candle Light',
    steps: [
      stretch(),
      grade({ brightness: -46, warmth: 34, contrast: 1.15 }),
      scatter({
        shape: 'dot',
        count: 46,
        size: [16, 60],
        colours: ['#ffb347', '#ffd27a', '#ff8c42'],
        opacity: [0.12, 0.42],
        around: true,
        blend: 'screen',
      }),
      bloom(0.3, 34),
      vignette(1.8, '#140600'),
    ],
  },
  {
    name: 'Starry Night',
    steps: [
      stretch(),
      grade({ brightness: -38, saturation: 0.8, warmth: -22 }),
      wash('#0a1045', '#3b2a7a', 0.5, 'screen'),
      scatter({
        shape: 'sparkle',
        count: 130,
        size: [5, 26],
        colours: ['#ffffff', '#cfe0ff', '#fff1c9'],
        around: true,
      }),
      vignette(1, '#02020f'),
    ],
  },
  {
    name: 'Street Neon',
    steps: [
      stretch(),
      grade({ contrast: 1.15, brightness: -20 }),
      mix(0.6, gradientMap('#070016', '#3d0a7a', '#e01bb0', '#38e1ff', '#f2feff')),
      lightLeak('#ff2bd6', '#19e3ff'),
      channelShift(6),
      bloom(0.22),
      vignette(1, '#05000f'),
    ],
  },
  {
    name: 'Silver Print',
    steps: [
      stretch(),
      gradientMap('#0b0c10', '#5f646d', '#c9ccd1', '#fbfbf8'),
      bloom(0.14),
      vignette(0.9),
      border('#f4f4f1', 86),
    ],
  },
  {
    name: 'Pastel Studio',
    steps: [
      stretch(),
      grade({ contrast: 0.78, saturation: 0.9, brightness: 36 }),
      wash('#ffd9ec', '#cfe8ff', 0.5, 'soft-light'),
      bloom(0.12),
    ],
  },
  {
    name: 'Valentine',
    steps: [
      stretch(),
      grade({ tint: 12, warmth: 10, brightness: 10 }),
      wash('#ff9bb3', '#ff5c8a', 0.4, 'soft-light'),
      scatter({
        shape: 'heart',
        count: 200,
        size: [16, 56],
        colours: ['#ff3b6b', '#ff86a8', '#ffe0e8'],
        around: true,
        turn: 60,
        opacity: [0.6, 0.95],
      }),
    ],
  },
  {
    name: 'Attic Find',
    steps: [
      stretch(),
      gradientMap('#22140b', '#7a5433', '#d3ae7c', '#f6e7c6'),
      paper(0.36, 70),
      grain(20),
      vignette(2.2, '#170c05'),
      border('#e9dcc0', 52),
    ],
  },
  {
    name: 'Festival',
    steps: [
      stretch(),
      grade({ saturation: 1.35, brightness: -18 }),
      lightLeak('#ff4d6d', '#ffb703', '#8338ec', '#06d6a0'),
      scatter({
        shape: 'dot',
        count: 150,
        size: [18, 66],
        colours: ['#ffd166', '#ef476f', '#06d6a0', '#4cc9f0', '#ffffff'],
        opacity: [0.22, 0.6],
        around: true,
        blend: 'screen',
      }),
    ],
  },
]);
