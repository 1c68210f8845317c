import { circle, darker, each, ellipse, group, lighter, line, mix, path, rect, times } from './brush.ts';
import { knight, royal, wizard } from './castle.ts';
import { rockStar } from './city.ts';
import type { Scene } from './scene.ts';
import { beams, bokeh, darkCorners, sky, stars } from './scenery.ts';

export const royalFamily: Scene = {
  ...royal,
  colours: { male: '#7a1428', female: '#1f4a8a', boy: '#1f6a4a', girl: '#6a2a7a' },
  seat: { y: 0.6, scale: 0.9 },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const arch = (x: number) =>
      group(
        `translate(${x} ${h * 0.5})`,
        path('M-150 330 V-180 A150 150 0 0 1 150 -180 V330 Z', brush.down('#6aa8d8', '#f4e0b0', '#7a9a5a')),
        `<g clip-path="${brush.clip('M-150 330 V-180 A150 150 0 0 1 150 -180 V330 Z')}">${path('M-150 130 Q-60 40 20 110 T150 90 V330 H-150 Z', brush.down('#7aa060', '#3a5a30'))}${brush.soft(-40, -160, 110, 60, '#ffffff', 0.8)}${brush.soft(70, -90, 90, 40, '#ffffff', 0.7)}</g>`,
        line('M-150 330 V-180 A150 150 0 0 1 150 -180 V330 M0 -326 V330 M-150 -20 H150', '#e8d8b0', 15),
        line('M-166 336 V-180 A166 166 0 0 1 166 -180 V336', '#a8842e', 12),
      );
    const column = (x: number) =>
      `${rect(x - 52, h * 0.09, 104, h, brush.across('#8a7a62', '#f4e8d0', '#c4b294', '#5a4c38'))}${times(4, (n) => line(`M${x - 36 + n * 24} ${h * 0.14} V${h}`, '#7a6a50', 5, 0.35))}${rect(x - 74, h * 0.07, 148, 50, brush.metal('#d8a83a'), 'rx="10"')}`;
    const drape = (x: number, flip: number) =>
      group(
        `translate(${x} 0) scale(${flip} 1)`,
        path(
          `M0 0 H${w * 0.3} C${w * 0.27} ${h * 0.22} ${w * 0.14} ${h * 0.3} ${w * 0.1} ${h * 0.5} C${w * 0.08} ${h * 0.7} ${w * 0.09} ${h * 0.86} ${w * 0.1} ${h} H0 Z`,
          brush.across('#4a0a16', '#b02a3e', '#5a0f1e', '#9a2436', '#3a0810'),
        ),
        line(
          `M${w * 0.05} 0 Q${w * 0.06} ${h * 0.5} ${w * 0.04} ${h} M${w * 0.16} 0 Q${w * 0.12} ${h * 0.26} ${w * 0.07} ${h * 0.48}`,
          '#2a0408',
          14,
          0.4,
        ),
        line(`M${w * 0.01} ${h * 0.5} Q${w * 0.06} ${h * 0.55} ${w * 0.108} ${h * 0.5}`, '#e0b040', 24),
      );
    const chandelier = group(
      `translate(${w / 2} ${h * 0.1})`,
      brush.soft(0, 90, 430, 210, '#ffe0a0', 0.6),
      line('M0 -140 V90', '#c9962e', 9),
      line('M-210 70 Q-110 150 0 90 Q110 150 210 70 M-120 70 Q0 150 120 70', '#e0b040', 11),
      times(7, (n) => {
        const x = -210 + n * 70;
        return `${rect(x - 8, 22, 16, 50, '#fff6e0', 'rx="5"')}${path(`M${x} -16 q14 24 0 36 q-14 -12 0 -36 Z`, '#ffd060')}${ellipse(x, 116 - Math.abs(n - 3) * 8, 8, 15, brush.round('#ffffff', '#bcd8f0'))}`;
      }),
    );
    return `${sky(b, '#6a4a34', '#8a6444', '#4a3020')}${times(9, (n) => line(`M${(w / 9) * (n + 0.5)} 0 V${h}`, '#a87e50', 3, 0.3))}${arch(w * 0.3)}${arch(w * 0.7)}${arch(w * 0.5)}${column(w * 0.4)}${column(w * 0.6)}${column(w * 0.19)}${column(w * 0.81)}${brush.soft(w * 0.5, h * 0.4, w * 0.5, h * 0.5, '#ffd890', 0.3)}${chandelier}${drape(0, 1)}${drape(w, -1)}${darkCorners(b, '#120604', 0.5)}`;
  },
};

export const roundTable: Scene = {
  ...knight,
  colours: { male: '#a8202e', female: '#2a4ab0', boy: '#1f7a4a', girl: '#8a3ab0' },
  seat: { y: 0.53, scale: 0.96 },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const stones = times(15, (row) =>
      times(Math.ceil(w / 130) + 1, (n) => {
        const x = n * 130 - (row % 2) * 65;
        const y = row * 82;
        return rect(
          x + 3,
          y + 3,
          124,
          76,
          mix('#7a6c60', random() < 0.5 ? '#a89a86' : '#54483e', random() * 0.5),
          'rx="9"',
        );
      }),
    );
    const window = (x: number) =>
      group(
        `translate(${x} ${h * 0.34})`,
        brush.soft(0, 0, 300, 380, '#ffe9b0', 0.4),
        path('M-110 300 V-130 Q-100 -260 0 -320 Q100 -260 110 -130 V300 Z', brush.down('#bfe4f8', '#fff0c4')),
        `<g clip-path="${brush.clip('M-110 300 V-130 Q-100 -260 0 -320 Q100 -260 110 -130 V300 Z')}" opacity=".75">${times(40, (n) => rect(-110 + (n % 4) * 55, -320 + Math.floor(n / 4) * 62, 55, 62, ['#d0303a', '#2a6ad0', '#f0b830', '#2f9a5a', '#8a4ac4', '#f4f0e0'][Math.floor(random() * 6)] ?? ''))}</g>`,
        times(3, (n) => line(`M${-55 + n * 55} -300 V300`, '#2a241e', 6)) +
          times(10, (n) => line(`M-110 ${-258 + n * 62} H110`, '#2a241e', 5)),
        line('M-118 304 V-130 Q-108 -268 0 -330 Q108 -268 118 -130 V304 Z', '#4a4038', 20),
      );
    const banner = (x: number, colour: string, sign: string) =>
      group(
        `translate(${x} 0)`,
        rect(-100, 40, 200, 18, brush.metal('#c9963a'), 'rx="8"'),
        path(
          `M-84 50 H84 V${h * 0.42} L0 ${h * 0.36} L-84 ${h * 0.42} Z`,
          brush.across(darker(colour, 0.3), lighter(colour, 0.15), colour, darker(colour, 0.4)),
        ),
        line(`M-72 56 V${h * 0.4} L0 ${h * 0.345} L72 ${h * 0.4} V56`, '#f0c454', 7),
        path(sign, '#ffe9a8', 'transform="translate(0 220)"'),
      );
    const star = 'M0 -70 L18 -22 L68 -20 L28 12 L42 60 L0 32 L-42 60 L-28 12 L-68 -20 L-18 -22 Z';
    const cross = 'M-16 -70 H16 V-16 H70 V16 H16 V90 H-16 V16 H-70 V-16 H-16 Z';
    const torch = (x: number) =>
      group(
        `translate(${x} ${h * 0.42})`,
        brush.soft(0, -70, 260, 280, '#ffb040', 0.75),
        path('M-22 -40 H22 L12 90 H-12 Z', brush.metal('#5a4a3a')),
        path(
          'M0 -170 C50 -110 46 -60 0 -40 C-46 -60 -50 -110 0 -170 Z',
          brush.down('#fff6b0', '#ffa02a', '#e0401a'),
        ),
      );
    return `${sky(b, '#4a4038', '#5e5248', '#2a221c')}${stones}${brush.soft(w * 0.5, h * 0.3, w * 0.6, h * 0.5, '#ffd890', 0.22)}${window(w * 0.34)}${window(w * 0.66)}${banner(w * 0.5, '#a8202e', star)}${banner(w * 0.17, '#2a4ab0', cross)}${banner(w * 0.83, '#1f7a4a', cross)}${torch(w * 0.05)}${torch(w * 0.95)}${torch(w * 0.425)}${torch(w * 0.575)}${beams(b, w * 0.34, h * 0.1, 7, '#fff0c0', 0.06)}${darkCorners(b, '#0c0604', 0.55)}`;
  },
  foreground: (b) => {
    const { width: w, height: h, brush } = b;
    const y = h * 1.02;
    const rx = w * 0.62;
    const goblet = (x: number, top: number, s: number) =>
      group(
        `translate(${x} ${top}) scale(${s})`,
        ellipse(0, 2, 50, 12, '#000000', 'opacity=".4"'),
        path(
          'M-34 0 Q-10 -12 -9 -50 Q-60 -70 -56 -140 H56 Q60 -70 9 -50 Q10 -12 34 0 Z',
          brush.metal('#e8b840'),
        ),
        ellipse(0, -140, 56, 13, brush.down('#7a1a2a', '#b03a4a')),
        circle(0, -96, 10, brush.round('#ffffff', '#d0203a')),
      );
    const candle = (x: number, top: number) =>
      group(
        `translate(${x} ${top})`,
        brush.soft(0, -150, 150, 150, '#ffd070', 0.7),
        rect(-19, -110, 38, 112, brush.across('#fffaf0', '#d8c098'), 'rx="7"'),
        path('M0 -168 q24 36 0 54 q-24 -18 0 -54 Z', brush.down('#fff6c0', '#ff9a2a')),
        ellipse(0, 4, 46, 12, brush.metal('#c9963a')),
      );
    const sword = group(
      `translate(${w * 0.5} ${h * 0.945}) scale(1.2)`,
      ellipse(0, 16, 330, 10, '#000000', 'opacity=".35"'),
      path('M-130 -9 L300 -7 L340 2 L300 11 L-130 13 Z', brush.down('#ffffff', '#8a98a8')),
      `${rect(-146, -44, 20, 92, brush.metal('#e0b040'), 'rx="9"')}${rect(-236, -12, 92, 28, brush.down('#7a3a22', '#3a1a0c'), 'rx="9"')}`,
      circle(-246, 2, 21, brush.metal('#e0b040')),
    );
    return `${ellipse(w / 2, y + 26, rx, h * 0.17, '#24120a')}${ellipse(w / 2, y, rx, h * 0.17, brush.down('#c0844c', '#6a3c1a'))}${times(5, (n) => `<ellipse cx="${w / 2}" cy="${y}" rx="${rx - 26 - n * 90}" ry="${h * 0.17 - 10 - n * 24}" fill="none" stroke="#4a2810" stroke-width="4" opacity=".35"/>`)}<ellipse cx="${w / 2}" cy="${y}" rx="${rx - 8}" ry="${h * 0.166}" fill="none" stroke="${brush.metal('#d8a83a')}" stroke-width="14"/>${candle(w * 0.3, h * 0.93)}${candle(w * 0.72, h * 0.93)}${goblet(w * 0.13, h * 0.985, 0.9)}${goblet(w * 0.87, h * 0.985, 0.9)}${goblet(w * 0.4, h * 0.995, 0.7)}${goblet(w * 0.63, h * 0.99, 0.7)}${sword}`;
  },
};

export const schoolOfMagic: Scene = {
  ...wizard,
  colours: { male: '#3a2a9a', female: '#7a2a8a', boy: '#1f6a7a', girl: '#8a2a4a' },
  seat: { y: 0.64, scale: 0.86 },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const window = (x: number, wide: number, tall: number) => {
      const shape = `M${x - wide} ${h * 0.72} V${h * 0.72 - tall} Q${x - wide * 0.9} ${h * 0.72 - tall * 1.3} ${x} ${h * 0.72 - tall * 1.5} Q${x + wide * 0.9} ${h * 0.72 - tall * 1.3} ${x + wide} ${h * 0.72 - tall} V${h * 0.72} Z`;
      return `${path(shape, brush.down('#0c1040', '#3a2a8a', '#b05ab0'))}${line(`${shape} M${x} ${h * 0.72 - tall * 1.5} V${h * 0.72} M${x - wide} ${h * 0.5} H${x + wide}`, '#d8b878', 13)}`;
    };
    const rib = (x: number) =>
      line(`M${x} ${h} V${h * 0.4} Q${x} ${h * 0.1} ${w / 2} ${-h * 0.06}`, '#3a2438', 44) +
      line(`M${x - 8} ${h} V${h * 0.4} Q${x - 8} ${h * 0.1} ${w / 2} ${-h * 0.06}`, '#7a5468', 12, 0.7);
    const candle = () => {
      const x = random() * w;
      const y = h * (0.04 + random() * 0.4);
      const s = 0.45 + random() * 0.6;
      return group(
        `translate(${x} ${y}) scale(${s})`,
        brush.soft(0, -34, 90, 100, '#ffc860', 0.6),
        rect(-13, -10, 26, 96, brush.across('#fffaf0', '#d8c098'), 'rx="6"'),
        path('M0 -58 q22 34 0 48 q-22 -14 0 -48 Z', brush.down('#fff6c0', '#ff9a2a')),
      );
    };
    const owl = group(
      `translate(${w * 0.9} ${h * 0.24}) scale(1.1)`,
      path(
        'M-10 -10 C-120 -110 -190 -60 -230 -20 C-160 -30 -110 10 -30 40 Z M10 -10 C120 -110 190 -60 230 -20 C160 -30 110 10 30 40 Z',
        brush.round('#ffffff', '#d8ccc0', '#8a7a70'),
      ),
      ellipse(0, 10, 52, 66, brush.round('#ffffff', '#f0e6da', '#a8988a')),
      circle(-20, -18, 19, '#ffd23a') +
        circle(20, -18, 19, '#ffd23a') +
        ellipse(-20, -18, 9, 10, '#1a0e0a') +
        ellipse(20, -18, 9, 10, '#1a0e0a'),
      path('M-8 -4 H8 L0 16 Z', '#e0902a'),
      `${rect(-34, 84, 68, 44, '#fff6e0', 'rx="4"')}${circle(0, 106, 10, '#c4202e')}`,
    );
    return `${sky(b, '#140c34', '#3a2450', '#5a3448', '#2a1620')}${stars(b, 200, 0.5)}${window(w * 0.5, 150, h * 0.42)}${window(w * 0.28, 105, h * 0.34)}${window(w * 0.72, 105, h * 0.34)}${window(w * 0.1, 90, h * 0.3)}${window(w * 0.9, 90, h * 0.3)}${each([0.19, 0.39, 0.61, 0.81], (x) => rib(w * x))}<circle cx="${w * 0.5}" cy="${h * 0.24}" r="58" fill="#fff4cc"/>${brush.soft(w * 0.5, h * 0.24, 220, 220, '#fff4cc', 0.5)}${times(20, candle)}${owl}${brush.soft(w * 0.5, h * 0.8, w * 0.5, h * 0.3, '#ffb060', 0.3)}${bokeh(b, 22, ['#ffe08a', '#b08aff', '#8ae0ff'])}${darkCorners(b, '#0a0412', 0.5)}`;
  },
  foreground: (b) => {
    const { width: w, height: h, brush, random } = b;
    const table = `${rect(0, h * 0.9, w, h * 0.1, brush.down('#8a5630', '#3a1e10'))}${rect(0, h * 0.892, w, 20, brush.down('#c08a52', '#7a4a26'), 'rx="8"')}`;
    const cauldron = group(
      `translate(${w * 0.94} ${h * 0.985})`,
      brush.soft(0, -130, 170, 80, '#6affb0', 0.6),
      path(
        'M-130 -130 C-190 -20 -120 60 0 60 C120 60 190 -20 130 -130 Z',
        brush.round('#6a6a78', '#2a2a34', '#0c0c12'),
      ),
      ellipse(0, -130, 134, 32, '#14141c') + ellipse(0, -128, 116, 24, brush.down('#b8ffd0', '#2ac47a')),
      times(9, () => {
        const r = 8 + random() * 18;
        return circle(
          (random() - 0.5) * 170,
          -136 - random() * 60,
          r,
          '#8affc0',
          'fill-opacity=".4" stroke="#d8ffe8" stroke-width="3"',
        );
      }),
    );
    const book = group(
      `translate(${w * 0.14} ${h * 0.955})`,
      path('M-170 20 Q-90 -40 0 -6 Q90 -40 170 20 L160 44 Q90 0 0 30 Q-90 0 -160 44 Z', '#5a2418'),
      path(
        'M-160 6 Q-90 -56 0 -20 V18 Q-90 -18 -154 28 Z M160 6 Q90 -56 0 -20 V18 Q90 -18 154 28 Z',
        brush.round('#fffaf0', '#e8d8b4'),
      ),
      line(
        'M-120 0 Q-80 -26 -30 -14 M-116 14 Q-80 -10 -30 2 M120 0 Q80 -26 30 -14 M116 14 Q80 -10 30 2',
        '#8a6a4a',
        5,
        0.6,
      ),
    );
    const flask = (x: number, colour: string) =>
      group(
        `translate(${x} ${h * 0.935})`,
        path(
          'M-14 -110 H14 V-60 L50 14 Q54 30 36 32 H-36 Q-54 30 -50 14 L-14 -60 Z',
          '#ffffff',
          'opacity=".35"',
        ),
        path(
          'M-30 -28 H30 L48 14 Q52 30 36 32 H-36 Q-52 30 -48 14 Z',
          brush.round('#ffffff', colour, darker(colour, 0.4)),
        ),
        line('M-18 -110 H18', '#ffffff', 8, 0.8),
      );
    return `${table}${book}${flask(w * 0.28, '#ff5a9a')}${flask(w * 0.74, '#3ac4ff')}${flask(w * 0.325, '#ffc23a')}${cauldron}`;
  },
};

export const rockBand: Scene = {
  ...rockStar,
  colours: { male: '#2a2630', female: '#7a1a3a', boy: '#22407a', girl: '#5a2a7a' },
  seat: { y: 0.55, scale: 0.98 },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const bulbs = (d: readonly (readonly [number, number])[]) =>
      d.map(([x, y]) => brush.soft(x, y, 34, 34, '#fff0b0', 0.9) + circle(x, y, 9, '#fffbe8')).join('');
    const corner = (n: number): [number, number] => {
      const angle = (n / 10) * Math.PI * 2 - Math.PI / 2;
      const r = n % 2 === 0 ? 270 : 116;
      return [w / 2 + Math.cos(angle) * r, h * 0.27 + Math.sin(angle) * r];
    };
    const star = Array.from({ length: 40 }, (_, n) => {
      const from = corner(Math.floor(n / 4));
      const to = corner(Math.floor(n / 4) + 1);
      const t = (n % 4) / 4;
      return [from[0] + (to[0] - from[0]) * t, from[1] + (to[1] - from[1]) * t] as const;
    });
    const truss =
      line(`M0 ${h * 0.035} H${w} M0 ${h * 0.085} H${w}`, '#3a3644', 13) +
      times(Math.ceil(w / 60), (n) =>
        line(`M${n * 60} ${h * 0.035} l30 ${h * 0.05} l30 ${-h * 0.05}`, '#4a4656', 7),
      );
    const speakers = (x: number) =>
      times(3, (n) =>
        group(
          `translate(${x} ${h * 0.3 + n * 250})`,
          rect(-120, 0, 240, 240, brush.down('#3a3640', '#141218'), 'rx="14"'),
          circle(0, 120, 94, brush.round('#6a6674', '#1a181e')) + circle(0, 120, 36, '#0a090c'),
        ),
      );
    return `${rockStar.background(b)}${truss}${bulbs(star)}${speakers(w * 0.06)}${speakers(w * 0.94)}`;
  },
  foreground: (b) => {
    const { width: w, height: h, brush, random } = b;
    const crowd = times(Math.ceil(w / 70), (n) => {
      const x = n * 70 + random() * 30;
      const y = h * (0.985 - random() * 0.02);
      const hand = `M${x + 34} ${h} C${x + 44} ${h * 0.95} ${x + 26} ${h * 0.93} ${x + 40} ${h * (0.87 + random() * 0.03)}`;
      return ellipse(x, y, 44, 52, '#0c0614') + (n % 2 === 0 ? line(hand, '#0c0614', 24) : '');
    });
    return `${brush.soft(w / 2, h * 1.02, w * 0.6, h * 0.14, '#ff4a9a', 0.4)}${crowd}`;
  },
};
