import type { FilterTable } from '../steps.ts';

/** The face swap catalog. The order determines the numbers, so new filters are added at the end. */
export const FACE_FILTERS: FilterTable = {
  'Pop Art': [{ strokes: 8 }, { popArt: { columns: 2, rows: 2 } }],
  'Halftone Press': [
    { grade: { contrast: 1.25, brightness: 14 } },
    { halftone: { cell: 15, angle: 32, colour: '#c2142c', paper: '#fdf3dc' } },
    { border: { colour: '#fdf3dc', margin: 60 } },
  ],
  Watercolour: [
    { grade: { saturation: 1.35, brightness: 26 } },
    { strokes: 15 },
    { outlines: { strength: 0.8, colour: '#6a5a78', width: 2.4 } },
    { wash: { top: '#fff7e8', bottom: '#e8f4ff', opacity: 0.35 } },
    { paper: { strength: 0.2 } },
    { border: { colour: '#fffdf7', margin: 70 } },
  ],
  'Comic Hero': [
    { grade: { saturation: 1.55, contrast: 1.05, brightness: 18 } },
    { strokes: 7 },
    { posterize: 7 },
    { outlines: { strength: 1.3, colour: '#16131a' } },
    { colourHalftone: 12, opacity: 0.22 },
    { speedLines: { colour: '#fff6c9', count: 80 } },
    { border: { colour: '#111111', margin: 26 } },
  ],
  'Film Noir': [
    { grade: { saturation: 0, contrast: 1.55, brightness: -18 } },
    { grain: 38 },
    { vignette: { strength: 2.2 } },
  ],
  'Neon Nights': [{ neon: { from: '#ff2bd6', to: '#19e3ff' } }, { vignette: { strength: 0.8 } }],
  Cyanotype: [
    { grade: { contrast: 1.15 } },
    { gradientMap: ['#04204a', '#1d5c9b', '#9cc8e4', '#f4f7ee'] },
    { paper: { strength: 0.28 } },
    { border: { colour: '#f4f1e4', margin: 84 } },
  ],
  'Pencil Sketch': [
    { pencil: { softness: 14, colour: '#2b2b33', paper: '#fbf8f1' } },
    { paper: { strength: 0.1, scale: 12 } },
  ],
  Vaporwave: [
    { gradientMap: ['#1b0740', '#7b2ff7', '#ff5fc4', '#ffd1a8', '#fff7d6'] },
    { channelShift: 7 },
    { neonFloor: {} },
    { scanlines: { pitch: 6, opacity: 0.12 } },
  ],
  Risograph: [
    { strokes: 5 },
    { gradientMap: ['#0b4f6c', '#ff6f59', '#ffe9c9'] },
    { halftone: { cell: 10, angle: 62, colour: '#0b4f6c', paper: '#ffe9c9' }, opacity: 0.42 },
    { grain: 26 },
    { border: { colour: '#ffe9c9', margin: 58 } },
  ],
  Mosaic: [
    { grade: { saturation: 1.5, contrast: 1.1 } },
    { tiles: { shade: 'mosaic', cell: 25, variation: 0.22 } },
  ],
  'Oil Portrait': [
    { grade: { saturation: 1.3, warmth: 12, contrast: 1.12 } },
    { strokes: 11 },
    { strokes: 5 },
    { paper: { strength: 0.14, scale: 8 } },
    { vignette: { strength: 1.3, colour: '#1d0f06' } },
  ],
  'Polaroid Summer': [
    { grade: { saturation: 0.85, contrast: 0.86, brightness: 18, warmth: 14 } },
    { lightLeak: ['#ff9a3d', '#ff5a5a'] },
    { polaroid: {} },
  ],
  'Stained Glass': [
    { grade: { saturation: 2, contrast: 1.2, brightness: 10 } },
    { stainedGlass: 35 },
    { bloom: { strength: 0.22 } },
  ],
  'Cinema Poster': [
    { grade: { saturation: 0.7, contrast: 1.3 } },
    { gradientMap: ['#04141f', '#0f5e6e', '#f39c4a', '#ffe6b8'], opacity: 0.62 },
    { vignette: { strength: 1.2 } },
    { poster: { paper: '#0c1418', ink: '#f5d9a6', line: 'A DARKROOM PICTURE   IN CINEMAS TONIGHT' } },
  ],
  'Cover Story': [
    { grade: { saturation: 0.9, contrast: 1.14, warmth: 5 } },
    { bloom: { strength: 0.16 } },
    {
      magazine: {
        ink: '#fff3f0',
        lines: ['THE PORTRAIT ISSUE', 'LIGHT, AND HOW TO FIND IT', '100 PAGES IN COLOUR'],
      },
    },
  ],
  'Royal Stamp': [
    { gradientMap: ['#2b0d3f', '#8e3b6f', '#e7b7a0', '#fff3de'] },
    { engraving: { cell: 9, angle: 24, colour: '#3d1250', paper: '#fff3de' }, opacity: 0.55 },
    { stamp: { paper: '#fff7e6', ink: '#54205f', country: 'FOTOLAND' } },
  ],
  Glitch: [
    { grade: { saturation: 1.4, contrast: 1.2, warmth: -12 } },
    { channelShift: 16 },
    { shiftedBands: { bands: 16, reach: 150 } },
    { scanlines: { pitch: 5, opacity: 0.28 } },
    { vignette: { strength: 0.8, colour: '#020814' } },
  ],
  'Golden Hour': [
    { grade: { saturation: 1.2, warmth: 30, brightness: 4 } },
    { wash: { top: '#ffb347', bottom: '#ff5e62', opacity: 0.5 } },
    { sunRays: { colour: '#ffd27a' } },
    { bloom: { strength: 0.22 } },
  ],
  'Winter Tale': [
    { grade: { saturation: 0.65, warmth: -24, brightness: 18 } },
    { wash: { top: '#dff1ff', bottom: '#7fa9d6', opacity: 0.4 } },
    { scatter: { shape: 'snow', count: 340, colours: ['#ffffff'] } },
    { scatter: { shape: 'flake', count: 60, colours: ['#ffffff', '#e4f3ff'] } },
    { vignette: { strength: 1.1, colour: '#eaf5ff' } },
  ],
  'Toy Bricks': [
    { grade: { saturation: 1.7, contrast: 1.15 } },
    { posterize: 7 },
    { tiles: { shade: 'bricks', cell: 30 } },
  ],
  Thermal: [
    { gradientMap: ['#03051a', '#3b0f8c', '#c1267f', '#fb7a2c', '#fde74c', '#ffffff'] },
    { bloom: { strength: 0.2 } },
  ],
  Tintype: [
    { grade: { contrast: 1.2 } },
    { gradientMap: ['#120d0a', '#5b4a3c', '#b6a084', '#e6d8bd'] },
    { paper: { strength: 0.34, scale: 60 } },
    { grain: 20 },
    { vignette: { strength: 2.6, colour: '#090605' } },
    { border: { colour: '#17110d', margin: 70 } },
  ],
  'Fortune Card': [
    { strokes: 6 },
    { gradientMap: ['#120b3a', '#4c2a85', '#d98a6a', '#ffe7b0'] },
    { outlines: { strength: 1, colour: '#120b3a' } },
    { scatter: { shape: 'sparkle', count: 80, colours: ['#ffe7a3', '#fff7dd'] } },
    { fortuneCard: { paper: '#160f3d', gold: '#e9c46a', numeral: 'XXI' } },
  ],
  'Cherry Blossom': [
    { grade: { saturation: 0.95, brightness: 16, tint: 8 } },
    { wash: { top: '#ffd6e7', bottom: '#ff9ec4', opacity: 0.42 } },
    { bloom: { strength: 0.24 } },
    { scatter: { shape: 'petal', count: 130, colours: ['#ffc2d9', '#ff9fc3', '#fff0f6'] } },
  ],
  Engraving: [
    { grade: { contrast: 1.2, brightness: 10 } },
    { engraving: { cell: 11, angle: 18, colour: '#173b2f', paper: '#eef0dc' } },
    { border: { colour: '#eef0dc', margin: 64 } },
  ],
  'Low Poly': [{ grade: { saturation: 1.35, contrast: 1.1 } }, { lowPoly: 40 }],
  'Cross Stitch': [
    { grade: { saturation: 1.35 } },
    { posterize: 8 },
    { tiles: { shade: 'crossStitch', cell: 19, variation: 0.1 } },
    { border: { colour: '#efe6d2', margin: 66 } },
  ],
  Aurora: [
    { grade: { saturation: 0.8, brightness: -34, warmth: -20, contrast: 1.1 } },
    { aurora: ['#29ffb8', '#36c5ff', '#b06bff'] },
    { scatter: { shape: 'speck', count: 240, colours: ['#ffffff'] } },
    { vignette: { strength: 1, colour: '#020617' } },
  ],
  Kaleidoscope: [
    { grade: { saturation: 1.6, contrast: 1.15 } },
    { kaleidoscope: 8 },
    { bloom: { strength: 0.18 } },
    { vignette: { strength: 1 } },
  ],
};

/** Filters that are refused in group mode. */
export const SINGLE_PERSON_FILTERS = new Set(['Cover Story', 'Royal Stamp', 'Fortune Card', 'Kaleidoscope']);
