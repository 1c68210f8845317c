import type { FilterTable, Step } from '../steps.ts';

/** The paint of drawn scenes, thin enough that the people can be recognised. */
export const PAINTED_SCENE: readonly Step[] = [
  { strokes: 3 },
  { outlines: { strength: 0.3, colour: '#2a1626' }, opacity: 0.7 },
  { grade: { saturation: 1.2, brightness: 6 } },
  { colourHalftone: 7, opacity: 0.1 },
  { paper: { strength: 0.08, scale: 12 } },
  { border: { colour: '#fffdf6', margin: 36 } },
];

/** Stylized group styles, which look made by hand or machine. The interface promises numbers from 1 to 25. */
export const STYLIZED_FILTERS: FilterTable = {
  'Watercolour Album': [
    { grade: { saturation: 1.4, brightness: 24 } },
    { strokes: 13 },
    { outlines: { strength: 0.8, colour: '#5b5170', width: 2.2 } },
    { paper: { strength: 0.2 } },
    { border: { colour: '#fffdf6', margin: 70 } },
  ],
  'Comic Strip': [
    { grade: { saturation: 1.5, brightness: 20 } },
    { strokes: 6 },
    { posterize: 7 },
    { outlines: { strength: 1.3, colour: '#16131a' } },
    { colourHalftone: 10, opacity: 0.2 },
    { border: { colour: '#ffffff', margin: 40 } },
  ],
  'Oil on Canvas': [
    { grade: { saturation: 1.35, contrast: 1.1, warmth: 8 } },
    { strokes: 12 },
    { strokes: 5 },
    { paper: { strength: 0.16, scale: 7 } },
    { border: { colour: '#5a3a1c', margin: 46 } },
  ],
  'Pop Art Six': [{ strokes: 8 }, { popArt: { columns: 3, rows: 2 } }],
  'Pencil Crowd': [
    { pencil: { softness: 12, colour: '#2b2b33', paper: '#fbf8f1' } },
    { paper: { strength: 0.1, scale: 12 } },
  ],
  'Paper Cut': [
    { strokes: 14 },
    { posterize: 4 },
    { grade: { saturation: 1.25, brightness: 10 } },
    { outlines: { strength: 0.7, colour: '#ffffff', width: 2.6 } },
    { paper: { strength: 0.14, scale: 10 } },
  ],
  'Stained Window': [
    { grade: { saturation: 2, contrast: 1.2, brightness: 8 } },
    { stainedGlass: 31 },
    { bloom: { strength: 0.22 } },
  ],
  'Brick Town': [
    { grade: { saturation: 1.7, contrast: 1.12 } },
    { posterize: 7 },
    { tiles: { shade: 'bricks', cell: 26 } },
  ],
  Woollen: [
    { grade: { saturation: 1.3 } },
    { posterize: 9 },
    { tiles: { shade: 'knit', cell: 16, variation: 0.08 } },
  ],
  Sampler: [
    { grade: { saturation: 1.35 } },
    { posterize: 8 },
    { tiles: { shade: 'crossStitch', cell: 16, variation: 0.1 } },
    { border: { colour: '#efe6d2', margin: 64 } },
  ],
  'Mosaic Floor': [
    { grade: { saturation: 1.5, contrast: 1.1 } },
    { tiles: { shade: 'mosaic', cell: 21, variation: 0.22 } },
  ],
  'Low Poly Crew': [{ grade: { saturation: 1.35, contrast: 1.1 } }, { lowPoly: 30 }],
  'Neon Gang': [{ neon: { from: '#39ff88', to: '#ff3df0' } }, { vignette: { strength: 0.6 } }],
  Zine: [
    { strokes: 4 },
    { gradientMap: ['#2b2d86', '#ff48b0', '#ffe800'] },
    { halftone: { cell: 10, angle: 45, colour: '#2b2d86', paper: '#ffe800' }, opacity: 0.4 },
    { grain: 24 },
    { border: { colour: '#fff8dc', margin: 54 } },
  ],
  Blueprint: [
    { pencil: { softness: 10, colour: '#dbeaff', paper: '#12418a' } },
    { gradientMap: ['#06245a', '#2f6fc4'], opacity: 0.18 },
    { border: { colour: '#12418a', margin: 40 } },
    { border: { colour: '#dbeaff', margin: 10 } },
    { border: { colour: '#12418a', margin: 34 } },
  ],
  Chalkboard: [
    { pencil: { softness: 13, colour: '#f4f4ec', paper: '#22332c' } },
    { paper: { strength: 0.22, scale: 40 } },
    { border: { colour: '#8a5a2b', margin: 40 } },
  ],
  Banknote: [
    { grade: { contrast: 1.2, brightness: 12 } },
    { engraving: { cell: 9, angle: 16, colour: '#1c4a3a', paper: '#e6ecd2' } },
    { border: { colour: '#e6ecd2', margin: 60 } },
    { border: { colour: '#1c4a3a', margin: 8 } },
    { border: { colour: '#e6ecd2', margin: 26 } },
  ],
  Newspaper: [
    { grade: { contrast: 1.2, brightness: 16 } },
    { halftone: { cell: 8, angle: 45, colour: '#26241f', paper: '#efe9d8' } },
    {
      poster: { paper: '#efe9d8', ink: '#26241f', line: 'LATE EDITION   ALL THE PICTURES   PRICE ONE SMILE' },
    },
  ],
  'Pixel Quest': [
    { grade: { saturation: 1.5, contrast: 1.15 } },
    { posterize: 6 },
    { tiles: { shade: 'pixels', cell: 24 } },
    { scanlines: { pitch: 8, opacity: 0.08 } },
  ],
  'Vapor Crew': [
    { gradientMap: ['#1b0740', '#7b2ff7', '#ff5fc4', '#ffd1a8', '#fff7d6'] },
    { channelShift: 6 },
    { neonFloor: {} },
  ],
  'Travel Poster': [
    { strokes: 12 },
    { posterize: 6 },
    { grade: { saturation: 1.3, warmth: 14 } },
    { poster: { paper: '#f6ead0', ink: '#174a5b', line: 'VISIT US   BY RAIL AND SEA   ALL YEAR ROUND' } },
  ],
  Manga: [
    { grade: { saturation: 0, contrast: 1.1, brightness: 44 } },
    { strokes: 5 },
    { posterize: 5 },
    { outlines: { strength: 1.4, colour: '#000000' } },
    { halftone: { cell: 8, angle: 45, colour: '#111111', paper: '#ffffff' }, opacity: 0.45 },
    { speedLines: { colour: '#ffffff', count: 110 } },
    { border: { colour: '#ffffff', margin: 36 } },
  ],
};
