/** Draws people who do not exist, so that nobody's picture is passed around. Light falls from the upper left. */
export interface Person {
  skin: readonly [light: string, middle: string, dark: string];
  hair: readonly [light: string, dark: string];
  style: 'curls' | 'bob' | 'bun' | 'pigtails' | 'long' | 'bald' | 'crop';
  clothes: readonly [light: string, dark: string];
  eyes?: string;
  lips?: string;
  /** 1 for a grown-up; a child's eyes are larger and its jaw is smaller. */
  child?: boolean;
  old?: boolean;
  lashes?: boolean;
  beard?: 'full' | 'moustache';
  glasses?: boolean;
  freckles?: boolean;
  mouth?: 'laugh' | 'smile';
  /** How wide the face and its jaw are; 1 is usual. */
  width?: number;
  jaw?: number;
  /** How far the eyes are apart and how long the nose is; 1 is usual. */
  eyesApart?: number;
  nose?: number;
  extra?: 'scarf' | 'stripes' | 'dungarees' | 'collar' | 'necklace';
  tilt?: number;
  /** Radians; positive turns to the right of the picture. */
  yaw?: number;
}

let unique = 0;

/** A gradient of its own for each part. */
export function shaded(light: string, dark: string, paint: (fill: string) => string): string {
  unique += 1;
  const id = `g${unique}`;
  return `<radialGradient id="${id}" cx=".32" cy=".22" r=".95"><stop offset="0" stop-color="${light}"/><stop offset="1" stop-color="${dark}"/></radialGradient>${paint(`url(#${id})`)}`;
}

/** An ellipse that fades to nothing at its edge. */
function soft(
  x: number,
  y: number,
  rx: number,
  ry: number,
  colour: string,
  opacity: number,
  turn = 0,
): string {
  unique += 1;
  const id = `s${unique}`;
  const stop = (offset: number, share: number) =>
    `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity * share}"/>`;
  return `<radialGradient id="${id}">${stop(0, 1)}${stop(0.5, 0.62)}${stop(1, 0)}</radialGradient><ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="url(#${id})" transform="rotate(${turn} ${x} ${y})"/>`;
}

const circles = (points: readonly (readonly [x: number, y: number, r: number])[], fill: string): string =>
  points.map(([x, y, r]) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`).join('');

const line = (d: string, colour: string, width: number, opacity = 1): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-opacity="${opacity}" stroke-linecap="round"/>`;

const CURLS = [
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
    switch (style) {
      case 'bald':
        return '';
      case 'curls':
        return circles(CURLS, fill);
      case 'bob':
        return `<path d="M-172 150 C-215 -60 -170 -245 0 -245 C170 -245 215 -60 172 150 C150 190 60 170 0 170 C-60 170 -150 190 -172 150 Z" fill="${fill}"/>`;
      case 'long':
        return `<path d="M-190 420 C-230 200 -215 -245 0 -248 C215 -245 230 200 190 420 C120 470 60 380 0 380 C-60 380 -120 470 -190 420 Z" fill="${fill}"/>`;
      case 'bun':
        return `<circle cx="10" cy="-262" r="72" fill="${fill}"/><path d="M-158 40 C-190 -130 -120 -232 0 -232 C120 -232 190 -130 158 40 Z" fill="${fill}"/>`;
      case 'pigtails': {
        const tails = [-1, 1].flatMap((side) => [
          [side * 205, 30, 62] as const,
          [side * 222, 110, 50] as const,
          [side * 218, 176, 36] as const,
        ]);
        return `${circles(tails, fill)}<path d="M-158 40 C-190 -130 -120 -226 0 -226 C120 -226 190 -130 158 40 Z" fill="${fill}"/>`;
      }
      default:
        return `<path d="M-152 30 C-180 -140 -110 -224 0 -224 C110 -224 180 -140 152 30 Z" fill="${fill}"/>`;
    }
  });
}

/** Hair over the forehead, with strands that follow its shape. */
function frontHair({ style, hair: [light, dark] }: Person): string {
  if (style === 'bald') return '';
  if (style === 'curls') {
    const locks = [
      [-112, -118, 52],
      [-52, -160, 54],
      [22, -168, 54],
      [88, -142, 50],
      [126, -96, 40],
    ] as const;
    return shaded(light, dark, (fill) => circles(locks, fill));
  }
  const shapes = {
    bob: 'M-146 10 C-160 -150 -90 -205 0 -205 C90 -205 160 -150 146 10 C140 -60 110 -92 60 -104 C0 -112 -90 -102 -112 -66 C-132 -40 -142 -16 -146 10 Z',
    long: 'M-148 60 C-162 -150 -90 -210 0 -210 C90 -210 162 -150 148 60 C144 -40 120 -120 20 -158 C-40 -124 -138 -60 -148 60 Z',
    bun: 'M-146 -6 C-156 -140 -90 -206 4 -206 C92 -206 156 -140 146 -6 C134 -78 92 -120 4 -150 C-60 -118 -128 -78 -146 -6 Z',
    crop: 'M-143 -30 C-154 -140 -86 -202 2 -203 C92 -202 154 -140 143 -30 C138 -70 126 -106 102 -128 C50 -150 -50 -150 -102 -128 C-126 -106 -138 -70 -143 -30 Z',
  };
  const d = shapes[style === 'pigtails' ? 'bun' : style];
  unique += 1;
  const id = unique;
  const strands = Array.from({ length: 15 }, (_, n) => {
    const x = -140 + n * 20;
    return line(
      `M${x * 0.5} -206 Q${x * 1.05} -170 ${x * 1.06} -40`,
      n % 3 === 0 ? light : dark,
      n % 3 === 0 ? 5 : 4,
      0.3,
    );
  });
  return `<clipPath id="f${id}"><path d="${d}"/></clipPath>${shaded(light, dark, (fill) => `<path d="${d}" fill="${fill}"/>`)}<g clip-path="url(#f${id})">${strands.join('')}</g>`;
}

/** A feature's place across the face: the nearer it is to the viewer, the further a turn moves it. */
type Across = (x: number, depth: number) => number;

function eye(who: Person, x: number, yaw: number): string {
  const size = who.child ? 1.16 : who.old ? 0.92 : 1;
  const lid = 'M-28 3 Q-14 -20 4 -19 Q20 -17 29 2';
  unique += 1;
  const id = unique;
  const lashes = who.lashes ? line('M24 -4 L35 -14 M17 -11 L26 -23', '#24130e', 4) : '';
  const flip = x < 0 ? -1 : 1;
  return `<g transform="translate(${x} -14) scale(${size * flip * (1 - Math.abs(yaw) * 0.25)} ${size})">
    ${soft(0, -6, 46, 36, who.skin[2], 0.62)}
    <clipPath id="e${id}"><path d="${lid} Q14 17 -4 16 Q-18 14 -28 3 Z"/></clipPath>
    <g clip-path="url(#e${id})"><rect x="-40" y="-30" width="80" height="60" fill="#f7f1ea"/>${soft(-30, 4, 18, 18, '#c98f80', 0.5)}
      <g transform="translate(${yaw * 12 * flip} -1)">${shaded(who.eyes ?? '#7a4a2c', '#25130c', (fill) => `<circle r="14.5" fill="${fill}"/>`)}<circle r="6.8" fill="#0d0806"/><circle cx="${-5 * flip}" cy="-6" r="4.4" fill="#fff"/></g>
      <path d="M-30 4 Q-14 -20 4 -19 Q20 -17 30 2 L30 -6 Q16 -26 0 -26 Q-20 -24 -30 4" fill="#2a1712" opacity=".34" transform="translate(0 6)"/></g>
    ${line(lid, '#24130e', 5.5)}${lashes}${line('M-26 -12 Q-10 -31 6 -29 Q20 -27 29 -11', who.skin[2], 4, 0.85)}
    ${line('M-24 9 Q-8 20 8 17 Q20 14 27 6', who.skin[2], 3, 0.7)}${who.old ? line('M-20 26 Q4 36 26 22 M33 2 L46 -4 M33 8 L46 10', who.skin[2], 3, 0.6) : ''}
    <path d="M-33 -50 Q-2 -${who.lashes ? 72 : 64} 37 -38 Q6 -54 -32 -40 Z" fill="${who.style === 'bald' && !who.beard ? '#3a241a' : who.hair[1]}" stroke="${who.hair[1]}" stroke-width="${who.lashes || who.child ? 2 : 6}" stroke-linejoin="round" opacity=".92"/></g>`;
}

function nose({ skin: [light, , dark], nose: long = 1, child }: Person, at: Across, yaw: number): string {
  const y = 34 + 14 * long;
  const x = at(0, 46);
  const wide = child ? 0.82 : 1;
  const root = at(0, 14);
  const shade = yaw >= 0 ? -1 : 1;
  return `${soft(root - shade * 17, 0, 15, 52 * long, dark, 0.55, shade * 7)}${soft(root + shade * 19, -22, 11, 26, dark, 0.4)}
    <path d="M${root - 6} -40 Q${x - 8} 0 ${x - 6} ${y - 10} L${x + 8} ${y - 10} Q${x + 6} 0 ${root + 6} -40 Z" fill="${light}" opacity=".42"/>
    ${soft(x, y + 8, 40 * wide, 17, dark, 0.7)}${soft(x - 24 * wide, y - 1, 15 * wide, 14, dark, 0.4)}${soft(x + 25 * wide, y - 1, 15 * wide, 14, dark, 0.55)}
    ${soft(x, y - 8, 25 * wide, 21, light, 0.85)}${soft(x - 4, y - 12, 9, 8, '#ffffff', 0.6)}
    ${line(`M${x - 27 * wide} ${y - 8} Q${x - 35 * wide} ${y + 7} ${x - 22 * wide} ${y + 9} M${x + 27 * wide} ${y - 8} Q${x + 35 * wide} ${y + 7} ${x + 22 * wide} ${y + 9}`, dark, 4.5, 0.9)}
    <path d="M${x - 20 * wide} ${y + 7} Q${x - 12 * wide} ${y} ${x - 5} ${y + 8} Q${x - 12 * wide} ${y + 12} ${x - 20 * wide} ${y + 7} Z M${x + 20 * wide} ${y + 7} Q${x + 12 * wide} ${y} ${x + 5} ${y + 8} Q${x + 12 * wide} ${y + 12} ${x + 20 * wide} ${y + 7} Z" fill="#2a120c" opacity=".75"/>`;
}

function mouth(
  { skin, lips = '#b8524e', mouth: kind = 'smile', child }: Person,
  at: Across,
  yaw: number,
): string {
  const scale = child ? 0.86 : 1;
  const open = kind === 'laugh';
  const upper = 'M-56 -4 Q-28 -15 -10 -18 Q0 -12 10 -18 Q28 -15 56 -4 Q28 1 0 2 Q-28 1 -56 -4 Z';
  const lower = open
    ? 'M-54 -2 Q-36 26 0 28 Q36 26 54 -2 Q38 42 0 43 Q-38 42 -54 -2 Z'
    : 'M-54 -3 Q-28 4 0 5 Q28 4 54 -3 Q32 27 0 28 Q-32 27 -54 -3 Z';
  unique += 1;
  const inside = open
    ? `<clipPath id="m${unique}"><path d="M-54 -3 Q-28 1 0 2 Q28 1 54 -3 Q36 27 0 29 Q-36 27 -54 -3 Z"/></clipPath><g clip-path="url(#m${unique})"><rect x="-60" y="-10" width="120" height="50" fill="#571a1c"/><path d="M-50 -6 H50 L42 11 Q0 17 -42 11 Z" fill="#fbf6ee"/>${soft(0, 30, 34, 12, '#c96a6a', 0.9)}</g>`
    : '';
  return `<g transform="translate(${at(0, 30)} 96) scale(${scale * (1 - Math.abs(yaw) * 0.3)} ${scale})">
    ${soft(0, open ? 54 : 40, 44, 14, skin[2], 0.7)}${soft(-62, -4, 15, 18, skin[2], 0.55)}${soft(62, -4, 15, 18, skin[2], 0.65)}
    ${inside}${shaded(lips, '#6d2428', (fill) => `<path d="${upper}" fill="${fill}" opacity=".92"/>`)}${shaded(lips, '#94403f', (fill) => `<path d="${lower}" fill="${fill}" opacity=".9"/>`)}
    ${open ? '' : line('M-57 -5 Q-28 2 0 3 Q28 2 57 -5', '#4a1618', 4)}${soft(-6, open ? 37 : 16, 24, 6, '#ffffff', 0.42)}</g>`;
}

function beard(who: Person, at: Across, wide: number): string {
  const { beard: kind, hair } = who;
  if (kind === undefined) return '';
  const x = at(0, 24);
  const moustache = `<path d="M${x - 70} 88 Q${x - 48} 56 ${x - 6} 62 L${x + 6} 62 Q${x + 48} 56 ${x + 70} 88 Q${x + 30} 76 ${x} 80 Q${x - 30} 76 ${x - 70} 88 Z"/>`;
  const chin = `<path d="M${-139 * wide} -8 C${-134 * wide} 104 -80 186 0 188 C80 186 ${134 * wide} 104 ${139 * wide} -8 C${118 * wide} 52 ${x + 92} 66 ${x + 66} 82 C${x + 72} 118 ${x + 40} 140 ${x} 140 C${x - 40} 140 ${x - 72} 118 ${x - 66} 82 C${x - 92} 66 ${-118 * wide} 52 ${-139 * wide} -8 Z"/>`;
  unique += 1;
  const hairs = Array.from({ length: 60 }, (_, n) => {
    const side = (n / 59) * 2 - 1;
    const px = side * 96 * wide;
    const py = 172 - Math.abs(side) ** 2.6 * 60 - (n % 3) * 8;
    return line(`M${px * 0.86} ${py - 20} L${px * 0.9} ${py + 8}`, n % 2 === 0 ? hair[0] : hair[1], 3, 0.45);
  });
  return `<filter id="b${unique}"><feGaussianBlur stdDeviation="1.6"/></filter><g opacity="0.96" filter="url(#b${unique})">${shaded(hair[0], hair[1], (fill) => `<g fill="${fill}">${kind === 'moustache' ? '' : chin}${moustache}</g>`)}${kind === 'full' ? hairs.join('') : ''}</g>`;
}

function face(who: Person): string {
  const { skin, yaw = 0, width: wide = 1, jaw = 1, child, old, glasses } = who;
  const [light, middle, dark] = skin;
  const at: Across = (x, depth) => x * Math.cos(yaw) + depth * Math.sin(yaw) * 1.6;
  const low = child ? 152 : 172;
  const cheek = 84 * wide * jaw;
  const left = 140 * wide * (1 + Math.min(0, -yaw) * 0.22);
  const right = 140 * wide * (1 + Math.min(0, yaw) * 0.22);
  const chinX = at(0, 14);
  const shape = `M${-left} -40 C${-left - 6} -150 -80 -196 0 -196 C80 -196 ${right + 6} -150 ${right} -40 C${right - 2} 70 ${chinX + cheek} ${low} ${chinX} ${low} C${chinX - cheek} ${low} ${-left + 2} 70 ${-left} -40 Z`;
  unique += 1;
  const id = unique;
  const ear = (x: number) =>
    `${shaded(light, dark, (fill) => `<ellipse cx="${x}" cy="2" rx="25" ry="36" fill="${fill}"/>`)}${soft(x, 4, 14, 24, dark, 0.8)}`;
  const ears = `${yaw > 0.15 ? '' : ear(right)}${yaw < -0.15 ? '' : ear(-left)}`;
  const apart = 58 * (who.eyesApart ?? 1);
  const lens = (x: number) =>
    `<rect x="${x - 46}" y="-50" width="92" height="78" rx="34" fill="#ffffff" fill-opacity=".1" stroke="#2b2230" stroke-width="7"/>${line(`M${x - 24} -34 L${x - 34} -14`, '#ffffff', 6, 0.5)}`;
  const wrinkles = old
    ? line(
        `M${at(-70, 20)} -118 Q${at(0, 26)} -130 ${at(70, 20)} -118 M${at(-58, 20)} -98 Q${at(0, 26)} -108 ${at(58, 20)} -98`,
        dark,
        3,
        0.4,
      )
    : '';
  const folds = child
    ? ''
    : line(
        `M${at(-40, 30)} 44 Q${at(-72, 26)} 66 ${at(-76, 24)} 94 M${at(40, 30)} 44 Q${at(72, 26)} 66 ${at(76, 24)} 94`,
        dark,
        old ? 6 : 5,
        old ? 0.6 : 0.28,
      );
  const freckles = who.freckles
    ? Array.from(
        { length: 26 },
        (_, n) =>
          `<circle cx="${at(((n * 37) % 168) - 84, 30)}" cy="${26 + ((n * 23) % 34)}" r="${2.2 + (n % 3) * 0.5}" fill="${dark}" opacity=".6"/>`,
      ).join('')
    : '';
  const eyes = [at(-apart, 16), at(apart, 16)] as const;
  return `${ears}<radialGradient id="k${id}" cx=".38" cy=".34" r=".75"><stop offset="0" stop-color="${light}"/><stop offset=".55" stop-color="${middle}"/><stop offset="1" stop-color="${dark}"/></radialGradient>
    <clipPath id="c${id}"><path d="${shape}"/></clipPath><path d="${shape}" fill="url(#k${id})"/>
    <g clip-path="url(#c${id})">${soft(0, -190, 170, 70, dark, 0.55)}${soft(at(-30, 30), -108, 88, 50, light, 0.75)}${soft(right, 60, 70, 150, dark, 0.6)}${soft(-left, 80, 46, 120, dark, 0.45)}
    ${soft(at(-80, 26), 46, 46, 34, light, 0.7)}${soft(at(78, 26), 46, 42, 32, light, 0.5)}${soft(at(-84, 26), 54, 44, 30, '#e2504c', 0.24)}${soft(at(84, 26), 54, 44, 30, '#e2504c', 0.24)}
    ${soft(at(0, 34), low - 20, 40, 24, light, 0.6)}${soft(chinX, low + 2, 96, 22, dark, 0.8)}${wrinkles}${folds}${freckles}</g>
    ${nose(who, at, yaw)}${eye(who, eyes[0], yaw)}${eye(who, eyes[1], yaw)}${beard(who, at, wide)}${mouth(who, at, yaw)}
    ${glasses ? `${lens(eyes[0])}${lens(eyes[1])}${line(`M${eyes[0] + 46} -22 Q${(eyes[0] + eyes[1]) / 2} -34 ${eyes[1] - 46} -22 M${eyes[0] - 46} -26 L${-left - 4} -20 M${eyes[1] + 46} -26 L${right + 4} -20`, '#2b2230', 7)}` : ''}`;
}

function body({ skin: [light, , dark], clothes, extra, child }: Person): string {
  const slim = child ? 44 : 58;
  const neck = shaded(
    light,
    dark,
    (fill) =>
      `<path d="M${-slim} 110 L${-slim} 240 Q0 290 ${slim} 240 L${slim} 110 Z" fill="${fill}"/>${soft(0, 172, slim, 60, dark, 0.95)}`,
  );
  const outline = 'M-290 1100 V600 C-290 330 -210 250 -70 226 Q0 300 70 226 C210 250 290 330 290 600 V1100 Z';
  const torso = shaded(
    clothes[0],
    clothes[1],
    (fill) =>
      `<path d="${outline}" fill="${fill}"/>${line('M-190 420 Q-176 560 -190 760 M190 420 Q176 560 190 760', clothes[1], 8, 0.5)}`,
  );
  return `${torso}${neck}${extra === undefined ? '' : garment(extra, outline)}`;
}

function garment(extra: NonNullable<Person['extra']>, outline: string): string {
  unique += 1;
  const id = unique;
  const stripes = [330, 400, 470, 540, 610, 680, 750].map((y) =>
    line(`M-286 ${y + 20} Q0 ${y + 60} 286 ${y + 20}`, '#ffffff', 24, 0.75),
  );
  const pearls = Array.from({ length: 9 }, (_, n) => {
    const x = (n - 4) * 18;
    return [x, 306 - (x * x) / 100, 11] as const;
  });
  const extras = {
    stripes: `<clipPath id="t${id}"><path d="${outline}"/></clipPath><g clip-path="url(#t${id})">${stripes.join('')}</g>`,
    scarf: shaded(
      '#ffd76a',
      '#d9862b',
      (fill) =>
        `<path d="M40 286 L120 280 L142 520 L60 530 Z" fill="${fill}"/><path d="M-114 204 Q0 288 114 204 Q142 262 98 304 Q0 346 -98 304 Q-142 262 -114 204 Z" fill="${fill}"/>${line('M-108 236 Q0 318 108 236 M-96 268 Q0 342 96 268', '#a8591a', 5, 0.55)}`,
    ),
    dungarees: shaded(
      '#6fa3d8',
      '#2a4f86',
      (fill) =>
        `<path d="M-150 1100 L-150 420 Q0 396 150 420 L150 1100 Z M-150 430 L-120 246 L-80 236 L-98 430 Z M98 430 L80 236 L120 246 L150 430 Z" fill="${fill}"/><circle cx="-122" cy="440" r="14" fill="#ffd76a"/><circle cx="122" cy="440" r="14" fill="#ffd76a"/>`,
    ),
    collar:
      '<path d="M-74 222 L0 320 L-60 352 L-118 240 Z M74 222 L0 320 L60 352 L118 240 Z" fill="#fff8ec"/>',
    necklace: shaded('#fffaf0', '#d8c49a', (fill) => circles(pearls, fill)),
  };
  return extras[extra];
}

/** A person as SVG; the origin is the middle of the face, whose height is about 370. */
export function drawPerson(who: Person, x: number, y: number, scale: number): string {
  return `<g transform="translate(${x} ${y}) scale(${scale})">${backHair(who)}${body(who)}<g transform="rotate(${who.tilt ?? 0} 0 150)">${face(who)}${frontHair(who)}</g></g>`;
}
