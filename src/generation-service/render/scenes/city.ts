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
import { aroundFace, folds, rim, type Scene, scarf, shadowOnFace, sideHair, torso } from './scene.ts';
import { beams, bokeh, cloud, darkCorners, sky } from './scenery.ts';

export const chef: Scene = {
  light: { direction: [-0.5, -0.7, -1], ambient: 0.64, colour: [255, 247, 234] },
  colours: { male: '#c42a2a', female: '#d8752a', boy: '#2a7ac4', girl: '#c43a7a' },
  seat: { y: 0.48 },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const tiles = times(Math.ceil(h / 76), (row) =>
      times(Math.ceil(w / 110), (n) =>
        rect(n * 110 - (row % 2) * 55, row * 76, 106, 72, mix('#f4ead8', '#dcc8a8', random()), 'rx="7"'),
      ),
    );
    const pot = (x: number, y: number, s: number, colour: string) =>
      group(
        `translate(${x} ${y}) scale(${s})`,
        path('M-90 -70 H90 L80 60 Q0 84 -80 60 Z', brush.metal(colour)),
        ellipse(0, -70, 92, 20, brush.down(lighter(colour, 0.5), darker(colour, 0.5))),
        both(line('M90 -40 q36 -6 36 20 q0 20 -36 14', darker(colour, 0.3), 14)),
      );
    const pan = (x: number, s: number, colour: string) =>
      group(
        `translate(${x} ${h * 0.08}) scale(${s})`,
        line('M0 -30 V70', '#5a4a3a', 18),
        circle(0, 150, 92, brush.shaded(colour, 0.4, 0.5)),
        circle(0, 150, 68, 'none', 'stroke="#2a1a10" stroke-opacity=".4" stroke-width="6"'),
      );
    const steam = (x: number) =>
      times(5, (n) =>
        brush.soft(x + Math.sin(n * 1.6) * 30, h * 0.7 - n * 62, 60 + n * 14, 50, '#ffffff', 0.5),
      );
    return `${rect(0, 0, w, h, '#b8a482')}${tiles}${brush.soft(w * 0.3, h * 0.2, w * 0.7, h * 0.4, '#fff2c8', 0.6)}${rect(0, h * 0.07, w, 16, brush.metal('#8a929a'))}${pan(w * 0.1, 1, '#b8652a')}${pan(w * 0.24, 0.8, '#5a6068')}${pan(w * 0.78, 0.9, '#c9963a')}${pan(w * 0.92, 1.1, '#b8652a')}
      ${rect(0, h * 0.82, w, h * 0.18, brush.down('#c98a52', '#7a4520'))}${rect(0, h * 0.8, w, 30, brush.down('#f4e4d0', '#c9a884'))}${steam(w * 0.14)}${steam(w * 0.86)}${pot(w * 0.14, h * 0.78, 1.4, '#c9742a')}${pot(w * 0.86, h * 0.78, 1.5, '#98a2ac')}${darkCorners(b, '#3a1a08', 0.35)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w, isFemale } = f;
    const buttons = each([-1, 1], (side) =>
      times(5, (n) => circle(side * 84, 500 + n * 150, 22, brush.round(lighter(colour, 0.4), colour))),
    );
    const apron =
      path(
        `M-190 620 H190 L${w * 0.8} 1700 H${-w * 0.8} Z`,
        brush.cloth(isFemale ? lighter(colour, 0.25) : '#2a3040'),
      ) + both(line('M186 624 L130 330', isFemale ? colour : '#1a2030', 22));
    return `${torso({ ...f, shoulders: w * 1.05 }, brush.round('#ffffff', '#f2efe8', '#b4ac9e'), 120)}${folds(f, '#a8a094')}${line('M0 380 V1700 M-40 372 L-140 460 M40 372 L140 460', '#b8b0a2', 7)}${buttons}${apron}`;
  },
  front: (f) => {
    const { brush, colour, isFemale, isChild } = f;
    const puffs = each(
      [
        [-170, -400, 120],
        [170, -400, 120],
        [-86, -480, 128],
        [92, -484, 126],
        [0, -430, 150],
        [-210, -330, 84],
        [210, -330, 84],
      ],
      ([x = 0, y = 0, r = 0]) => ellipse(x, y, r, r * 0.92, brush.round('#ffffff', '#fbf8f2', '#c4bcae')),
    );
    const band =
      path(
        'M-214 -152 C-130 -216 130 -216 214 -152 L206 -330 C120 -372 -120 -372 -206 -330 Z',
        brush.across('#d8d2c6', '#ffffff', '#f4f0e8', '#b8b0a2'),
      ) + times(9, (n) => line(`M${-170 + n * 42} -214 V-340`, '#b8b0a2', 5, 0.5));
    const whisk = group(
      'translate(330 560) rotate(18)',
      line('M0 330 V90', '#6a4a2a', 34),
      line(
        'M0 90 C-90 -20 -70 -190 0 -200 C70 -190 90 -20 0 90 M0 90 C-36 -20 -30 -180 0 -200 C30 -180 36 -20 0 90',
        '#c4ccd4',
        8,
      ),
    );
    let hairLength = isChild ? 130 : 110;
    if (isFemale) hairLength = 250;
    return `${shadowOnFace(f, 0.35)}${sideHair(f, hairLength, isFemale ? 66 : 40)}${scarf(f, colour, 150)}${path('M-40 350 L-150 540 L0 470 L150 540 L40 350 Z', brush.cloth(colour))}${group('translate(0 -14)', puffs, band)}${whisk}`;
  },
};

export const racer: Scene = {
  light: { direction: [0.4, -0.8, -1], ambient: 0.6, colour: [255, 250, 240] },
  colours: { male: '#d01f2a', female: '#7a2ad0', boy: '#1f7ad0', girl: '#e83a8a' },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const crowd = times(420, () => {
      const y = h * (0.3 + random() * 0.19);
      return ellipse(
        random() * w,
        y,
        9,
        11,
        ['#ffd23a', '#e83a3a', '#3a8ae8', '#ffffff', '#3ac46a', '#ff8a3a'][Math.floor(random() * 6)] ??
          '#ffffff',
        'opacity=".8"',
      );
    });
    const flags = times(9, (n) =>
      path(`M${w * (n / 8)} ${h * 0.25} l44 14 l-44 22 Z`, n % 2 ? '#e83a3a' : '#ffd23a'),
    );
    const chequers = times(Math.ceil(w / 40), (n) =>
      times(2, (row) => rect(n * 40, h * 0.52 + row * 40, 40, 40, (n + row) % 2 ? '#14161c' : '#f4f4f4')),
    );
    const car = (x: number, s: number, colour: string) =>
      group(
        `translate(${x} ${h * 0.73}) scale(${s} ${Math.abs(s)})`,
        brush.soft(0, 60, 300, 40, '#000000', 0.6),
        path('M-250 20 L-120 -10 L-60 -54 L40 -54 L90 -14 L240 6 L256 44 L-250 44 Z', brush.cloth(colour)),
        path('M-46 -52 L30 -52 L64 -20 L-70 -16 Z', '#1a2438'),
        circle(-150, 44, 58, '#16181e') + circle(-150, 44, 26, brush.metal('#c4ccd4')),
        circle(150, 44, 58, '#16181e') + circle(150, 44, 26, brush.metal('#c4ccd4')),
        path('M190 -70 H262 V-46 H190 Z', darker(colour, 0.3)),
      );
    const streaks = times(26, () => {
      const y = h * (0.64 + random() * 0.34);
      const x = random() * w;
      return line(`M${x} ${y} h${80 + random() * 260}`, '#ffffff', 2 + random() * 4, 0.16);
    });
    return `${sky(b, '#2a7ad0', '#8accf0', '#f4f0dc')}${cloud(b, w * 0.2, h * 0.1, 1.3)}${cloud(b, w * 0.8, h * 0.16, 1)}${rect(0, h * 0.28, w, h * 0.25, brush.down('#5a6478', '#2a3040'))}${crowd}${flags}${chequers}${rect(0, h * 0.52 + 80, w, h, brush.down('#6a7078', '#2a2e36'))}${times(14, (n) => `${rect((n * w) / 12, h * 0.6, w / 24, 26, '#d02a2a')}${rect((n * w) / 12 + w / 24, h * 0.6, w / 24, 26, '#f4f4f4')}`)}${streaks}${car(w * 0.14, 1.1, '#ffc02a')}${car(w * 0.9, -1.2, '#2ac4a0')}${brush.soft(w * 0.5, h * 0.5, w * 0.6, h * 0.3, '#ffffff', 0.14)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w } = f;
    const stripes = both(
      path(`M${w * 0.62} 390 L${w * 0.8} 420 L${w * 0.86} 1700 L${w * 0.66} 1700 Z`, '#f4f4f8') +
        path(`M${w * 0.84} 430 L${w * 0.9} 440 L${w * 0.96} 1700 L${w * 0.9} 1700 Z`, '#16181e'),
    );
    const badge = (x: number, y: number, fill: string, inner: string) =>
      group(`translate(${x} ${y})`, rect(-72, -38, 144, 76, fill, 'rx="14"'), inner);
    return `${torso({ ...f, shoulders: w * 1.08 }, brush.cloth(colour), 150)}${folds(f)}${stripes}${line('M0 400 V1700', '#16181e', 12)}${path('M-160 300 Q0 430 160 300 L190 380 Q0 520 -190 380 Z', brush.down('#3a3e48', '#16181e'))}${badge(-w * 0.34, 640, '#ffd23a', path('M-40 14 L-10 -22 L6 2 L20 -14 L44 14 Z', '#16181e'))}${badge(
      w * 0.34,
      640,
      '#ffffff',
      times(8, (n) =>
        rect(-48 + (n % 4) * 24, n > 3 ? 0 : -22, 24, 22, (n + (n > 3 ? 1 : 0)) % 2 ? '#16181e' : '#ffffff'),
      ),
    )}${badge(0, 900, '#16181e', `<circle r="26" fill="${colour}"/><circle r="12" fill="#fff"/>`)}${brush.soft(0, 0, 400, 420, '#000000', 0.12)}`;
  },
  front: (f) => {
    const { brush, colour, outline } = f;
    const shell =
      'M0 -392 C250 -392 336 -200 330 0 C328 190 262 340 120 372 L-120 372 C-262 340 -328 190 -330 0 C-336 -200 -250 -392 0 -392 Z';
    const window =
      'M-262 -150 C-150 -214 150 -214 262 -150 C286 -60 284 60 252 150 C190 212 -190 212 -252 150 C-284 60 -286 -60 -262 -150 Z';
    const cowl = path(window, brush.round('#f4f4f8', '#c4c8d2', '#7a808e'));
    const stripe =
      path('M-60 -390 L60 -390 L84 -196 L-84 -196 Z', '#f4f4f8') +
      path('M-30 -391 L30 -391 L42 -200 L-42 -200 Z', '#16181e');
    const chin =
      path(
        'M-250 158 C-190 220 190 220 250 158 C236 260 190 340 120 372 L-120 372 C-190 340 -236 260 -250 158 Z',
        brush.cloth(colour),
      ) + times(5, (n) => rect(-92 + n * 40, 286, 24, 42, '#16181e', 'rx="8"'));
    const visor =
      path(
        'M-316 -176 C-240 -330 240 -330 316 -176 L300 -128 C190 -214 -190 -214 -300 -128 Z',
        brush.across('#1a2a4a', '#6ab8e8', '#ff8a5a', '#c44ad0', '#1a2a4a'),
        'opacity=".92"',
      ) + line('M-290 -200 C-200 -302 100 -310 200 -270', '#ffffff', 9, 0.6);
    return `${shadowOnFace(f, 0.5)}${aroundFace(f, cowl)}${rim(f, '#dfe2ea', 14, -2)}${line(outline(-11), '#4a505e', 3, 0.5)}<path d="${shell} ${window}" fill="${brush.cloth(colour)}" fill-rule="evenodd"/>${stripe}${chin}${line(window, '#16181e', 16)}${visor}${both(circle(304, -110, 32, brush.metal('#98a2ac')))}${brush.soft(-170, -250, 120, 100, '#ffffff', 0.55)}`;
  },
};

export const rockStar: Scene = {
  light: { direction: [0.7, -0.5, -0.9], ambient: 0.54, colour: [255, 236, 246] },
  colours: { male: '#1f1c24', female: '#4a1238', boy: '#22304a', girl: '#8a1a5a' },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const lamp = (x: number, colour: string, lean: number) =>
      path(
        `M${x - 26} ${h * 0.06} L${x + 26} ${h * 0.06} L${x + lean + 230} ${h} L${x + lean - 230} ${h} Z`,
        brush.down(colour, mix(colour, '#0a0412', 0.9)),
        'opacity=".42"',
      ) +
      brush.soft(x, h * 0.06, 130, 100, '#ffffff', 0.9) +
      rect(x - 40, h * 0.02, 80, 50, '#16141c', 'rx="14"');
    const amp = (x: number) =>
      group(
        `translate(${x} ${h * 0.62})`,
        rect(-130, 0, 260, h * 0.4, brush.down('#3a3640', '#141218'), 'rx="16"'),
        circle(0, 120, 92, brush.round('#5a5664', '#1a181e')) + circle(0, 120, 34, '#0a090c'),
        circle(0, 340, 92, brush.round('#5a5664', '#1a181e')) + circle(0, 340, 34, '#0a090c'),
        line('M-110 18 H110', '#e0b040', 6),
      );
    const crowd = times(26, (n) => {
      const x = (n / 25) * w;
      const up = random() * 60;
      return (
        ellipse(x, h * 0.985 - up * 0.3, 54, 60, '#0a0610') +
        (n % 3 === 0 ? line(`M${x} ${h} L${x + 20 - random() * 40} ${h * 0.9 - up}`, '#0a0610', 26) : '')
      );
    });
    return `${sky(b, '#1a0a34', '#5a1a6a', '#c42a6a', '#2a0a2a')}${lamp(w * 0.14, '#ff4a8a', 260)}${lamp(w * 0.4, '#8a5aff', 60)}${lamp(w * 0.62, '#3ac4ff', -60)}${lamp(w * 0.88, '#ffb03a', -260)}${bokeh(b, 30, ['#ff8ac4', '#8ae0ff', '#ffe08a'])}${beams(b, w * 0.5, h * 0.5, 14, '#ffffff', 0.03)}${amp(w * 0.1)}${amp(w * 0.9)}${brush.soft(w * 0.5, h * 0.95, w * 0.7, h * 0.16, '#d8c4ff', 0.4)}${crowd}${darkCorners(b, '#0a0412', 0.4)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w } = f;
    const lapels = both(
      path(
        `M110 300 L${w * 0.66} 420 L${w * 0.42} 620 L${w * 0.5} 680 L120 1300 L60 560 Z`,
        brush.round(lighter(colour, 0.3), colour, '#050308'),
      ) +
        times(4, (n) =>
          path(
            'M0 -16 L16 0 L0 16 L-16 0 Z',
            '#d8dce4',
            `transform="translate(${w * 0.56 - n * 22} ${470 + n * 44})"`,
          ),
        ),
    );
    const shirt =
      path('M-130 280 H130 L150 1700 H-150 Z', brush.cloth('#e8e4ea')) +
      path(
        'M0 620 l26 -66 h-22 l34 -92 l-70 108 h24 l-34 82 Z',
        '#e83a5a',
        'transform="translate(0 160) scale(1.8)"',
      );
    const zip = line(`M120 1300 L60 560 M-120 1300 L-60 560`, '#d8dce4', 9, 0.9);
    const strap = path(
      `M${-w * 0.62} 380 L${-w * 0.42} 360 L${w * 0.72} 1360 L${w * 0.5} 1420 Z`,
      brush.across('#7a2a1a', '#c4582a', '#5a1a0e'),
    );
    const guitar = group(
      'translate(150 960) rotate(-28)',
      line('M-40 -10 L-700 -10', '#4a2a16', 60),
      line('M-40 -22 L-690 -22 M-40 2 L-690 2', '#e8e0d0', 4),
      path(
        'M-60 -150 C40 -210 130 -120 190 -140 C330 -180 420 -60 400 60 C380 190 240 220 150 170 C90 140 20 210 -70 150 C-130 90 -130 -90 -60 -150 Z',
        brush.round('#ff9a5a', '#d02a2a', '#4a0610'),
      ),
      circle(150, 20, 60, '#1a0a0a'),
      rect(230, -30, 40, 100, '#d8dce4', 'rx="8"'),
    );
    return `${torso({ ...f, shoulders: w * 1.06 }, brush.round(lighter(colour, 0.3), colour, '#050308'), 120)}${shirt}${lapels}${zip}${strap}${guitar}${folds(f, '#6a6474')}`;
  },
  front: (f) => {
    const { brush, hair, colour, isFemale, isChild } = f;
    const tint = isFemale ? '#ff3a9a' : '#3ac4ff';
    const spikes = times(13, (n) => {
      const t = n / 6 - 1;
      const a = -Math.PI / 2 + t * 1.15;
      const x = Math.cos(a) * 176;
      const y = Math.sin(a) * 206;
      const long = (isChild ? 110 : 150) + (n % 3) * 46;
      return path(
        `M${x - 50} ${y + 36} Q${x + Math.cos(a) * long * 0.5 - 30} ${y + Math.sin(a) * long * 0.6} ${x + Math.cos(a + 0.2) * long} ${y + Math.sin(a) * long} Q${x + 50} ${y - 10} ${x + 56} ${y + 40} Z`,
        brush.down(n % 3 === 1 ? tint : lighter(hair, 0.3), hair),
      );
    });
    return `${shadowOnFace(f, 0.35)}${sideHair(f, isFemale ? 470 : 200, isFemale ? 120 : 52)}${aroundFace(f, spikes)}${scarf(f, mix(colour, tint, 0.35), 150)}${times(14, (n) => circle(-130 + n * 20, 268 + Math.sin((n / 13) * Math.PI) * 60, 5, '#ffffff', 'opacity=".7"'))}`;
  },
};

export const detective: Scene = {
  light: { direction: [-0.9, -0.4, -0.8], ambient: 0.46, colour: [255, 240, 220] },
  colours: { male: '#8a7048', female: '#7a4a4a', boy: '#5a6a4a', girl: '#8a5a6a' },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const house = (x: number, y: number, wide: number, tone: string) =>
      `${rect(x, y, wide, h - y, brush.down(tone, mix(tone, '#05060a', 0.6)))}${times(6, (row) => times(Math.floor(wide / 74), (n) => rect(x + 20 + n * 74, y + 50 + row * 130, 38, 66, random() < 0.35 ? '#ffd98a' : mix(tone, '#0a0c14', 0.5), 'opacity=".85"')))}`;
    const lamp = group(
      `translate(${w * 0.86} ${h * 0.3})`,
      brush.soft(0, 0, 380, 380, '#ffd890', 0.75),
      path('M-60 20 L60 20 L260 1300 L-260 1300 Z', '#ffe0a0', 'opacity=".12"'),
      line('M0 60 V1500', '#16181e', 22),
      path('M-44 -50 H44 L30 50 H-30 Z', brush.down('#fff8d8', '#ffc85a')),
      path('M-56 -50 H56 L0 -104 Z', '#16181e'),
      line('M-44 -50 L-30 50 H30 L44 -50', '#16181e', 7),
    );
    const car = group(
      `translate(${w * 0.15} ${h * 0.84}) scale(1.3)`,
      path(
        'M-190 40 C-190 -10 -120 -20 -90 -30 C-70 -110 60 -110 90 -34 C150 -26 200 -16 200 40 Z',
        brush.round('#4a5068', '#1a1e2a', '#0a0c12'),
      ),
      path('M-70 -34 C-54 -86 0 -90 6 -90 V-34 Z M20 -90 C50 -86 66 -60 72 -34 H20 Z', '#8a98b0'),
      circle(-110, 44, 42, '#0a0b0e') + circle(-110, 44, 20, '#8a929e'),
      circle(120, 44, 42, '#0a0b0e') + circle(120, 44, 20, '#8a929e'),
      brush.soft(206, 4, 130, 70, '#fff0b8', 0.9),
    );
    const rain = times(170, () => {
      const x = random() * w * 1.1;
      const y = random() * h;
      const long = 40 + random() * 60;
      return line(`M${x} ${y} l${-long * 0.2} ${long}`, '#c4d0e4', 2, 0.14 + random() * 0.18);
    });
    return `${sky(b, '#10141f', '#28304a', '#4a4a5a', '#2a2a34')}${brush.soft(w * 0.3, h * 0.14, 120, 120, '#f4f0dc', 0.9)}${house(-20, h * 0.2, 300, '#2e3448')}${house(w * 0.3, h * 0.3, 260, '#262c3e')}${house(w * 0.56, h * 0.16, 240, '#2c3246')}${house(w * 0.78, h * 0.24, 320, '#343a4e')}${brush.soft(w * 0.5, h * 0.8, w * 0.7, h * 0.22, '#8a90a8', 0.4)}${rect(0, h * 0.86, w, h * 0.14, brush.down('#3a3e4c', '#14161e'))}${lamp}${brush.soft(w * 0.86, h * 0.93, 260, 46, '#ffd890', 0.5)}${car}${rain}${darkCorners(b, '#05060a', 0.6)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w, isFemale } = f;
    const shirt =
      path('M-120 290 H120 L70 900 H-70 Z', '#f0ece4') +
      path('M-34 330 H34 L50 780 L0 840 L-50 780 Z', brush.cloth(isFemale ? '#8a1f3a' : '#2a3048'));
    const lapels = both(
      path(
        `M96 280 L${w * 0.56} 400 L${w * 0.52} 600 L${w * 0.34} 620 L60 1000 L40 640 Z`,
        brush.shaded(colour, 0.26, 0.4),
        `stroke="${darker(colour, 0.55)}" stroke-width="5"`,
      ),
    );
    const belt =
      path(`M${-w * 1.05} 1120 L${w * 1.05} 1120 V1210 H${-w * 1.05} Z`, darker(colour, 0.3)) +
      rect(-62, 1104, 124, 122, 'none', 'rx="12" stroke="#5a3c1a" stroke-width="16"');
    const buttons = both(times(3, (n) => circle(130, 760 + n * 140, 22, brush.round('#6a4a2a', '#2a180a'))));
    return `${torso({ ...f, shoulders: w * 1.1 }, brush.cloth(colour), 120)}${folds(f)}${shirt}${lapels}${belt}${buttons}`;
  },
  front: (f) => {
    const { brush, colour, isFemale } = f;
    const felt = mix(colour, '#1a1410', 0.45);
    const collar = both(
      path(
        'M90 60 C200 120 270 220 320 330 L200 470 C150 400 90 350 60 320 Z',
        brush.shaded(colour, 0.3, 0.5),
        `stroke="${darker(colour, 0.55)}" stroke-width="5"`,
      ),
    );
    const crown =
      path(
        'M-216 -170 C-230 -330 -170 -440 -80 -424 C-40 -392 40 -392 80 -424 C170 -440 230 -330 216 -170 C120 -222 -120 -222 -216 -170 Z',
        brush.shaded(felt, 0.25, 0.55),
      ) + line('M-70 -414 C-30 -330 30 -330 70 -414', darker(felt, 0.6), 10, 0.5);
    const band = path(
      'M-218 -168 C-120 -226 120 -226 218 -168 L222 -236 C120 -290 -120 -290 -222 -236 Z',
      isFemale ? '#8a1f3a' : '#16141a',
    );
    const brim = path(
      'M-380 -120 C-330 -196 -160 -222 0 -222 C160 -222 330 -196 380 -120 C300 -150 150 -150 0 -148 C-150 -150 -300 -150 -380 -120 Z',
      brush.shaded(felt, 0.3, 0.6),
    );
    const glass = group(
      'translate(-330 760) rotate(-24)',
      line('M0 120 V330', '#4a2c14', 40),
      circle(0, 0, 122, '#cfe4f0', 'fill-opacity=".35"'),
      circle(0, 0, 122, 'none', `stroke="${brush.metal('#c9a24a')}" stroke-width="24"`),
      path('M-76 -44 Q-40 -92 20 -90 Q-40 -66 -60 -16 Z', '#ffffff', 'opacity=".6"'),
    );
    return `${shadowOnFace(f, 0.55)}${sideHair(f, isFemale ? 240 : 130, isFemale ? 70 : 38)}${scarf(f, isFemale ? '#8a1f3a' : '#e8e0d0', 150)}${aroundFace(f, collar, -4)}${group('translate(0 -26)', crown, band, brim)}${glass}`;
  },
};
