import type { FilterTable } from '../steps.ts';

/** The classic styles, of the v4 path: common effects. */
export const CLASSIC_FILTERS: FilterTable = {
  Sepia: [
    { gradientMap: ['#1f1208', '#6f4a2a', '#cfa873', '#fbeed2'] },
    { vignette: { strength: 1.2, colour: '#1f1208' } },
  ],
  'Black and White': [{ grade: { saturation: 0, contrast: 1.2 } }],
  'Coral Duotone': [{ gradientMap: ['#2d1e4f', '#ff6f61', '#ffe8d6'] }],
  'Mint Duotone': [{ gradientMap: ['#0b2b40', '#2ec4a6', '#f1fff6'] }],
  Lomo: [{ grade: { saturation: 1.6, contrast: 1.3 } }, { vignette: { strength: 2.4 } }],
  'Cross Process': [
    { grade: { contrast: 1.25, saturation: 1.2, tint: -16 } },
    { wash: { top: '#1b2a8f', bottom: '#ffe15a', opacity: 0.5 } },
  ],
  'Soft Focus': [{ bloom: { strength: 0.42, sigma: 18 } }, { grade: { contrast: 0.92, brightness: -8 } }],
  Solarized: [
    { grade: { saturation: 0 } },
    { solarize: 140 },
    { gradientMap: ['#101820', '#8d99ae', '#f8f9fa'] },
  ],
  'Newsprint Dots': [
    { grade: { brightness: 14, contrast: 1.15 } },
    { halftone: { cell: 11, angle: 45, colour: '#1a1a1a', paper: '#f6f1e7' } },
  ],
  'Ink and Wash': [
    { grade: { saturation: 0.35, brightness: 28 } },
    { strokes: 9 },
    { outlines: { strength: 1.2, colour: '#1d2b3a', width: 2 } },
  ],
  Carnival: [
    { grade: { saturation: 1.9, contrast: 1.1 } },
    { posterize: 7 },
    { lightLeak: ['#ff3d6e', '#ffd23f'] },
    { scatter: { shape: 'star', count: 110, colours: ['#ffd23f', '#ff3d6e', '#3bceac', '#ffffff'] } },
  ],
  'Mirror Hall': [
    { mirror: {} },
    { grade: { saturation: 1.2, contrast: 1.1 } },
    { grain: 14 },
    { border: { colour: '#0c0c12', margin: 40 } },
  ],
};
