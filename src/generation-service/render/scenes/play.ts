import {
  both,
  circle,
  darker,
  each,
  ellipse,
  group,
  lighter,
  line,
  mix,
  path,
  rect,
  times,
} from './brush.ts';
import {
  aroundFace,
  type Figure,
  folds,
  rim,
  type Scene,
  scarf,
  shadowOnFace,
  sideHair,
  torso,
} from './scene.ts';
import { bokeh, cloud, hills, sky, stars } from './scenery.ts';

/** Draws tufts of fur along the opening. */
function furRim({ random }: Figure, colour: string, reach = 60): string {
  return [1, 0.86, 0.72]
    .flatMap((size, layer) =>
      Array.from({ length: 46 }, (_, n) => {
        const angle = (n / 46) * Math.PI * 2 + random() * 0.12;
        const x = Math.cos(angle);
        const y = Math.sin(angle);
        const inX = x * 150;
        const inY = y * 182 + 2;
        const long = (reach + 18) * size * (0.8 + random() * 0.5);
        const tipX = inX + x * long - y * 14;
        const tipY = inY + y * long + x * 14 + 8;
        const tone = mix(
          colour,
          layer === 2 ? '#ffffff' : '#1a0e06',
          layer === 2 ? 0.2 : 0.28 - layer * 0.14,
        );
        return path(
          `M${inX - y * 17} ${inY + x * 17} Q${inX + x * long * 0.6 - y * 24} ${inY + y * long * 0.6 + x * 24} ${tipX} ${tipY} Q${inX + x * long * 0.5 + y * 6} ${inY + y * long * 0.5 - x * 6} ${inX + y * 17} ${inY - x * 17} Z`,
          tone,
        );
      }),
    )
    .join('');
}

export const snowGlobe: Scene = {
  light: { direction: [-0.4, -0.7, -1], ambient: 0.64, colour: [250, 250, 255] },
  colours: { male: '#b8202e', female: '#1f7a6a', boy: '#2a5ac4', girl: '#d0408a' },
  seat: { x: 0.5, y: 0.45, scale: 0.76 },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const r = Math.min(w * 0.47, h * 0.42);
    const cx = w / 2;
    const cy = h * 0.46;
    const disc = `M${cx - r} ${cy} a${r} ${r} 0 1 1 ${r * 2} 0 a${r} ${r} 0 1 1 ${-r * 2} 0`;
    const fir = (x: number, y: number, s: number) =>
      group(
        `translate(${x} ${y}) scale(${s})`,
        rect(-12, -20, 24, 60, '#4a2c18'),
        times(
          4,
          (n) =>
            path(
              `M${-100 + n * 18} ${-10 - n * 62} Q0 ${-60 - n * 62} 0 ${-130 - n * 62} Q0 ${-60 - n * 62} ${100 - n * 18} ${-10 - n * 62} Q0 ${14 - n * 62} ${-100 + n * 18} ${-10 - n * 62} Z`,
              brush.across('#5aa084', '#1f5a48', '#123a30'),
            ) +
            line(
              `M${-84 + n * 16} ${-16 - n * 62} Q0 ${6 - n * 62} ${84 - n * 16} ${-16 - n * 62}`,
              '#ffffff',
              12,
              0.9,
            ),
        ),
      );
    const cabin = group(
      `translate(${cx + r * 0.52} ${cy + r * 0.34}) scale(${r / 520})`,
      rect(-110, -110, 220, 150, brush.down('#9a5a30', '#5a3018')),
      path('M-150 -100 L0 -220 L150 -100 L130 -84 L0 -186 L-130 -84 Z', '#ffffff'),
      path('M-120 -100 L0 -190 L120 -100 Z', '#7a4422'),
      `${rect(-70, -70, 56, 56, '#ffe08a')}${rect(20, -70, 56, 110, '#4a2410')}`,
      brush.soft(-42, -42, 110, 110, '#ffd060', 0.6),
    );
    const inside = `<g clip-path="${brush.clip(disc)}">${path(disc, brush.down('#2a4a8a', '#6a9ad0', '#d8e8f8'))}${times(60, () => ellipse(cx + (random() - 0.5) * r * 2, cy - random() * r, 1 + random() * 2.4, 1 + random() * 2.4, '#ffffff', 'opacity=".8"'))}${fir(cx - r * 0.62, cy + r * 0.4, r / 520)}${fir(cx - r * 0.32, cy + r * 0.3, r / 640)}${fir(cx + r * 0.84, cy + r * 0.4, r / 480)}${cabin}${ellipse(cx, cy + r * 0.82, r * 1.1, r * 0.52, brush.down('#ffffff', '#c4d8ee'))}</g>`;
    return `${sky(b, '#3a1420', '#7a2a2a', '#c4743a', '#5a2a18')}${bokeh(b, 46, ['#ffd98a', '#ff9a5a', '#fff0c8', '#8ad08a'])}${rect(0, h * 0.86, w, h * 0.14, brush.down('#8a5230', '#3a1c0c'))}${brush.soft(cx, h * 0.95, r * 1.1, h * 0.05, '#000000', 0.6)}${inside}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w } = f;
    const knit = times(6, (n) =>
      line(
        `M${-w * 0.9} ${380 + n * 60} q${w * 0.15} 30 ${w * 0.3} 0 t${w * 0.3} 0 t${w * 0.3} 0 t${w * 0.3} 0 t${w * 0.3} 0 t${w * 0.3} 0`,
        lighter(colour, n % 3 === 0 ? 0.75 : 0.16),
        n % 3 === 0 ? 13 : 6,
        n % 3 === 0 ? 0.8 : 0.3,
      ),
    );
    const shape = `M${-w} 600 V520 C${-w} 400 ${-w * 0.7} 330 -100 268 H100 C${w * 0.7} 330 ${w} 400 ${w} 520 V600 Q0 700 ${-w} 600 Z`;
    return `${path(shape, brush.cloth(colour))}<g clip-path="${brush.clip(shape)}">${knit}</g>${both(line(`M${w * 0.72} 470 Q${w * 0.67} 560 ${w * 0.7} 640`, darker(colour, 0.5), 12, 0.5))}`;
  },
  front: (f) => {
    const { brush, colour, isFemale, isChild } = f;
    const wool = lighter(colour, 0.08);
    const cap =
      path(
        'M-232 -130 C-240 -330 -120 -420 0 -422 C120 -420 240 -330 232 -130 C120 -210 -120 -210 -232 -130 Z',
        brush.cloth(wool),
      ) +
      times(9, (n) =>
        line(
          `M${-180 + n * 45} -190 Q${-150 + n * 37} -320 ${-40 + n * 10} -414`,
          mix(wool, n % 2 ? '#ffffff' : '#000000', 0.4),
          9,
          0.35,
        ),
      );
    const fold =
      path(
        'M-244 -92 C-130 -206 130 -206 244 -92 L236 -186 C130 -288 -130 -288 -236 -186 Z',
        brush.round('#ffffff', '#f0ece6', '#b0a8a0'),
      ) +
      times(14, (n) => {
        const t = n / 6.5 - 1;
        return line(`M${t * 216} ${-190 + t * t * 62} l${t * 8} 62`, '#b0a8a0', 6, 0.5);
      });
    const pompon = times(20, (n) => {
      const a = n * 2.4;
      return circle(
        Math.cos(a) * 34,
        -450 + Math.sin(a) * 30,
        42,
        brush.round('#ffffff', '#e8e2da', '#b8b0a6'),
      );
    });
    const flaps = isChild
      ? both(
          path('M170 -120 C250 -100 262 60 220 150 C180 150 160 60 160 -40 Z', brush.cloth(wool)) +
            line('M214 146 q20 120 0 220', '#ffffff', 13),
        )
      : '';
    return `${shadowOnFace(f, 0.35)}${sideHair(f, isFemale ? 300 : 130, isFemale ? 66 : 36)}${aroundFace(f, flaps)}${scarf(f, mix(colour, '#ffd23a', 0.75), 178)}${path('M90 330 L190 316 L220 560 L120 580 Z', brush.cloth(mix(colour, '#ffd23a', 0.75)))}${times(6, (n) => line(`M${128 + n * 17} 574 v40`, mix(colour, '#ffd23a', 0.6), 10))}${group('translate(0 -22)', pompon, cap, fold)}`;
  },
  foreground: ({ width: w, height: h, brush, random }) => {
    const r = Math.min(w * 0.47, h * 0.42);
    const cx = w / 2;
    const cy = h * 0.46;
    const flakes = times(120, () => {
      const a = random() * Math.PI * 2;
      const d = Math.sqrt(random()) * r * 0.97;
      return ellipse(
        cx + Math.cos(a) * d,
        cy + Math.sin(a) * d,
        2 + random() ** 2 * 8,
        2 + random() ** 2 * 8,
        '#ffffff',
        `opacity="${0.5 + random() * 0.5}"`,
      );
    });
    const snow = `<g clip-path="${brush.clip(`M${cx - r} ${cy} a${r} ${r} 0 1 1 ${r * 2} 0 a${r} ${r} 0 1 1 ${-r * 2} 0`)}">${ellipse(cx, cy + r * 1.14, r * 1.3, r * 0.5, brush.down('#ffffff', '#d0e0f2'))}${brush.soft(cx - r * 0.3, cy + r * 0.9, r * 0.6, r * 0.2, '#ffffff', 0.8)}</g>`;
    const base =
      path(
        `M${cx - r * 0.72} ${cy + r * 0.84} Q${cx} ${cy + r * 1.06} ${cx + r * 0.72} ${cy + r * 0.84} L${cx + r * 0.86} ${cy + r * 1.16} Q${cx} ${cy + r * 1.36} ${cx - r * 0.86} ${cy + r * 1.16} Z`,
        brush.metal('#8a4a2a'),
      ) +
      line(
        `M${cx - r * 0.74} ${cy + r * 0.9} Q${cx} ${cy + r * 1.12} ${cx + r * 0.74} ${cy + r * 0.9}`,
        '#f0c454',
        14,
      ) +
      line(
        `M${cx - r * 0.82} ${cy + r * 1.1} Q${cx} ${cy + r * 1.3} ${cx + r * 0.82} ${cy + r * 1.1}`,
        '#f0c454',
        9,
      );
    return `${snow}${flakes}<circle cx="${cx}" cy="${cy}" r="${r}" fill="${brush.round('#ffffff', '#bcd8f4', '#3a5a9a')}" opacity=".12"/><circle cx="${cx}" cy="${cy}" r="${r - 5}" fill="none" stroke="#ffffff" stroke-width="12" opacity=".6"/>${path(`M${cx - r * 0.8} ${cy - r * 0.3} C${cx - r * 0.66} ${cy - r * 0.72} ${cx - r * 0.34} ${cy - r * 0.9} ${cx - r * 0.06} ${cy - r * 0.92} C${cx - r * 0.4} ${cy - r * 0.78} ${cx - r * 0.62} ${cy - r * 0.5} ${cx - r * 0.68} ${cy - r * 0.2} Z`, '#ffffff', 'opacity=".5"')}${base}`;
  },
};

export const sunflower: Scene = {
  light: { direction: [0.4, -0.7, -1], ambient: 0.66, colour: [255, 248, 226] },
  colours: { male: '#f0a818', female: '#ffc21f', boy: '#ff9a1f', girl: '#ffd23a' },
  seat: { y: 0.42, scale: 0.88 },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const bloom = (x: number, y: number, s: number) =>
      group(
        `translate(${x} ${y}) scale(${s})`,
        line('M0 0 Q10 200 0 520', '#3a8a3a', 22),
        path('M0 240 C70 180 130 190 160 220 C120 280 60 290 0 260 Z', '#4aa04a'),
        times(18, (n) =>
          ellipse(0, -74, 22, 52, n % 2 ? '#ffc21f' : '#f0a010', `transform="rotate(${n * 20})"`),
        ),
        circle(0, 0, 54, brush.round('#8a5a2a', '#4a2a10')),
      );
    const bee = (x: number, y: number) =>
      group(
        `translate(${x} ${y})`,
        ellipse(-8, -26, 26, 16, '#ffffff', 'opacity=".8" transform="rotate(-24)"'),
        ellipse(16, -26, 24, 15, '#ffffff', 'opacity=".8" transform="rotate(20)"'),
        ellipse(0, 0, 36, 26, brush.round('#ffe08a', '#f0b020')),
        line('M-10 -22 V22 M8 -24 V24', '#2a1a0a', 9),
        circle(-28, -6, 5, '#2a1a0a'),
        line('M-90 40 q30 -30 50 -14', '#ffffff', 4, 0.7),
      );
    return `${sky(b, '#3a9ae0', '#8ad0f4', '#e8f8ff')}${brush.soft(w * 0.84, h * 0.12, 340, 340, '#fff6c0', 0.95)}<circle cx="${w * 0.84}" cy="${h * 0.12}" r="84" fill="#fff4b0"/>${cloud(b, w * 0.2, h * 0.12, 1.4)}${cloud(b, w * 0.62, h * 0.22, 0.9)}${hills(b, h * 0.5, 40, '#8ac878', '#4a9a50')}${times(26, () => bloom(random() * w, h * (0.54 + random() * 0.1), 0.34 + random() * 0.14))}${hills(b, h * 0.66, 20, '#6ab858', '#2a7a3a')}${times(9, (n) => bloom((n / 8) * w + (random() - 0.5) * 60, h * (0.74 + random() * 0.08), 0.9 + random() * 0.4))}${bee(w * 0.16, h * 0.34)}${bee(w * 0.86, h * 0.44)}`;
  },
  behind: (f) => {
    const { brush, colour, random, isChild } = f;
    const petals = each([0, 1], (ring) =>
      times(20, (n) => {
        const long = (isChild ? 290 : 320) + ring * -50 + random() * 30;
        const tone = ring === 0 ? mix(colour, '#c46a00', 0.35) : colour;
        return group(
          `rotate(${n * 18 + ring * 9})`,
          path(
            `M-54 -150 C-90 ${-150 - long * 0.6} -30 ${-120 - long} 0 ${-150 - long} C30 ${-120 - long} 90 ${-150 - long * 0.6} 54 -150 Z`,
            brush.down(lighter(tone, 0.35), tone, mix(tone, '#a84a00', 0.6)),
          ),
          line(`M0 -200 L0 ${-100 - long}`, mix(tone, '#a84a00', 0.5), 6, 0.4),
        );
      }),
    );
    const leaf = both(
      path(
        'M20 760 C140 560 380 560 470 640 C420 820 200 880 20 840 Z',
        brush.round('#8ad86a', '#3a9a44', '#1a5a2a'),
      ) + line('M30 800 Q250 700 450 650', '#1a5a2a', 8, 0.5),
    );
    return `${line('M0 300 Q26 800 0 1900', '#1f6a34', 92)}${line('M-14 300 Q12 800 -14 1900', '#5ab858', 30, 0.7)}${leaf}${group('translate(0 700)', leaf)}${petals}`;
  },
  front: (f) => {
    const { brush, random, isFemale, colour } = f;
    const disc =
      'M0 -292 C170 -292 272 -170 272 0 C272 170 170 292 0 292 C-170 292 -272 170 -272 0 C-272 -170 -170 -292 0 -292 Z';
    const seeds = times(300, (n) => {
      const a = n * 2.39996;
      const d = 150 + Math.sqrt(n / 300) * 124;
      const s = 0.92 + random() * 0.16;
      return ellipse(
        Math.cos(a) * d,
        Math.sin(a) * d * 1.06 * s,
        9,
        12,
        n % 3 ? '#5a3214' : '#a8702a',
        `transform="rotate(${(a * 180) / Math.PI + 90} ${Math.cos(a) * d} ${Math.sin(a) * d * 1.06 * s})"`,
      );
    });
    const ladybird = group(
      'translate(236 190) rotate(30)',
      ellipse(0, 0, 34, 28, brush.round('#ff8a7a', '#d0202a')),
      ellipse(-30, 0, 15, 16, '#16141a'),
      line('M-20 0 H34', '#16141a', 4),
      circle(-2, -12, 6, '#16141a') + circle(14, 12, 6, '#16141a') + circle(16, -10, 5, '#16141a'),
    );
    const bow = isFemale
      ? group(
          'translate(-190 -250) rotate(-30)',
          both(path('M0 0 C60 -70 120 -60 120 0 C120 60 60 70 0 0 Z', brush.cloth('#e83a6a'))),
          circle(0, 0, 24, brush.round('#ff9ab8', '#c41f4a')),
        )
      : '';
    return `${shadowOnFace(f, 0.5)}${aroundFace(f, path(disc, brush.round('#8a5626', '#5a3414', '#2a1406')) + seeds)}${rim(f, mix(colour, '#6a3a10', 0.6), 16, -2)}${ladybird}${bow}`;
  },
};

export const teddy: Scene = {
  light: { direction: [-0.5, -0.6, -1], ambient: 0.66, colour: [255, 246, 234] },
  colours: { male: '#9a6232', female: '#c48a5a', boy: '#8a6a4a', girl: '#d8a088' },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const paper = times(Math.ceil(h / 150), (row) =>
      times(Math.ceil(w / 150), (n) =>
        path(
          'M0 -26 L7 -8 L26 -7 L11 5 L17 24 L0 13 L-17 24 L-11 5 L-26 -7 L-7 -8 Z',
          '#ffffff',
          `opacity=".5" transform="translate(${n * 150 + (row % 2) * 75 + 40} ${row * 150 + 40})"`,
        ),
      ),
    );
    const balloon = (x: number, y: number, s: number, colour: string) =>
      group(
        `translate(${x} ${y}) scale(${s})`,
        line('M0 130 q30 120 -10 420', '#ffffff', 4, 0.7),
        path(
          'M0 130 C-120 60 -120 -120 0 -130 C120 -120 120 60 0 130 Z',
          brush.round('#ffffff', colour, mix(colour, '#3a0a2a', 0.5)),
        ),
        ellipse(-36, -60, 18, 34, '#ffffff', 'opacity=".6" transform="rotate(20 -36 -60)"'),
      );
    const block = (x: number, y: number, colour: string, turn: number) =>
      group(
        `translate(${x} ${y}) rotate(${turn})`,
        `${rect(-80, -80, 160, 160, brush.round(lighter(colour, 0.4), colour), 'rx="20"')}${rect(-56, -56, 112, 112, '#ffffff', 'rx="12" opacity=".5"')}`,
        path('M0 -40 L11 -12 L42 -11 L18 8 L27 38 L0 21 L-27 38 L-18 8 L-42 -11 L-11 -12 Z', colour),
      );
    const bunting = times(11, (n) => {
      const t = n / 10;
      return path(
        `M${t * w - 46} ${h * 0.05 + Math.sin(t * Math.PI) * 90} l92 8 l-50 92 Z`,
        ['#ff8a8a', '#ffd06a', '#8ad8b0', '#8ab8f0'][n % 4] ?? '#ff8a8a',
      );
    });
    return `${sky(b, '#bfe0e8', '#f4e4d0', '#f0c8b8')}${paper}${brush.soft(w * 0.3, h * 0.3, w * 0.6, h * 0.4, '#ffffff', 0.5)}${line(`M-20 ${h * 0.045} Q${w / 2} ${h * 0.045 + 190} ${w + 20} ${h * 0.045}`, '#ffffff', 7)}${bunting}${balloon(w * 0.12, h * 0.26, 1.1, '#ff6a7a')}${balloon(w * 0.24, h * 0.18, 0.9, '#ffd04a')}${balloon(w * 0.88, h * 0.24, 1.2, '#6ab8ff')}${rect(0, h * 0.84, w, h * 0.16, brush.down('#e8c49a', '#b07a4a'))}${rect(0, h * 0.82, w, 26, '#fff4e4')}${block(w * 0.08, h * 0.9, '#ff8a6a', -8)}${block(w * 0.92, h * 0.9, '#6ac4a0', 10)}${block(w * 0.13, h * 0.8, '#7a9af0', 14)}${bokeh(b, 10, ['#ffffff'])}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w, random } = f;
    const hairs = times(150, () => {
      const x = (random() - 0.5) * w * 2.2;
      const y = 380 + random() * 1100;
      return line(
        `M${x} ${y} q6 16 0 34`,
        random() < 0.5 ? lighter(colour, 0.4) : mix(colour, '#1a0a04', 0.4),
        6,
        0.4,
      );
    });
    const belly = ellipse(
      0,
      960,
      w * 0.6,
      430,
      brush.round('#fff4e0', lighter(colour, 0.62), lighter(colour, 0.3)),
    );
    const ears = both(
      circle(236, -296, 112, brush.cloth(colour)) + circle(240, -288, 68, brush.round('#ffd9c8', '#e0a088')),
    );
    const paws = both(
      ellipse(w * 0.92, 1080, 120, 150, brush.cloth(colour)) +
        ellipse(w * 0.9, 1100, 62, 70, brush.round('#ffd9c8', '#e0a088')),
    );
    return `${ears}${torso({ ...f, shoulders: w * 1.14 }, brush.cloth(colour), 170)}${belly}${hairs}${folds(f)}${paws}`;
  },
  front: (f) => {
    const { brush, colour, isFemale, random } = f;
    const head =
      'M0 -352 C210 -352 330 -200 322 10 C316 200 210 322 0 330 C-210 322 -316 200 -322 10 C-330 -200 -210 -352 0 -352 Z';
    const hairs = times(130, () => {
      const a = random() * Math.PI * 2;
      const d = 0.72 + random() * 0.24;
      const x = Math.cos(a) * 316 * d;
      const y = Math.sin(a) * 336 * d;
      return line(
        `M${x} ${y} l${Math.cos(a) * 24} ${Math.sin(a) * 24 + 8}`,
        random() < 0.5 ? lighter(colour, 0.4) : mix(colour, '#1a0a04', 0.4),
        6,
        0.45,
      );
    });
    const nose =
      group(
        'translate(0 -276)',
        ellipse(0, 6, 66, 44, brush.round('#fff4e0', lighter(colour, 0.5))),
        ellipse(0, -8, 32, 22, brush.round('#6a4a44', '#1a0e0c')),
        line('M0 12 V28 M-22 30 Q0 44 22 30', '#1a0e0c', 6),
      ) + both(ellipse(96, -286, 19, 21, '#1a0e0c') + circle(90, -294, 6, '#ffffff'));
    const bow = group(
      'translate(0 356)',
      both(
        path(
          'M0 0 C80 -96 190 -90 190 0 C190 90 80 96 0 0 Z',
          brush.cloth(isFemale ? '#e85a8a' : '#c42a34'),
        ) + line('M20 0 Q90 -30 150 -20 M20 6 Q90 34 150 26', '#5a0a1a', 6, 0.4),
      ),
      ellipse(0, 0, 40, 44, brush.round('#ffb0b8', isFemale ? '#d03a6a' : '#a81f2a')),
    );
    return `${shadowOnFace(f, 0.4)}${aroundFace(f, path(head, brush.cloth(colour)) + hairs)}${aroundFace(f, furRim(f, lighter(colour, 0.35), 44), -9)}${nose}${bow}`;
  },
};

export const polar: Scene = {
  light: { direction: [-0.4, -0.4, -1], ambient: 0.66, colour: [246, 248, 255] },
  colours: { male: '#c4502a', female: '#2a6ab0', boy: '#2a9a8a', girl: '#b04ac4' },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const curtain = (x: number, colour: string, lean: number) =>
      times(9, (n) =>
        path(
          `M${x + n * 70} ${h * 0.06 + Math.sin(n) * 40} Q${x + n * 70 + lean} ${h * 0.26} ${x + n * 70 + 20} ${h * 0.46} L${x + n * 70 + 110} ${h * 0.44} Q${x + n * 70 + lean + 90} ${h * 0.24} ${x + n * 70 + 84} ${h * 0.05} Z`,
          brush.down(mix(colour, '#0a1438', 0.8), colour, mix(colour, '#0a1438', 0.7)),
          'opacity=".26"',
        ),
      );
    const penguin = (x: number, y: number, s: number) =>
      group(
        `translate(${x} ${y}) scale(${s} ${Math.abs(s)})`,
        brush.soft(0, 118, 110, 24, '#1a2a4a', 0.5),
        path(
          'M0 -140 C70 -140 92 -40 84 40 C78 104 40 120 0 120 C-40 120 -78 104 -84 40 C-92 -40 -70 -140 0 -140 Z',
          brush.round('#4a5468', '#1a1e2a'),
        ),
        path(
          'M0 -84 C44 -90 60 -10 56 44 C52 96 26 108 0 108 C-26 108 -52 96 -56 44 C-60 -10 -44 -90 0 -84 Z',
          '#ffffff',
        ),
        ellipse(-22, -88, 9, 10, '#0a0c12') + ellipse(22, -88, 9, 10, '#0a0c12'),
        path('M-18 -74 L18 -74 L0 -50 Z', '#ffa02a'),
        both(
          path('M80 -30 C120 10 116 60 98 84 C84 50 78 10 80 -30 Z', '#1a1e2a') +
            ellipse(34, 120, 30, 12, '#ffa02a'),
        ),
      );
    return `${sky(b, '#060c2c', '#12285a', '#2a5a8a', '#8ab8d8')}${stars(b, 150, 0.5)}${curtain(-60, '#3affb0', 90)}${curtain(w * 0.4, '#4ac4ff', -70)}${curtain(w * 0.2, '#b06aff', 40)}${hills(b, h * 0.5, 110, '#dcecf8', '#7aa0c8', true)}${hills(b, h * 0.6, 40, '#f4faff', '#a8c8e4')}${hills(b, h * 0.76, 26, '#ffffff', '#c4dcf0')}${penguin(w * 0.13, h * 0.74, 1.2)}${penguin(w * 0.88, h * 0.7, 0.9)}${penguin(w * 0.78, h * 0.66, -0.6)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w } = f;
    const pockets = both(
      `${rect(w * 0.24, 760, w * 0.46, 230, darker(colour, 0.22), 'rx="26"')}${line(`M${w * 0.26} 830 h${w * 0.42}`, lighter(colour, 0.3), 7, 0.6)}`,
    );
    const straps = both(line(`M${w * 0.44} 340 Q${w * 0.5} 640 ${w * 0.46} 1000`, '#3a2c22', 40));
    return `${torso({ ...f, shoulders: w * 1.16 }, brush.cloth(colour), 170)}${folds(f)}${line('M0 400 V1700', '#2a2420', 14)}${times(7, (n) => line(`M-14 ${440 + n * 90} h28`, '#d8c060', 10))}${pockets}${straps}${both(path(`M${w * 0.7} 430 h110 v60 h-110 Z`, '#f4f0e4'))}`;
  },
  front: (f) => {
    const { brush, colour } = f;
    const hood =
      'M0 -372 C220 -372 318 -200 312 10 C306 210 240 330 130 400 L-130 400 C-240 330 -306 210 -312 10 C-318 -200 -220 -372 0 -372 Z';
    const goggles = group(
      'translate(0 -268)',
      path(
        'M-190 -40 Q0 -96 190 -40 L184 34 Q120 62 40 40 Q0 16 -40 40 Q-120 62 -184 34 Z',
        brush.across('#2a2e3a', '#5a6070', '#16181e'),
      ),
      path(
        'M-170 -26 Q0 -76 170 -26 L164 22 Q110 42 46 24 Q0 0 -46 24 Q-110 42 -164 22 Z',
        brush.across('#ff9a3a', '#ffe08a', '#ff5a6a', '#8a3ad0'),
      ),
      line('M-130 -24 Q-60 -48 10 -46', '#ffffff', 8, 0.7),
    );
    const cords = both(line('M70 352 q30 120 10 220', '#f4f0e4', 12) + ellipse(82, 584, 17, 24, '#f0c454'));
    return `${shadowOnFace(f, 0.45)}${aroundFace(f, path(hood, brush.cloth(colour)) + both(line('M280 -160 Q250 60 180 330', darker(colour, 0.5), 9, 0.5)))}${aroundFace(f, furRim(f, '#e8d8c0', 86), -9)}${goggles}${cords}`;
  },
};
