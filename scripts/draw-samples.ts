/** Draws the two sample photos. The people in them do not exist, so no real person's picture is published. */
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { drawPerson, shaded } from '../test/people/draw-person.ts';
import { people } from '../test/people/people.ts';

let unique = 0;

function scenery(width: number, height: number): string {
  const hill = (y: number, amount: number, phase: number, light: string, dark: string) => {
    const points = Array.from({ length: 25 }, (_, n) => {
      const x = (width * n) / 24;
      return `${x} ${y + Math.sin(n / 3.4 + phase) * amount + Math.sin(n / 1.3 + phase) * amount * 0.25}`;
    });
    unique += 1;
    return `<linearGradient id="h${unique}" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></linearGradient><path d="M0 ${height} L${points.join(' L')} L${width} ${height} Z" fill="url(#h${unique})"/>`;
  };
  const cloud = (x: number, y: number, size: number) =>
    `<g fill="#fff" opacity=".88" transform="translate(${x} ${y}) scale(${size})"><circle r="46"/><circle cx="58" cy="8" r="36"/><circle cx="-56" cy="12" r="34"/><rect x="-88" y="8" width="182" height="38" rx="19"/></g>`;
  const tree = (x: number, y: number, size: number) =>
    `<g transform="translate(${x} ${y}) scale(${size})"><rect x="-9" y="0" width="18" height="90" fill="#5b3a26"/>${shaded('#8fcf6b', '#1f6b4a', (fill) => `<circle cy="-50" r="76" fill="${fill}"/><circle cx="-46" cy="-14" r="52" fill="${fill}"/><circle cx="48" cy="-18" r="54" fill="${fill}"/>`)}</g>`;
  return `<linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#3d8fd9"/><stop offset=".45" stop-color="#9fd8ef"/><stop offset=".75" stop-color="#ffe9c4"/></linearGradient><rect width="${width}" height="${height}" fill="url(#sky)"/>
    <circle cx="${width * 0.83}" cy="${height * 0.16}" r="${height * 0.075}" fill="#fff4bf"/><circle cx="${width * 0.83}" cy="${height * 0.16}" r="${height * 0.12}" fill="#fff4bf" opacity=".35"/>
    ${cloud(width * 0.18, height * 0.12, 1.25)}${cloud(width * 0.56, height * 0.07, 0.85)}${cloud(width * 0.93, height * 0.3, 0.9)}
    ${hill(height * 0.56, 44, 0.4, '#8db9c9', '#5f93a8')}${hill(height * 0.63, 34, 2.6, '#7fc08a', '#3f8f6a')}
    ${tree(width * 0.08, height * 0.6, 1)}${tree(width * 0.93, height * 0.61, 1.15)}${tree(width * 0.8, height * 0.62, 0.7)}
    ${hill(height * 0.72, 22, 4.4, '#a9d46f', '#4c9a4f')}`;
}

const dog = (x: number, y: number, scale: number): string =>
  `<g transform="translate(${x} ${y}) scale(${scale})">${shaded('#f2c98f', '#a86a32', (fill) => `<path d="M-120 330 C-130 150 -90 100 0 100 C90 100 130 150 120 330 Z" fill="${fill}"/><ellipse rx="118" ry="108" fill="${fill}"/>`)}
    ${shaded('#8a5a33', '#4a2b17', (fill) => `<path d="M-100 -60 C-180 -70 -176 60 -132 92 C-104 70 -96 0 -84 -50 Z M100 -60 C180 -70 176 60 132 92 C104 70 96 0 84 -50 Z" fill="${fill}"/>`)}
    <ellipse cy="40" rx="62" ry="50" fill="#fff3e0"/><ellipse cy="18" rx="24" ry="18" fill="#2a1a14"/><path d="M0 36 V60 M-30 58 Q0 84 30 58" fill="none" stroke="#2a1a14" stroke-width="7" stroke-linecap="round"/><path d="M-14 72 Q0 116 16 72 Z" fill="#ff7a8a"/>
    <circle cx="-46" cy="-18" r="16" fill="#2a1a14"/><circle cx="46" cy="-18" r="16" fill="#2a1a14"/><circle cx="-51" cy="-24" r="5" fill="#fff"/><circle cx="41" cy="-24" r="5" fill="#fff"/>
    <path d="M-92 116 Q0 160 92 116 L96 142 Q0 190 -96 142 Z" fill="#e63946"/><circle cy="168" r="17" fill="#ffd76a"/></g>`;

const svg = (width: number, height: number, inner: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${inner}</svg>`,
  );

const portrait = svg(1000, 1500, `${scenery(1000, 1500)}${drawPerson(people.mara, 500, 640, 1.42)}`);

const group = svg(
  1500,
  1000,
  `${scenery(1500, 1000)}
  ${drawPerson(people.kofi, 610, 372, 0.78)}${drawPerson(people.lena, 930, 380, 0.76)}${drawPerson(people.rosa, 300, 500, 0.74)}
  ${drawPerson(people.ama, 1220, 520, 0.7)}${drawPerson(people.tilda, 780, 640, 0.6)}${dog(505, 760, 0.72)}`,
);

const folder = new URL('../src/generation-service/samples/', import.meta.url);

for (const [name, drawing] of [
  ['portrait.jpg', portrait],
  ['group.jpg', group],
] as const) {
  await sharp(drawing)
    .flatten()
    .jpeg({ quality: 86, mozjpeg: true })
    .toFile(fileURLToPath(new URL(name, folder)));
}
