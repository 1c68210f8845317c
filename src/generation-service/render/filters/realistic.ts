import type { FilterTable } from '../steps.ts';

/** Realistic group styles, which keep the photo a photo: light, weather, film. The interface promises numbers from 1 to 25. */
export const REALISTIC_FILTERS: FilterTable = {
  'Golden Afternoon': [
    { grade: { warmth: 26, saturation: 1.15 } },
    { sunRays: { colour: '#ffcf70', x: 0.12, y: 0 } },
    { bloom: { strength: 0.2 } },
  ],
  'Blue Hour': [
    { grade: { warmth: -28, saturation: 0.85, brightness: -16 } },
    { wash: { top: '#16265c', bottom: '#5a78c9', opacity: 0.55 } },
    { vignette: { strength: 1.1, colour: '#050a24' } },
  ],
  'Seventies Album': [
    { grade: { saturation: 0.75, contrast: 0.82, brightness: 20, warmth: 22, tint: 4 } },
    { grain: 20 },
    { lightLeak: ['#ff8a2b'] },
    { border: { colour: '#f7efdd', margin: 60 } },
  ],
  'Press Photo': [
    { grade: { saturation: 0, contrast: 1.3 } },
    { grain: 24 },
    { border: { colour: '#ffffff', margin: 44 } },
  ],
  'Fresh Snow': [
    { grade: { saturation: 0.7, brightness: 24, warmth: -16 } },
    { scatter: { shape: 'snow', count: 620, colours: ['#ffffff'] } },
    { vignette: { strength: 1.2, colour: '#f3f9ff' } },
  ],
  'Summer Rain': [
    { grade: { saturation: 0.6, brightness: -22, warmth: -14, contrast: 1.1 } },
    { scatter: { shape: 'rain', count: 420, colours: ['#dbeaf7'] } },
    { vignette: { strength: 1.1, colour: '#101a24' } },
  ],
  'Cherry Garden': [
    { grade: { brightness: 14, tint: 10 } },
    { wash: { top: '#ffe3ee', bottom: '#ffb0cd', opacity: 0.4 } },
    { scatter: { shape: 'petal', count: 300, colours: ['#ffc4da', '#ff9dc1', '#ffffff'] } },
  ],
  'Autumn Walk': [
    { grade: { warmth: 24, saturation: 1.2, contrast: 1.05 } },
    { wash: { top: '#d9772b', bottom: '#7a3b12', opacity: 0.35 } },
    { scatter: { shape: 'leaf', count: 280, colours: ['#d9531e', '#e8902a', '#b5331a', '#f2c14e'] } },
  ],
  'Confetti Party': [
    { grade: { saturation: 1.35, brightness: 8 } },
    { bloom: { strength: 0.15 } },
    {
      scatter: {
        shape: 'ribbon',
        count: 620,
        colours: ['#ff3d6e', '#ffd23f', '#3bceac', '#3a86ff', '#b15cff', '#ffffff'],
      },
    },
  ],
  'Northern Lights': [
    { grade: { brightness: -44, saturation: 0.7, warmth: -24 } },
    { aurora: ['#2bffb0', '#39d0ff', '#a76bff'] },
    { scatter: { shape: 'speck', count: 260, colours: ['#ffffff'] } },
    { vignette: { strength: 1, colour: '#020816' } },
  ],
  'Misty Morning': [
    { grade: { contrast: 0.72, saturation: 0.7, brightness: 34 } },
    { wash: { top: '#f3f1ea', bottom: '#c9d6dc', opacity: 0.5, blend: 'screen' } },
    { bloom: { strength: 0.12, sigma: 40 } },
  ],
  'Teal and Orange': [
    { grade: { contrast: 1.15, saturation: 1.1 } },
    { gradientMap: ['#032a33', '#1d7480', '#f2a25c', '#fff0d6'], opacity: 0.5 },
    { vignette: { strength: 0.9 } },
  ],
  Miniature: [{ grade: { saturation: 1.6, contrast: 1.15, brightness: 6 } }, { tiltShift: 13 }],
  'Instant Film': [
    { grade: { saturation: 0.9, contrast: 0.88, brightness: 14, tint: -6, warmth: 8 } },
    { vignette: { strength: 0.7, colour: '#2b3a24' } },
    { polaroid: {} },
  ],
  'Film Strip': [{ grade: { saturation: 0.9, contrast: 1.1, warmth: 10 } }, { grain: 18 }, { filmStrip: {} }],
  'Desert Heat': [
    { grade: { warmth: 34, saturation: 1.1, contrast: 0.95, brightness: 8 } },
    { wash: { top: '#ffd9a0', bottom: '#e8743b', opacity: 0.5 } },
    { ripple: { amount: 0.0035, waves: 30 } },
    { bloom: { strength: 0.18 } },
  ],
  'Under Water': [
    { grade: { warmth: -34, saturation: 0.9, tint: -14 } },
    { ripple: { amount: 0.009, waves: 16 } },
    { wash: { top: '#7af0ff', bottom: '#00497a', opacity: 0.6 } },
    { scatter: { shape: 'ring', count: 110, colours: ['#e8fdff'] } },
    { sunRays: { colour: '#bff6ff', x: 0.4, y: -0.1 } },
  ],
  'Candle Light': [
    { grade: { brightness: -46, warmth: 34, contrast: 1.15 } },
    { scatter: { shape: 'light', count: 46, colours: ['#ffb347', '#ffd27a', '#ff8c42'] } },
    { bloom: { strength: 0.3, sigma: 34 } },
    { vignette: { strength: 1.8, colour: '#140600' } },
  ],
  'Starry Night': [
    { grade: { brightness: -38, saturation: 0.8, warmth: -22 } },
    { wash: { top: '#0a1045', bottom: '#3b2a7a', opacity: 0.5, blend: 'screen' } },
    { scatter: { shape: 'sparkle', count: 130, colours: ['#ffffff', '#cfe0ff', '#fff1c9'] } },
    { vignette: { strength: 1, colour: '#02020f' } },
  ],
  'Street Neon': [
    { grade: { contrast: 1.15, brightness: -20 } },
    { gradientMap: ['#070016', '#3d0a7a', '#e01bb0', '#38e1ff', '#f2feff'], opacity: 0.6 },
    { lightLeak: ['#ff2bd6', '#19e3ff'] },
    { channelShift: 6 },
    { bloom: { strength: 0.22 } },
    { vignette: { strength: 1, colour: '#05000f' } },
  ],
};
