import sharp from 'sharp';
import { drawPerson, type Person } from './draw-person.ts';

export const personNames = ['mara', 'kofi', 'lena', 'rosa', 'ama', 'tilda', 'noor', 'otto'] as const;

export type PersonName = (typeof personNames)[number];

/** People of different skin tones, ages, beards, glasses and hair; Noor's head is turned. */
export const people: Readonly<Record<PersonName, Person>> = {
  mara: {
    skin: ['#fbd3ae', '#eab489', '#b9744a'],
    hair: ['#9a5530', '#2e130c'],
    style: 'curls',
    clothes: ['#2fb5a8', '#0d4f5c'],
    eyes: '#8a5a34',
    lips: '#c25f5b',
    lashes: true,
    glasses: true,
    mouth: 'laugh',
    extra: 'scarf',
    tilt: -3,
  },
  kofi: {
    skin: ['#a86f48', '#7f4d2f', '#472614'],
    hair: ['#352626', '#0f0a0c'],
    style: 'crop',
    clothes: ['#ffb84d', '#c4541f'],
    eyes: '#5a3420',
    lips: '#8f4a44',
    beard: 'full',
    mouth: 'laugh',
    extra: 'collar',
    width: 1.03,
    jaw: 1.12,
    tilt: 2,
  },
  lena: {
    skin: ['#ffe2c8', '#f6c6a2', '#c98a64'],
    hair: ['#f2d27c', '#a8752c'],
    style: 'bob',
    clothes: ['#e65a7a', '#8c1f4a'],
    eyes: '#5b8fb8',
    lips: '#cc5a63',
    lashes: true,
    extra: 'necklace',
    width: 0.97,
    tilt: -2,
  },
  rosa: {
    skin: ['#f7d3b0', '#e0aa80', '#a9704a'],
    hair: ['#e2e2e8', '#8a8a98'],
    style: 'bun',
    clothes: ['#8e6bd1', '#40257a'],
    eyes: '#6b7a58',
    lips: '#b35a58',
    old: true,
    glasses: true,
    nose: 1.15,
    tilt: 3,
  },
  ama: {
    skin: ['#8f5c3c', '#6a3f26', '#381c10'],
    hair: ['#4a2a20', '#140a08'],
    style: 'curls',
    clothes: ['#3fc1c9', '#17616e'],
    eyes: '#4a2a1a',
    lips: '#8c3f45',
    lashes: true,
    extra: 'stripes',
    eyesApart: 1.04,
    mouth: 'laugh',
    tilt: -4,
  },
  tilda: {
    skin: ['#ffe0c4', '#f8c7a0', '#d08c64'],
    hair: ['#e0702f', '#7a2a10'],
    style: 'pigtails',
    clothes: ['#fff1c9', '#e0b34f'],
    eyes: '#5d8a54',
    lips: '#d2706c',
    child: true,
    freckles: true,
    mouth: 'laugh',
    extra: 'dungarees',
    tilt: 3,
  },
  noor: {
    skin: ['#e2ae7e', '#c08a58', '#7d5030'],
    hair: ['#3a2a2c', '#100a0e'],
    style: 'long',
    clothes: ['#f0746a', '#8c2733'],
    eyes: '#6a4a24',
    lips: '#b0484c',
    lashes: true,
    yaw: 0.3,
  },
  otto: {
    skin: ['#fad0ac', '#e6a982', '#b06d4a'],
    hair: ['#c9c2b8', '#7d746a'],
    style: 'bald',
    clothes: ['#5a7ba8', '#22364f'],
    eyes: '#5a7d94',
    beard: 'moustache',
    old: true,
    width: 1.05,
    jaw: 1.15,
    nose: 1.2,
    extra: 'collar',
  },
};

/** A photo of one of them before a plain wall, as JPEG. */
export function photoOf(name: PersonName, width = 720): Promise<Buffer> {
  const wall = `<radialGradient id="wall"><stop offset="0" stop-color="#dfe6e4"/><stop offset="1" stop-color="#93a7ab"/></radialGradient><rect width="800" height="1000" fill="url(#wall)"/>`;
  const inner = `${wall}${drawPerson(people[name], 400, 470, 1.15)}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width * 1.25}" viewBox="0 0 800 1000">${inner}</svg>`;
  return sharp(Buffer.from(svg)).flatten().jpeg({ quality: 88 }).toBuffer();
}
