/** Draws the two sample photos: people who do not exist, so that nobody's picture is passed around. */
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

interface Person {
  x: number;
  y: number;
  scale: number;
  skin: readonly [light: string, dark: string];
  hair: readonly [light: string, dark: string];
  style: 'curls' | 'bob' | 'short' | 'bun' | 'beard' | 'pigtails';
  clothes: readonly [light: string, dark: string];
  glasses?: boolean;
  extra?: 'scarf' | 'stripes' | 'dungarees' | 'collar' | 'necklace';
  tilt?: number;
}

let unique = 0;

/** A gradient of its own for each part; light falls from the upper left. */
function shaded(light: string, dark: string, paint: (fill: string) => string): string {
  unique += 1;
  const id = `g${unique}`;
  return `<radialGradient id="${id}" cx=".32" cy=".22" r=".95"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></radialGradient>${paint(`url(#${id})`)}`;
}

const circles = (points: readonly (readonly [x: number, y: number, r: number])[], fill: string): string =>
  points.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`).join('');

const curls = [
  [-150, -70, 74],
  [-165, 30, 70],
  [-150, 130, 66],
  [-118, -160, 78],
  [-40, -215, 84],
  [50, -215, 84],
  [125, -160, 78],
  [158, -70, 74],
  [168, 30, 70],
  [150, 130, 66],
  [-120, 205, 52],
  [122, 205, 52],
] as const;

/** Hair behind the head, in coordinates whose origin is the middle of the face. */
function backHair({ style, hair: [light, dark] }: Person): string {
  return shaded(light, dark, (fill) => {
    if (style === 'curls') return circles(curls, fill);
    if (style === 'bob') {
      return `<path d="M-172 150 C-215 -60 -170 -245 0 -245 C170 -245 215 -60 172 150 C150 190 60 170 0 170 C-60 170 -150 190 -172 150 Z" fill="${fill}"/>`;
    }
    if (style === 'bun') {
      return `<circle cx="10" cy="-262" r="72" fill="${fill}"/><path d="M-158 40 C-190 -130 -120 -232 0 -232 C120 -232 190 -130 158 40 Z" fill="${fill}"/>`;
    }
    if (style === 'pigtails') {
      return `${circles(
        [
          [-205, 30, 62],
          [-222, 110, 50],
          [-218, 176, 36],
          [205, 30, 62],
          [222, 110, 50],
          [218, 176, 36],
        ],
        fill,
      )}<path d="M-158 40 C-190 -130 -120 -226 0 -226 C120 -226 190 -130 158 40 Z" fill="${fill}"/>`;
    }
    return `<path d="M-152 30 C-180 -140 -110 -224 0 -224 C110 -224 180 -140 152 30 Z" fill="${fill}"/>`;
  });
}

/** Hair over the forehead. */
function frontHair({ style, hair: [light, dark] }: Person): string {
  return shaded(light, dark, (fill) => {
    if (style === 'curls') {
      return circles(
        [
          [-112, -118, 52],
          [-52, -160, 54],
          [22, -168, 54],
          [88, -142, 50],
          [126, -96, 40],
        ],
        fill,
      );
    }
    if (style === 'bob') {
      return `<path d="M-146 10 C-160 -150 -90 -205 0 -205 C90 -205 160 -150 146 10 C140 -60 110 -92 60 -96 C0 -100 -90 -92 -112 -62 C-132 -40 -142 -16 -146 10 Z" fill="${fill}"/>`;
    }
    if (style === 'bun' || style === 'pigtails') {
      return `<path d="M-146 -6 C-156 -140 -90 -206 4 -206 C92 -206 156 -140 146 -6 C134 -78 92 -120 4 -150 C-60 -118 -128 -78 -146 -6 Z" fill="${fill}"/>`;
    }
    return `<path d="M-144 -22 C-158 -150 -86 -208 6 -210 C100 -208 158 -140 144 -22 C136 -66 120 -92 96 -108 C40 -86 -62 -92 -104 -112 C-124 -92 -138 -62 -144 -22 Z" fill="${fill}"/>`;
  });
}

function face({ skin: [light, dark], hair, style, glasses }: Person): string {
  const shape = `<path d="M-140 -40 C-146 -150 -80 -196 0 -196 C80 -196 146 -150 140 -40 C138 70 84 172 0 172 C-84 172 -138 70 -140 -40 Z"`;
  const beard = shaded(
    hair[0],
    hair[1],
    (fill) =>
      `<path d="M-137 10 C-130 120 -76 196 0 196 C76 196 130 120 137 10 C112 66 78 58 48 50 C20 42 -20 42 -48 50 C-78 58 -112 66 -137 10 Z" fill="${fill}"/>`,
  );
  const eye = (
    x: number,
  ) => `<ellipse cx="${x}" cy="-14" rx="24" ry="19" fill="#fffdf8"/><circle cx="${x + 3}" cy="-13" r="14" fill="#4a2f22"/><circle cx="${x + 3}" cy="-13" r="7" fill="#120b08"/><circle cx="${x - 2}" cy="-19" r="5" fill="#fff"/>
    <path d="M${x - 27} -20 Q${x} -44 ${x + 27} -20" fill="none" stroke="#2a1712" stroke-width="7" stroke-linecap="round"/>
    <path d="M${x - 30} -60 Q${x} -82 ${x + 30} -62" fill="none" stroke="${hair[1]}" stroke-width="12" stroke-linecap="round"/>`;
  const lens = (x: number) =>
    `<circle cx="${x}" cy="-12" r="46" fill="#ffffff" fill-opacity=".16" stroke="#2b2230" stroke-width="8"/>`;
  const ears = shaded(
    light,
    dark,
    (fill) =>
      `<circle cx="-141" cy="-4" r="30" fill="${fill}"/><circle cx="141" cy="-4" r="30" fill="${fill}"/>`,
  );
  return `${ears}${shaded(light, dark, (fill) => `${shape} fill="${fill}"/>`)}
    <circle cx="-82" cy="52" r="34" fill="#ff5a5f" opacity=".2"/><circle cx="82" cy="52" r="34" fill="#ff5a5f" opacity=".2"/>
    ${style === 'beard' ? beard : ''}${eye(-58)}${eye(58)}
    <path d="M2 -4 Q20 44 2 52 Q-8 56 -18 48" fill="none" stroke="${dark}" stroke-width="8" stroke-linecap="round"/>
    <path d="M-52 88 Q0 100 52 88 Q40 134 0 134 Q-40 134 -52 88 Z" fill="#8c2734"/><path d="M-42 92 Q0 102 42 92 L38 102 Q0 112 -38 102 Z" fill="#fff"/>
    ${glasses ? `${lens(-58)}${lens(58)}<path d="M-14 -18 Q0 -26 14 -18" fill="none" stroke="#2b2230" stroke-width="8"/>` : ''}`;
}

function body({ skin, clothes: [light, dark], extra }: Person): string {
  const neck = shaded(
    skin[0],
    skin[1],
    (fill) =>
      `<path d="M-56 120 L-56 240 Q0 290 56 240 L56 120 Z" fill="${fill}"/><path d="M-56 150 Q0 210 56 150 L56 180 Q0 236 -56 180 Z" fill="${skin[1]}" opacity=".55"/>`,
  );
  const torso = shaded(
    light,
    dark,
    (fill) =>
      `<path d="M-290 1100 V600 C-290 330 -210 250 -70 226 Q0 300 70 226 C210 250 290 330 290 600 V1100 Z" fill="${fill}"/>`,
  );
  const stripes = [330, 400, 470, 540, 610, 680, 750].map(
    (y) =>
      `<path d="M-286 ${y + 20} Q0 ${y + 60} 286 ${y + 20}" fill="none" stroke="#fff" stroke-opacity=".75" stroke-width="24"/>`,
  );
  const extras = {
    stripes: `<clipPath id="c${unique}"><path d="M-290 1100 V600 C-290 330 -210 250 -70 226 Q0 300 70 226 C210 250 290 330 290 600 V1100 Z"/></clipPath><g clip-path="url(#c${unique})">${stripes.join('')}</g>`,
    scarf: shaded(
      '#ffd76a',
      '#d9862b',
      (fill) =>
        `<path d="M-110 208 Q0 292 110 208 Q136 262 96 296 Q0 340 -96 296 Q-136 262 -110 208 Z" fill="${fill}"/><path d="M40 296 L110 290 L132 520 L60 530 Z" fill="${fill}"/><path d="M-104 236 Q0 318 104 236" fill="none" stroke="#b5651d" stroke-width="6" opacity=".6"/>`,
    ),
    dungarees: shaded(
      '#6fa3d8',
      '#2a4f86',
      (fill) =>
        `<path d="M-150 1100 L-150 420 Q0 396 150 420 L150 1100 Z M-150 430 L-120 246 L-80 236 L-98 430 Z M98 430 L80 236 L120 246 L150 430 Z" fill="${fill}"/><circle cx="-122" cy="440" r="14" fill="#ffd76a"/><circle cx="122" cy="440" r="14" fill="#ffd76a"/>`,
    ),
    collar:
      '<path d="M-74 222 L0 320 L-60 352 L-118 240 Z M74 222 L0 320 L60 352 L118 240 Z" fill="#fff8ec"/>',
    necklace: circles(
      [
        [-66, 258, 12],
        [-40, 286, 13],
        [-12, 302, 14],
        [18, 302, 14],
        [46, 286, 13],
        [68, 258, 12],
      ],
      '#fff4d6',
    ),
  };
  return `${torso}${neck}${extra === undefined ? '' : extras[extra]}`;
}

const person = (who: Person): string =>
  `<g transform="translate(${who.x} ${who.y}) scale(${who.scale})">${backHair(who)}${body(who)}<g transform="rotate(${who.tilt ?? 0} 0 150)">${face(who)}${frontHair(who)}</g></g>`;

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

const portrait = svg(
  1000,
  1500,
  `${scenery(1000, 1500)}${person({
    x: 500,
    y: 640,
    scale: 1.42,
    skin: ['#f6c9a0', '#c47c4e'],
    hair: ['#8a4a2a', '#2e130c'],
    style: 'curls',
    clothes: ['#2fb5a8', '#0d4f5c'],
    extra: 'scarf',
    glasses: true,
    tilt: -3,
  })}`,
);

const group = svg(
  1500,
  1000,
  `${scenery(1500, 1000)}
  ${person({ x: 610, y: 372, scale: 0.78, skin: ['#a9714b', '#5e3620'], hair: ['#3b2a2a', '#0f0a0c'], style: 'beard', clothes: ['#ffb84d', '#c4541f'], extra: 'collar', tilt: 2 })}
  ${person({ x: 930, y: 380, scale: 0.76, skin: ['#ffdcc0', '#d99a74'], hair: ['#f2d27c', '#a8752c'], style: 'bob', clothes: ['#e65a7a', '#8c1f4a'], extra: 'necklace', tilt: -2 })}
  ${person({ x: 300, y: 500, scale: 0.74, skin: ['#f4c79c', '#bd7a4c'], hair: ['#d8d8de', '#8a8a98'], style: 'bun', clothes: ['#8e6bd1', '#40257a'], glasses: true, tilt: 3 })}
  ${person({ x: 1220, y: 520, scale: 0.7, skin: ['#8d5a3a', '#4a2a1a'], hair: ['#4a2a20', '#140a08'], style: 'curls', clothes: ['#3fc1c9', '#17616e'], extra: 'stripes', tilt: -4 })}
  ${person({ x: 780, y: 640, scale: 0.6, skin: ['#ffd9b8', '#d6946a'], hair: ['#d9622b', '#7a2a10'], style: 'pigtails', clothes: ['#fff1c9', '#e0b34f'], extra: 'dungarees', tilt: 3 })}
  ${dog(505, 760, 0.72)}`,
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
