import type { FilterTable } from '../steps.ts';

/** The user's custom filters for one person. */
export const CUSTOM_FACE_FILTERS: FilterTable = {
  'Velvet Noir': [
    { gradientMap: ['#0a0206', '#5a0f2e', '#d98ba3', '#fff0f2'] },
    { grain: 22 },
    { vignette: { strength: 1.8, colour: '#0a0206' } },
  ],
  'Halloween Lantern': [
    { grade: { contrast: 1.2 } },
    { gradientMap: ['#0a0510', '#43106b', '#ff7a1a', '#ffe9a8'] },
    { scatter: { shape: 'sparkle', count: 90, colours: ['#ffb347', '#ffe9a8'] } },
    { vignette: { strength: 1.6, colour: '#0a0510' } },
    { poster: { paper: '#140a1f', ink: '#ff8c2b', line: 'ONE NIGHT ONLY   BRING A LANTERN' } },
  ],
  'Ocean Glass': [
    { ripple: { amount: 0.008, waves: 18 } },
    { gradientMap: ['#021b33', '#0b6e8f', '#6fd6cf', '#f4fff8'] },
    { bloom: { strength: 0.22 } },
    { scatter: { shape: 'ring', count: 90, colours: ['#f0ffff'] } },
  ],
  'Candy Pop': [
    { strokes: 7 },
    { posterize: 5 },
    { grade: { saturation: 1.5, brightness: 18, tint: 10 } },
    { outlines: { strength: 1.1, colour: '#5a1846' } },
    { scatter: { shape: 'heart', count: 90, colours: ['#ff5fa2', '#ffd1e8', '#8ef0ff'] } },
    { border: { colour: '#ffe3f1', margin: 50 } },
  ],
  'Ivory Ink': [
    { grade: { contrast: 1.2, brightness: 16 } },
    { engraving: { cell: 8, angle: 42, colour: '#2a2118', paper: '#f8f1e1' } },
    { border: { colour: '#f8f1e1', margin: 70 } },
  ],
};

export const CUSTOM_GROUP_FILTERS: FilterTable = {
  'Summer Camp': [
    { grade: { warmth: 20, saturation: 1.2, brightness: 8 } },
    { sunRays: { colour: '#ffdc8a', x: 0.85, y: 0 } },
    { lightLeak: ['#ff9a3d'] },
    { border: { colour: '#f4ecd8', margin: 54 } },
  ],
  'Haunted Hall': [
    { grade: { brightness: -30, saturation: 0.3, contrast: 1.25 } },
    { gradientMap: ['#05080a', '#1f3b34', '#8fb59a', '#eef5e4'] },
    { grain: 30 },
    { vignette: { strength: 2.4, colour: '#020404' } },
  ],
  'Winter Gala': [
    { grade: { warmth: -18, brightness: 10 } },
    { wash: { top: '#e9f4ff', bottom: '#8fb3e6', opacity: 0.45 } },
    { scatter: { shape: 'flake', count: 120, colours: ['#ffffff'] } },
    { scatter: { shape: 'sparkle', count: 70, colours: ['#fff4cf'] } },
  ],
  'Neon Reunion': [
    { neon: { from: '#ffd60a', to: '#ff006e', background: '#0a0418' } },
    { bloom: { strength: 0.15 } },
  ],
  'Garden Party': [
    { grade: { saturation: 1.25, brightness: 12 } },
    { aurora: ['#d9ff9e', '#fff3a6'] },
    { scatter: { shape: 'petal', count: 150, colours: ['#ffd1dc', '#ffffff', '#ffe08a', '#c8f7a5'] } },
  ],
};

export const SELF_CREATED_FILTERS = new Set([
  'Halloween Lantern',
  'Ocean Glass',
  'Summer Camp',
  'Haunted Hall',
]);
