import { astronaut } from './astronaut.ts';
import { both, circle, each, ellipse, group, line, path, rect, times } from './brush.ts';
import { viking } from './castle.ts';
import type { Scene } from './scene.ts';
import { cloud, darkCorners, hills, sea, sky, stars } from './scenery.ts';
import { pirate } from './sea.ts';

export const moonCrew: Scene = {
  ...astronaut,
  colours: { male: '#e87a2a', female: '#2a9fc4', boy: '#3fae5a', girl: '#c44a9a' },
  seat: { y: 0.58, scale: 0.94 },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const x = w * 0.79;
    const y = h * 0.22;
    const r = 150;
    const disc = `M${x - r} ${y} a${r} ${r} 0 1 1 ${r * 2} 0 a${r} ${r} 0 1 1 ${-r * 2} 0`;
    const earth = `${brush.soft(x, y, r * 1.7, r * 1.7, '#7fc8ff', 0.6)}<g clip-path="${brush.clip(disc)}">${path(disc, brush.round('#9fe0ff', '#2a7fd0', '#0a2a6a'))}${times(
      12,
      () =>
        brush.soft(
          x + (random() - 0.5) * r * 1.7,
          y + (random() - 0.5) * r * 1.5,
          30 + random() * 50,
          20 + random() * 30,
          random() < 0.6 ? '#3f9a54' : '#b09a50',
          0.95,
        ),
    )}${times(14, () => brush.soft(x + (random() - 0.5) * r * 1.8, y + (random() - 0.5) * r * 1.8, 40 + random() * 50, 7 + random() * 9, '#ffffff', 0.9))}${brush.soft(x + r * 0.8, y + r * 0.7, r * 1.2, r * 1.2, '#020512', 0.85)}</g>`;
    const rocket = group(
      `translate(${w * 0.14} ${h * 0.66}) scale(1.25)`,
      both(path('M60 -120 C150 -80 160 20 150 60 L70 0 Z', brush.across('#ff7a5a', '#c4303a', '#5a0f18'))),
      path(
        'M0 -560 C90 -470 110 -300 92 0 L-92 0 C-110 -300 -90 -470 0 -560 Z',
        brush.across('#aab4c8', '#ffffff', '#dfe6f2', '#7a84a0'),
      ),
      path(
        'M0 -560 C44 -516 70 -460 82 -400 L-82 -400 C-70 -460 -44 -516 0 -560 Z',
        brush.across('#e0503a', '#ff8a6a', '#8a1f20'),
      ),
      circle(0, -290, 46, brush.metal('#b8c2d6')) +
        circle(0, -290, 34, brush.round('#c8f0ff', '#3a8ac4', '#0a2a5a')),
      circle(0, -170, 30, brush.metal('#b8c2d6')) +
        circle(0, -170, 21, brush.round('#c8f0ff', '#3a8ac4', '#0a2a5a')),
      rect(-94, -60, 188, 22, '#e0503a'),
      path('M-60 0 H60 L44 40 H-44 Z', brush.metal('#5a6278')),
    );
    const flag = group(
      `translate(${w * 0.93} ${h * 0.72})`,
      line('M0 0 V-330', '#dfe4ee', 9),
      path(
        'M4 -330 C60 -350 110 -310 176 -330 V-220 C110 -200 60 -240 4 -220 Z',
        brush.across('#ffd23a', '#ff9a2a', '#ffc83a'),
      ),
      path('M88 -306 l10 24 l26 1 l-20 17 l7 26 l-23 -15 l-23 15 l7 -26 l-20 -17 l26 -1 Z', '#ffffff'),
    );
    const craters = times(26, () => {
      const depth = random();
      const cx = random() * w;
      const cy = h * (0.68 + depth * 0.3);
      const rx = 14 + depth * 90;
      return (
        ellipse(cx, cy, rx, rx * 0.26, '#5e6068', 'opacity=".55"') +
        line(`M${cx - rx} ${cy} A${rx} ${rx * 0.26} 0 0 0 ${cx + rx} ${cy}`, '#f2f2f0', 3 + depth * 4, 0.5)
      );
    });
    return `${sky(b, '#03040f', '#0c1030', '#241f58', '#241f58')}${brush.soft(w * 0.3, h * 0.2, w * 0.5, h * 0.36, '#6a3ac4', 0.4)}${brush.soft(w * 0.66, h * 0.5, w * 0.4, h * 0.24, '#1f7ac4', 0.35)}${stars(b, 320, 0.75)}${earth}${hills(b, h * 0.6, 46, '#9a9ca6', '#54565f', true)}${hills(b, h * 0.66, 22, '#c9cad0', '#7a7c86')}${rocket}${craters}${flag}${brush.soft(w * 0.5, h * 0.8, w * 0.5, h * 0.2, '#ffffff', 0.25)}${darkCorners(b, '#02030c', 0.4)}`;
  },
  foreground: (b) => {
    const { width: w, height: h, brush } = b;
    const rock = (x: number, s: number) =>
      group(
        `translate(${x} ${h}) scale(${s})`,
        path(
          'M-170 20 C-160 -60 -90 -120 -10 -110 C60 -130 150 -70 170 20 Z',
          brush.round('#f0f0ee', '#a8aab2', '#4a4c56'),
        ),
        ellipse(-40, -50, 36, 17, '#6a6c76', 'opacity=".5"'),
        ellipse(62, -34, 22, 11, '#6a6c76', 'opacity=".5"'),
      );
    return `${path(`M0 ${h * 0.95} Q${w * 0.25} ${h * 0.89} ${w * 0.5} ${h * 0.945} T${w} ${h * 0.93} V${h} H0 Z`, brush.down('#d8d9de', '#7a7c86'))}${rock(w * 0.05, 1.1)}${rock(w * 0.96, 1.25)}${rock(w * 0.36, 0.5)}`;
  },
};

export const pirateCrew: Scene = {
  ...pirate,
  colours: { male: '#8a1f2a', female: '#5a2a7a', boy: '#1f5a8a', girl: '#2f6a3a' },
  seat: { y: 0.57 },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const horizon = h * 0.6;
    const mast = (x: number, wide: number) =>
      rect(x - wide / 2, 0, wide, h, brush.across('#7a4a28', '#b8804a', '#3a2010'));
    const sail = (x: number, wide: number, tall: number) =>
      path(
        `M${x - wide} ${h * 0.02} Q${x} ${h * 0.06} ${x + wide} ${h * 0.02} Q${x + wide * 0.82} ${tall * 0.5} ${x + wide * 0.94} ${tall} Q${x} ${tall * 1.16} ${x - wide * 0.94} ${tall} Q${x - wide * 0.82} ${tall * 0.5} ${x - wide} ${h * 0.02} Z`,
        brush.round('#fffaf0', '#f0dcb4', '#b08a58'),
      ) +
      line(
        `M${x - wide * 0.5} ${h * 0.05} Q${x - wide * 0.42} ${tall * 0.5} ${x - wide * 0.5} ${tall * 1.04} M${x + wide * 0.5} ${h * 0.05} Q${x + wide * 0.42} ${tall * 0.5} ${x + wide * 0.5} ${tall * 1.04}`,
        '#a8824e',
        5,
        0.5,
      ) +
      rect(x - wide * 1.06, h * 0.006, wide * 2.12, 24, brush.down('#a8703e', '#4a2812'), 'rx="12"');
    const island = group(
      `translate(${w * 0.16} ${horizon})`,
      path('M-190 6 C-150 -60 -40 -92 40 -66 C110 -50 170 -20 200 6 Z', brush.down('#e8cf94', '#b08a4a')),
      each(
        [-40, 40],
        (x) =>
          line(`M${x} -60 q14 -70 ${x > 0 ? 40 : -30} -130`, '#6a4420', 13) +
          each([-1, -0.4, 0.4, 1], (t) =>
            line(
              `M${x + (x > 0 ? 40 : -30)} -190 q${t * 60} -40 ${t * 100} ${20 + Math.abs(t) * 20}`,
              '#2f8a4a',
              17,
            ),
          ),
      ),
    );
    const shrouds = (x: number, side: number) =>
      times(4, (n) => line(`M${x} ${h * 0.04} L${x + side * (200 + n * 52)} ${h * 0.9}`, '#3a2412', 7, 0.9)) +
      times(11, (n) => {
        const t = 0.22 + n * 0.07;
        return line(
          `M${x + side * 200 * t} ${h * (0.04 + 0.86 * t)} H${x + side * 356 * t}`,
          '#3a2412',
          5,
          0.8,
        );
      });
    return `${sky(b, '#2f6fae', '#7fc0dc', '#ffd9a0', '#ff9a5a', '#ff9a5a')}${brush.soft(w * 0.34, horizon, w * 0.42, h * 0.3, '#fff0b0', 0.9)}<circle cx="${w * 0.34}" cy="${horizon - 80}" r="78" fill="#fff6d0"/>${cloud(b, w * 0.1, h * 0.2, 1.3, '#ffe8d0')}${cloud(b, w * 0.93, h * 0.3, 1.3, '#ffd9c0', 0.8)}${sea(b, horizon, '#4aa8b8', '#0d3f5e')}${brush.soft(w * 0.34, horizon + 90, 280, 110, '#ffe6a8', 0.5)}${island}${mast(w * 0.62, 62)}${sail(w * 0.62, 470, h * 0.36)}${shrouds(w * 0.62, 1)}${shrouds(w * 0.62, -1)}${darkCorners(b, '#1a0a12', 0.25)}`;
  },
  foreground: (b) => {
    const { width: w, height: h, brush } = b;
    const barrel = (x: number) =>
      group(
        `translate(${x} ${h})`,
        path(
          'M-105 0 C-128 -80 -124 -170 -92 -236 H92 C124 -170 128 -80 105 0 Z',
          brush.across('#4a2812', '#b8783e', '#8a5228', '#3a1e0c'),
        ),
        ellipse(0, -236, 92, 24, brush.down('#c48a4e', '#7a4a22')),
        line('M-116 -60 Q0 -34 116 -60 M-112 -178 Q0 -154 112 -178', '#2a2a30', 17),
      );
    const chest = group(
      `translate(${w - 190} ${h})`,
      brush.soft(0, -130, 210, 110, '#ffe08a', 0.8),
      path('M-140 -110 C-150 -236 150 -236 140 -110 Z', brush.down('#6a3a1a', '#3a1c0a')),
      times(24, (n) =>
        ellipse(
          -112 + (n % 8) * 32,
          -112 - Math.floor(n / 8) * 15,
          19,
          12,
          brush.round('#fff6c8', '#f0c040', '#8a5a10'),
        ),
      ),
      rect(-144, -104, 288, 110, brush.down('#a8683a', '#5a3014'), 'rx="8"'),
      line('M-144 -98 H144 M-84 -104 V6 M84 -104 V6', '#e0b040', 14),
      rect(-24, -112, 48, 54, brush.metal('#e0b040'), 'rx="8"'),
    );
    const rail = `${rect(0, h * 0.865, w, 40, brush.down('#d09058', '#6a3e1c'), 'rx="12"')}${rect(0, h * 0.9, w, h * 0.1, brush.down('#7a4a26', '#3a1e0c'))}${times(Math.ceil(w / 90), (n) => rect(n * 90 + 30, h * 0.898, 34, h * 0.12, brush.across('#5a3216', '#b0743e', '#5a3216'), 'rx="12"'))}`;
    return `${rail}${barrel(108)}${chest}`;
  },
};

export const longship: Scene = {
  ...viking,
  colours: { male: '#4a5a3a', female: '#7a3a2a', boy: '#3a5a7a', girl: '#8a4a6a' },
  seat: { y: 0.55, scale: 0.96 },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const y = h * 0.62;
    const stripe = (n: number) =>
      path(
        `M${w / 2 - 520 + n * 208} ${h * 0.03} L${w / 2 - 416 + n * 208} ${h * 0.03} Q${w / 2 - 400 + n * 196} ${h * 0.24} ${w / 2 - 404 + n * 200} ${h * 0.47} L${w / 2 - 504 + n * 200} ${h * 0.465} Q${w / 2 - 494 + n * 196} ${h * 0.24} ${w / 2 - 520 + n * 208} ${h * 0.03} Z`,
        '#b82a2a',
        'opacity=".9"',
      );
    const outline = `M${w / 2 - 560} ${h * 0.03} H${w / 2 + 560} Q${w / 2 + 510} ${h * 0.25} ${w / 2 + 550} ${h * 0.46} Q${w / 2} ${h * 0.54} ${w / 2 - 550} ${h * 0.46} Q${w / 2 - 510} ${h * 0.25} ${w / 2 - 560} ${h * 0.03} Z`;
    const mast = rect(w / 2 - 24, 0, 48, h, brush.across('#5a3418', '#a8703e', '#3a2010'));
    const sail = `<g clip-path="${brush.clip(outline)}">${path(outline, brush.round('#fffaf0', '#f0e2c4', '#b8a07a'))}${times(6, stripe)}${brush.soft(w / 2 - 200, h * 0.2, 360, 300, '#ffffff', 0.35)}${brush.soft(w / 2 + 420, h * 0.4, 330, 260, '#3a1a0a', 0.35)}</g>${rect(w / 2 - 600, h * 0.012, 1200, 28, brush.down('#a8703e', '#4a2812'), 'rx="14"')}`;
    const dragon = group(
      `translate(${w * 0.09} ${h * 0.74}) scale(1.35)`,
      path(
        'M-70 140 C-90 20 -70 -90 -10 -150 C30 -196 20 -250 -20 -262 C-60 -272 -96 -250 -126 -232 L-170 -262 C-150 -310 -80 -350 0 -336 C90 -320 120 -230 90 -150 C60 -70 70 40 90 140 Z',
        brush.across('#5a3418', '#a8683a', '#6a3c1c', '#3a1e0c'),
      ),
      line(
        'M-166 -262 L-120 -254 M-60 110 C-70 20 -40 -90 20 -150 C50 -190 50 -240 20 -280',
        '#e0b040',
        9,
        0.9,
      ),
      ellipse(-44, -296, 15, 12, '#ffe9a8') + ellipse(-48, -296, 6, 8, '#1a0a04'),
      path(
        'M20 -336 C40 -390 80 -396 96 -380 C80 -366 70 -340 70 -316 Z M80 -290 C120 -320 150 -316 158 -300 C136 -292 120 -272 106 -246 Z',
        '#e0b040',
      ),
    );
    const ropes = line(
      `M${w / 2 - 590} ${h * 0.03} L${w * 0.02} ${h * 0.9} M${w / 2 + 590} ${h * 0.03} L${w * 0.98} ${h * 0.9} M${w / 2 - 550} ${h * 0.46} L${w * 0.1} ${h * 0.9} M${w / 2 + 550} ${h * 0.46} L${w * 0.9} ${h * 0.9}`,
      '#4a3420',
      7,
      0.9,
    );
    return `${sky(b, '#3f6a9a', '#9cc4dc', '#ffe4bc', '#ffe4bc')}${brush.soft(w * 0.14, h * 0.4, 460, 360, '#fff0d0', 0.9)}${cloud(b, w * 0.08, h * 0.13, 1.3)}${cloud(b, w * 0.95, h * 0.18, 1.4)}${hills(b, h * 0.5, 170, '#f0f6fc', '#7a92aa', true)}${hills(b, h * 0.57, 80, '#6a8c90', '#3a585e', true)}${sea(b, y, '#8ab4c0', '#1f4a5e')}${mast}${sail}${ropes}${dragon}${darkCorners(b, '#0a1018', 0.25)}`;
  },
  foreground: (b) => {
    const { width: w, height: h, brush } = b;
    const top = (t: number) => h * (0.875 - 0.075 * t ** 4);
    const side = `M0 ${top(1)} ${times(21, (n) => `L${(w * n) / 20} ${top(n / 10 - 1)} `)}L${w} ${h} L0 ${h} Z`;
    const planks = times(3, (row) =>
      line(
        `M0 ${top(1) + 44 * (row + 1)} ${times(21, (n) => `L${(w * n) / 20} ${top(n / 10 - 1) + 44 * (row + 1)} `)}`,
        '#2a140a',
        6,
        0.6,
      ),
    );
    const count = Math.round(w / 205);
    const shields = times(count, (n) => {
      const x = (w * (n + 0.5)) / count;
      const [a, c] = (
        [
          ['#b82a2a', '#f0e2c4'],
          ['#2a5a8a', '#e8bc50'],
          ['#e8bc50', '#7a2a1a'],
          ['#3a6a3a', '#f0e2c4'],
        ] as const
      )[n % 4] ?? ['#b82a2a', '#f0e2c4'];
      return group(
        `translate(${x} ${top((x / w) * 2 - 1) + 66})`,
        circle(6, 10, 92, '#000000', 'opacity=".35"'),
        circle(0, 0, 90, brush.shaded(a, 0.25, 0.4)),
        path('M0 0 L0 -86 A86 86 0 0 1 86 0 Z M0 0 L0 86 A86 86 0 0 1 -86 0 Z', c, 'opacity=".85"'),
        circle(0, 0, 88, 'none', `stroke="${brush.metal('#8a929a')}" stroke-width="11"`),
        circle(0, 0, 27, brush.metal('#b8c0c8')),
        times(8, (k) =>
          circle(Math.cos((k * Math.PI) / 4) * 87, Math.sin((k * Math.PI) / 4) * 87, 5, '#f0f4f8'),
        ),
      );
    });
    return `${path(side, brush.down('#9a6234', '#3a1e0c'))}${line(`M0 ${top(1)} ${times(21, (n) => `L${(w * n) / 20} ${top(n / 10 - 1)} `)}`, '#c08a52', 20)}${planks}${shields}`;
  },
};
