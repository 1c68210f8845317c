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
import { beams, cloud, darkCorners, sea, sky } from './scenery.ts';

export const pirate: Scene = {
  light: { direction: [0.6, -0.4, -1], ambient: 0.6, colour: [255, 238, 214] },
  colours: { male: '#8a1f2a', female: '#5a2a7a', boy: '#1f5a8a', girl: '#a8325a' },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const horizon = h * 0.56;
    const ship = group(
      `translate(${w * 0.15} ${horizon - 6}) scale(1.1)`,
      path('M-110 -26 L110 -34 Q96 26 60 30 L-70 30 Q-100 16 -110 -26 Z', brush.down('#5a3420', '#2a140a')),
      line('M-50 -28 V-190 M20 -30 V-230 M76 -32 V-160 M110 -34 L160 -62', '#2a140a', 7),
      path(
        'M-92 -60 Q-50 -40 -8 -60 Q-18 -120 -12 -176 Q-50 -164 -88 -176 Q-80 -120 -92 -60 Z M-28 -70 Q20 -46 70 -70 Q58 -140 64 -214 Q20 -200 -22 -214 Q-16 -140 -28 -70 Z',
        brush.round('#fff4dc', '#d8b98a'),
      ),
      path('M20 -230 h56 l-12 16 l12 16 h-56 Z', '#1a1418'),
    );
    const mast = rect(w * 0.86, 0, 54, h, brush.across('#7a4a28', '#a8703e', '#3a2010'));
    const ropes = line(
      `M${w * 0.89} ${h * 0.02} L${w * 0.56} ${h * 1.02} M${w * 0.89} ${h * 0.1} L${w * 1.04} ${h * 0.9} M${w * 0.89} ${h * 0.02} L${w * 0.7} ${h * 1.02}`,
      '#4a2e1a',
      8,
      0.9,
    );
    const net = times(9, (n) =>
      line(
        `M${w * (0.86 - n * 0.028)} ${h * (0.12 + n * 0.1)} H${w * (0.875 - n * 0.016)}`,
        '#4a2e1a',
        6,
        0.8,
      ),
    );
    const sail = path(
      `M${w * 0.5} 0 H${w} V${h * 0.2} Q${w * 0.72} ${h * 0.27} ${w * 0.56} ${h * 0.16} Z`,
      brush.down('#fbeccb', '#c9a878'),
    );
    const deck =
      path(`M0 ${h * 0.86} H${w} V${h} H0 Z`, brush.down('#8a5630', '#4a2812')) +
      rect(0, h * 0.84, w, 26, brush.down('#b87a48', '#5a3418'), 'rx="10"');
    return `${sky(b, '#2f6fae', '#7fc0dc', '#ffd9a0', '#ff9a5a', '#ff9a5a')}${brush.soft(w * 0.3, horizon, w * 0.5, h * 0.26, '#fff0b0', 0.9)}<circle cx="${w * 0.3}" cy="${horizon - 70}" r="70" fill="#fff6d0"/>
      ${cloud(b, w * 0.24, h * 0.16, 1.5, '#ffe8d0')}${cloud(b, w * 0.62, h * 0.34, 1.1, '#ffd9c0', 0.7)}${sea(b, horizon, '#4aa8b8', '#0d3f5e')}${brush.soft(w * 0.3, horizon + 90, 240, 120, '#ffe6a8', 0.5)}${ship}${sail}${mast}${ropes}${net}${deck}${darkCorners(b, '#1a0a12', 0.22)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w } = f;
    const gold = brush.metal('#e0b040');
    const lapel = both(
      path(
        `M70 300 L${w * 0.62} 380 L${w * 0.36} 1600 L150 1600 L96 640 Z`,
        brush.round(lighter(colour, 0.22), darker(colour, 0.25)),
      ) + line(`M${w * 0.6} 390 L${w * 0.35} 1600`, '#e0b040', 12),
    );
    const buttons = both(
      times(6, (n) =>
        circle(w * 0.4 - n * 13, 520 + n * 150, 22, brush.round('#fff0b8', '#e0b040', '#7a5010')),
      ),
    );
    const epaulettes = both(
      ellipse(w * 0.86, 430, 120, 46, gold) +
        times(9, (n) => line(`M${w * 0.62 + n * 22} 452 v66`, '#e8bc50', 12)),
    );
    const shirt = path(
      'M-120 270 L120 270 L150 1700 L-150 1700 Z',
      brush.across('#d8cdb8', '#fffaf0', '#d8cdb8'),
    );
    const belt =
      path(`M${-w} 560 L${-w * 0.9} 500 L${w} 1240 L${w} 1330 Z`, brush.down('#5a3a22', '#2a160a')) +
      group(
        'translate(20 900) rotate(38)',
        rect(-60, -52, 120, 104, 'none', `rx="14" stroke="${gold}" stroke-width="20"`),
      );
    return `${torso(f, brush.cloth(colour), 120)}${folds(f)}${shirt}${lapel}${buttons}${epaulettes}${belt}`;
  },
  front: (f) => {
    const { brush, colour, isFemale, isChild } = f;
    const jabot = times(4, (n) =>
      path(
        `M${-60 - n * 10} ${330 + n * 70} Q0 ${420 + n * 74} ${60 + n * 10} ${330 + n * 70} L${88 - n * 4} ${420 + n * 74} Q0 ${480 + n * 70} ${-88 + n * 4} ${420 + n * 74} Z`,
        brush.down('#ffffff', '#d0c8b8'),
      ),
    );
    const scarfed = path(
      'M-232 -150 C-240 -250 -120 -292 0 -292 C120 -292 240 -250 232 -150 L214 -92 Q0 -190 -214 -92 Z',
      brush.cloth(mix(colour, '#ff3a2a', 0.4)),
    );
    const hat = path(
      'M-400 -150 C-330 -230 -300 -380 -150 -440 C-60 -476 60 -476 150 -440 C300 -380 330 -230 400 -150 C300 -196 160 -250 0 -250 C-160 -250 -300 -196 -400 -150 Z',
      brush.round('#4a3c40', '#241a1e', '#0a0608'),
    );
    const brim =
      path(
        'M-412 -148 C-300 -260 -140 -292 0 -292 C140 -292 300 -260 412 -148 C330 -190 170 -200 0 -204 C-170 -200 -330 -190 -412 -148 Z',
        brush.round('#5a484c', '#1a1214'),
      ) + line('M-410 -150 C-300 -262 -140 -294 0 -294 C140 -294 300 -262 410 -150', '#e0b040', 13);
    const emblem =
      isFemale || isChild
        ? group(
            'translate(0 -372) scale(1.2)',
            path(
              'M0 -46 L13 -14 L46 -14 L19 8 L30 42 L0 21 L-30 42 L-19 8 L-46 -14 L-13 -14 Z',
              brush.round('#fff0b8', '#e0b040'),
            ),
          )
        : group(
            'translate(0 -366)',
            line('M-64 44 L64 -20 M64 44 L-64 -20', '#f4ecdc', 15),
            ellipse(0, -14, 46, 44, '#f4ecdc'),
            rect(-24, 14, 48, 36, '#f4ecdc', 'rx="10"'),
            ellipse(-17, -12, 12, 14, '#241a1e'),
            ellipse(17, -12, 12, 14, '#241a1e'),
            path('M-6 14 L6 14 L0 2 Z', '#241a1e'),
          );
    // The feather is upright, so that it does not hide the people behind.
    const feather = isFemale
      ? group(
          'rotate(-38 262 -276)',
          path(
            'M250 -300 C330 -470 470 -520 540 -480 C500 -380 400 -300 270 -262 Z',
            brush.cloth(lighter(colour, 0.5)),
          ),
          line('M262 -276 Q400 -380 520 -474', '#ffffff', 5, 0.7),
        )
      : '';
    const rings = both(ellipse(214, 120, 20, 24, 'none', 'stroke="#f0c454" stroke-width="9"'));
    return `${shadowOnFace(f)}${sideHair(f, isFemale ? 420 : 250, 50)}${scarf(f, '#f4ecdc', 150)}${jabot}${group(
      'translate(0 -24)',
      scarfed,
      times(16, (n) =>
        circle(-190 + n * 25.3, -146 - Math.sin((n / 15) * Math.PI) * 62, 6, '#fff', 'opacity=".8"'),
      ),
      feather,
      hat,
      brim,
      emblem,
    )}${rings}`;
  },
};

export const diver: Scene = {
  light: { direction: [-0.2, -0.9, -0.8], ambient: 0.62, colour: [242, 251, 255] },
  colours: { male: '#b8792e', female: '#c98a3a', boy: '#c9a02e', girl: '#d08a5a' },
  seat: { y: 0.4, scale: 0.88 },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const fish = (x: number, y: number, s: number, colour: string) =>
      group(
        `translate(${x} ${y}) scale(${s} ${Math.abs(s)})`,
        path(
          'M-60 0 Q-10 -44 50 -6 L86 -34 Q78 0 86 34 L50 6 Q-10 44 -60 0 Z',
          brush.shaded(colour, 0.5, 0.4),
        ),
        path('M-10 -24 Q8 0 -10 24 L6 26 Q22 0 6 -26 Z', '#ffffff', 'opacity=".75"'),
        circle(-36, -6, 7, '#14161f'),
        circle(-38, -8, 2.4, '#ffffff'),
      );
    const coral = (x: number, s: number, colour: string) =>
      group(
        `translate(${x} ${h}) scale(${s})`,
        line(
          'M0 0 C-10 -90 -40 -130 -34 -220 M-16 -90 C-60 -120 -90 -150 -84 -200 M0 -60 C40 -110 30 -150 50 -230 M26 -120 C70 -140 90 -170 86 -210 M-34 -150 C-50 -190 -60 -210 -54 -250',
          darker(colour, 0.3),
          40,
        ) +
          line(
            'M-4 0 C-14 -90 -44 -130 -38 -220 M-20 -90 C-64 -120 -94 -150 -88 -200 M-4 -60 C36 -110 26 -150 46 -230 M22 -120 C66 -140 86 -170 82 -210',
            lighter(colour, 0.2),
            18,
            0.8,
          ),
      );
    const weed = (x: number) =>
      line(`M${x} ${h} q-60 -120 0 -240 t0 -${160 + random() * 200}`, '#1f8a6a', 26, 0.8) +
      line(`M${x + 8} ${h} q-60 -120 0 -240 t0 -${120 + random() * 160}`, '#5ad0a0', 8, 0.5);
    return `${sky(b, '#7fe8f0', '#2aa8cc', '#0d5a9a', '#072a5c')}${beams(b, w * 0.4, -h * 0.15, 11, '#e8ffff', 0.13)}${brush.soft(w * 0.4, 0, w * 0.5, h * 0.2, '#ffffff', 0.6)}
      ${fish(w * 0.14, h * 0.16, 1.1, '#ff9a2a')}${fish(w * 0.86, h * 0.24, -0.9, '#ffd23a')}${fish(w * 0.82, h * 0.12, 0.7, '#ff6a8a')}${fish(w * 0.1, h * 0.5, 0.8, '#6ae0d0')}${fish(w * 0.93, h * 0.46, 1.2, '#b06aff')}
      ${times(6, (n) => weed(w * (0.04 + n * 0.028) + (n % 2) * w * 0.82))}${brush.soft(w * 0.5, h * 1.02, w * 0.8, h * 0.12, '#e8d09a', 0.9)}${coral(w * 0.1, 1.2, '#ff5a6a')}${coral(w * 0.9, 1.4, '#ff9a4a')}${coral(w * 0.24, 0.8, '#c45ad8')}${coral(w * 0.77, 0.8, '#ffd04a')}
      ${times(40, () => {
        const x = random() * w;
        const y = random() * h;
        const r = 3 + random() ** 2 * 20;
        return (
          circle(x, y, r, '#ffffff', 'opacity=".14"') +
          circle(x, y, r, 'none', 'stroke="#e8ffff" stroke-width="2.5" opacity=".55"') +
          circle(x - r * 0.35, y - r * 0.35, r * 0.22, '#ffffff', 'opacity=".8"')
        );
      })}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w, isFemale } = f;
    const copper = brush.metal(colour);
    const suit = isFemale ? '#b8604a' : '#8f7a58';
    const plate = path(
      `M-300 330 Q0 250 300 330 C380 400 ${w * 0.98} 470 ${w * 0.98} 600 Q0 820 ${-w * 0.98} 600 C${-w * 0.98} 470 -380 400 -300 330 Z`,
      copper,
    );
    const bolts = times(9, (n) => {
      const t = n / 4 - 1;
      const x = t * w * 0.84;
      const y = 716 - t * t * 130;
      return (
        circle(x, y, 28, brush.round('#fff0c8', colour, '#3a200a')) +
        line(`M${x - 13} ${y} h26`, '#3a200a', 5, 0.7)
      );
    });
    const weight = group(
      'translate(0 1010)',
      path('M-130 -110 L130 -110 L100 120 L-100 120 Z', brush.round('#9aa4b0', '#5a6470', '#2a3038')),
      line('M-84 -60 H84 M-78 -20 H78', '#2a3038', 8, 0.5),
    );
    const straps = both(line('M110 720 L100 920', '#4a3018', 30));
    return `${torso({ ...f, shoulders: w * 1.15 }, brush.cloth(suit), 200)}${folds(f, suit)}${straps}${weight}${plate}${bolts}${ellipse(0, 0, 372, 384, copper)}${brush.soft(-120, -180, 180, 160, '#fff6d8', 0.6)}${brush.soft(150, 200, 220, 190, '#1a0a02', 0.55)}${ellipse(0, 10, 278, 296, '#16242c')}`;
  },
  front: (f) => {
    const { brush, colour, outline } = f;
    const copper = brush.metal(colour);
    const hood = 'M0 -298 A282 298 0 0 1 0 298 A282 298 0 0 1 0 -298 Z';
    const bolts = times(12, (n) => {
      const a = (n / 12) * Math.PI * 2 + 0.26;
      const x = Math.cos(a) * 304;
      const y = Math.sin(a) * 322 + 8;
      return circle(x, y, 20, brush.round('#fff0c8', colour, '#3a200a'));
    });
    const ring = `<ellipse cx="0" cy="8" rx="304" ry="322" fill="none" stroke="${copper}" stroke-width="58"/>${line('M-290 -80 A304 322 0 0 1 60 -308', '#fff6d8', 9, 0.7)}<ellipse cx="0" cy="8" rx="278" ry="296" fill="none" stroke="#3a200a" stroke-width="6" opacity=".6"/>`;
    const port = both(
      group(
        'translate(368 -30)',
        ellipse(0, 0, 44, 86, copper),
        ellipse(6, 0, 26, 60, brush.round('#8fd8e0', '#1a4a5a')),
      ),
    );
    const valve = group(
      'translate(0 -388)',
      ellipse(0, 0, 96, 40, copper),
      rect(-34, -58, 68, 56, copper, 'rx="12"'),
    );
    const hose =
      line('M300 -170 C430 -260 470 -500 420 -1200', '#2a2018', 48) +
      line('M294 -176 C420 -266 458 -500 408 -1200', '#8a6a4a', 14, 0.7);
    const bubbles = times(7, (n) =>
      circle(
        -300 - (n % 3) * 30,
        -260 - n * 74,
        12 + n * 4,
        '#ffffff',
        'fill-opacity=".18" stroke="#e8ffff" stroke-width="4" stroke-opacity=".7"',
      ),
    );
    return `${shadowOnFace(f, 0.55)}${aroundFace(f, path(hood, brush.round('#a83a34', '#7a2422', '#2a0a0a')))}${times(9, (n) => line(`M${-230 + n * 57} -280 Q${-190 + n * 47} -230 ${-130 + n * 33} -190`, '#3a0f0e', 5, 0.4))}${rim(f, '#c45048', 20, -2)}${line(outline(-11), '#2a0a0a', 3, 0.5)}${hose}${ellipse(0, 8, 280, 298, '#9fe8ff', 'opacity=".1"')}${path('M-232 -110 C-200 -210 -110 -268 -20 -278 C-110 -230 -176 -160 -196 -70 Z', '#ffffff', 'opacity=".38"')}${ring}${bolts}${port}${valve}${path('M-280 318 Q0 400 280 318 L310 380 Q0 470 -310 380 Z', copper)}${bubbles}`;
  },
};

export const merfolk: Scene = {
  light: { direction: [-0.3, -0.9, -0.8], ambient: 0.64, colour: [244, 252, 255] },
  colours: { male: '#1f9a8a', female: '#b04ac4', boy: '#2a8ad0', girl: '#ff7ab0' },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const palace = group(
      `translate(${w * 0.8} ${h * 0.78})`,
      times(5, (n) => {
        const x = -200 + n * 100;
        const tall = [260, 400, 560, 380, 280][n] ?? 300;
        const wide = 70 - Math.abs(n - 2) * 8;
        return (
          path(
            `M${x - wide / 2} 0 V${-tall} Q${x} ${-tall - 150} ${x + wide / 2} ${-tall} V0 Z`,
            brush.across('#bfe8f0', '#6ab0d8', '#2a5a9a'),
          ) + ellipse(x, -tall + 40, 13, 24, '#ffe9a8', 'opacity=".9"')
        );
      }),
    );
    const shell = (x: number, s: number, colour: string) =>
      group(
        `translate(${x} ${h * 0.98}) scale(${s})`,
        path('M0 0 C-150 -20 -150 -170 0 -180 C150 -170 150 -20 0 0 Z', brush.round('#ffffff', colour)),
        line(
          'M0 0 L-96 -112 M0 0 L-52 -160 M0 0 V-176 M0 0 L52 -160 M0 0 L96 -112',
          mix(colour, '#5a2a5a', 0.4),
          6,
          0.6,
        ),
      );
    return `${sky(b, '#b8fff0', '#4ad0d0', '#1f7ab8', '#143a80')}<g opacity=".5">${palace}</g>${beams(b, w * 0.3, -h * 0.1, 12, '#ffffff', 0.14)}${brush.soft(w * 0.3, 0, w * 0.5, h * 0.2, '#ffffff', 0.7)}
      ${times(46, () => {
        const x = random() * w;
        const y = random() * h;
        const r = 3 + random() ** 2 * 16;
        return (
          circle(x, y, r, 'none', 'stroke="#ffffff" stroke-width="2.5" opacity=".6"') +
          circle(x - r * 0.3, y - r * 0.3, r * 0.25, '#ffffff', 'opacity=".8"')
        );
      })}
      ${times(9, (n) => line(`M${w * (n < 5 ? 0.02 + n * 0.03 : 0.86 + (n - 5) * 0.035)} ${h} q-70 -130 0 -260 t0 -${200 + (n % 3) * 120}`, n % 2 ? '#2ab08a' : '#ff7a9a', 22, 0.8))}${brush.soft(w * 0.5, h * 1.02, w * 0.8, h * 0.1, '#ffe8b8', 0.9)}${shell(w * 0.12, 1.1, '#ffb0c8')}${shell(w * 0.9, 0.9, '#ffd08a')}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w, hair, isFemale, skin, random } = f;
    const dark = mix(skin, '#3a140a', 0.45);
    const mane = isFemale
      ? path(
          'M0 -330 C260 -330 330 -120 330 60 C360 260 470 420 400 700 C360 860 250 720 200 760 L-200 760 C-250 720 -360 860 -400 700 C-470 420 -360 260 -330 60 C-330 -120 -260 -330 0 -330 Z',
          brush.shaded(hair, 0.25, 0.5),
        ) +
        both(
          times(5, (n) =>
            line(
              `M${120 + n * 40} -180 C${300 + n * 10} 40 ${220 + n * 30} 260 ${330 + n * 14} ${520 + n * 30}`,
              mix(hair, n % 2 ? '#ffffff' : '#000000', 0.35),
              9,
              0.4,
            ),
          ),
        )
      : '';
    const scales = times(60, () => {
      const x = (random() - 0.5) * w * 1.5;
      const y = 640 + random() * 900;
      return path(
        `M${x - 40} ${y} q40 62 80 0`,
        'none',
        `stroke="${lighter(colour, 0.5)}" stroke-width="6" opacity=".55"`,
      );
    });
    const top = path(
      `M${-w * 0.9} 560 Q${-w * 0.4} 470 0 560 Q${w * 0.4} 470 ${w * 0.9} 560 L${w * 0.94} 1700 H${-w * 0.94} Z`,
      brush.cloth(colour),
    );
    return `${mane}${torso(f, brush.round(lighter(skin, 0.2), skin, dark), 96)}${both(line(`M60 410 Q${w * 0.5} 380 ${w * 0.8} 420`, dark, 9, 0.4))}${top}${scales}`;
  },
  front: (f) => {
    const { brush, colour, isFemale, random } = f;
    const pearl = brush.round('#ffffff', '#f0dcd0', '#a88a94');
    const gold = brush.metal('#f0c050');
    const collar = `${aroundFace(f, path('M-170 96 Q0 190 170 96 Q252 300 236 372 Q0 560 -236 372 Q-252 300 -170 96 Z', brush.cloth(lighter(colour, 0.1))) + brush.soft(0, 210, 190, 70, '#000000', 0.5), -4)}${times(
      11,
      (n) => {
        const t = n / 5 - 1;
        return (
          path(
            `M${t * 196 - 24} ${410 - t * t * 92} q24 96 48 0 Z`,
            brush.down(lighter(colour, 0.6), colour),
          ) + circle(t * 168, 296 - t * t * 70, 17, pearl)
        );
      },
    )}${ellipse(0, 388, 34, 40, brush.round('#ffffff', '#8ff0e8', '#1a7a9a'))}`;
    const spikes = each(
      [-2, -1, 0, 1, 2],
      (n) =>
        path(
          `M${n * 86 - 44} ${-216 + Math.abs(n) * 20} L${n * 100} ${-400 + Math.abs(n) * 54} L${n * 86 + 44} ${-216 + Math.abs(n) * 20} Z`,
          gold,
        ) + circle(n * 100, -404 + Math.abs(n) * 54, 19, pearl),
    );
    const crown = `${spikes}${path('M-226 -150 C-150 -262 150 -262 226 -150 L214 -110 C140 -206 -140 -206 -214 -110 Z', gold)}${times(
      9,
      (n) => {
        const t = n / 4 - 1;
        return circle(t * 190, -214 + t * t * 66, 13, n % 2 ? pearl : brush.round('#ffffff', colour));
      },
    )}`;
    const star = group(
      'translate(-232 -70) rotate(-14)',
      path(
        'M0 -70 L18 -22 L68 -20 L28 12 L42 60 L0 32 L-42 60 L-28 12 L-68 -20 L-18 -22 Z',
        brush.round('#ffd9a0', '#ff7a5a'),
        'stroke="#ff7a5a" stroke-width="14" stroke-linejoin="round"',
      ),
    );
    return `${shadowOnFace(f, 0.4)}${sideHair(f, isFemale ? 560 : 300, isFemale ? 110 : 62)}${collar}${crown}${isFemale ? star : ''}${times(7, () => circle((random() - 0.5) * 700, 200 + random() * 600, 9, 'none', 'stroke="#fff" stroke-width="3" opacity=".7"'))}`;
  },
};
