import { both, circle, darker, each, ellipse, group, lighter, line, path, rect, times } from './brush.ts';
import { aroundFace, folds, rim, ruff, type Scene, scarf, shadowOnFace, sideHair, torso } from './scene.ts';
import { bokeh, cloud, darkCorners, hills, sea, sky, stars } from './scenery.ts';

export const royal: Scene = {
  light: { direction: [-0.7, -0.4, -1], ambient: 0.5, colour: [255, 240, 218] },
  colours: { male: '#7a1428', female: '#1f4a8a', boy: '#1f6a4a', girl: '#a83a6a' },
  seat: { scale: 0.92 },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const drape = (x: number, flip: number) =>
      group(
        `translate(${x} 0) scale(${flip} 1)`,
        path(
          `M0 0 H${w * 0.42} C${w * 0.36} ${h * 0.3} ${w * 0.2} ${h * 0.36} ${w * 0.16} ${h * 0.52} C${w * 0.14} ${h * 0.7} ${w * 0.1} ${h * 0.8} ${w * 0.12} ${h} H0 Z`,
          brush.across('#4a0a16', '#a8283a', '#5a0f1e', '#8a1f30', '#3a0810'),
        ),
        line(
          `M${w * 0.05} 0 Q${w * 0.06} ${h * 0.5} ${w * 0.04} ${h} M${w * 0.18} 0 Q${w * 0.14} ${h * 0.3} ${w * 0.09} ${h * 0.5}`,
          '#2a0408',
          14,
          0.4,
        ),
        line(`M${w * 0.02} ${h * 0.5} Q${w * 0.1} ${h * 0.55} ${w * 0.17} ${h * 0.5}`, '#e0b040', 22),
      );
    const column = rect(w * 0.74, h * 0.04, 130, h, brush.across('#5a5248', '#c9bca4', '#8a7e6a', '#3a342c'));
    const window = group(
      `translate(${w * 0.5} ${h * 0.34})`,
      path(`M-280 360 V-120 A280 280 0 0 1 280 -120 V360 Z`, brush.down('#7fb0d0', '#e8d8b0', '#6a8a5a')),
    );
    return `${sky(b, '#3a2c22', '#5a4430', '#2a1c14')}<g opacity=".45">${window}</g>${brush.soft(w * 0.4, h * 0.36, w * 0.6, h * 0.4, '#e0b070', 0.35)}${column}${drape(0, 1)}${drape(w, -1)}${darkCorners(b, '#120604', 0.5)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w, random } = f;
    const ermine = path(
      `M-200 240 C-360 270 ${-w * 1.25} 400 ${-w * 1.22} 640 Q0 900 ${w * 1.22} 640 C${w * 1.25} 400 360 270 200 240 Z`,
      brush.round('#ffffff', '#f4efe4', '#b8ac9a'),
    );
    const tails = times(26, () => {
      const t = random() * 2 - 1;
      const x = t * w * 1.05;
      const y = 420 + random() * (300 - t * t * 190);
      return path(`M${x - 9} ${y} q9 62 18 0 q-9 -20 -18 0 Z`, '#1a1414');
    });
    const sash = path(
      `M${-w * 0.7} 640 L${-w * 0.42} 720 L${w * 0.8} 1700 L${w * 0.3} 1700 Z`,
      brush.across('#c4a040', '#ffe9a0', '#a87a20'),
    );
    const chain = times(15, (n) => {
      const t = n / 7 - 1;
      return circle(t * w * 0.62, 800 - t * t * 330, 27, 'none', 'stroke="#e8bc50" stroke-width="12"');
    });
    const order = group(
      'translate(0 860)',
      path('M0 -78 L18 -20 L78 0 L18 20 L0 78 L-18 20 L-78 0 L-18 -20 Z', brush.metal('#f0c454')),
      circle(0, 0, 26, brush.round('#ff9aa0', '#b3202a', '#4a060a')),
    );
    return `${torso({ ...f, shoulders: w * 1.2 }, brush.cloth(colour), 130)}${folds(f)}${sash}${ermine}${tails}${chain}${order}`;
  },
  front: (f) => {
    const { brush, colour, isFemale, isChild } = f;
    const gold = brush.metal('#f0c050');
    const tall = isFemale ? 150 : 200;
    const gem = (x: number, y: number, tint: string) =>
      ellipse(x, y, 17, 20, brush.round('#ffffff', tint, darker(tint, 0.6)));
    const velvet = path(`M-190 -230 C-210 ${-270 - tall} 210 ${-270 - tall} 190 -230 Z`, brush.cloth(colour));
    const points = each(
      [-2, -1, 0, 1, 2],
      (n) =>
        path(
          `M${n * 84 - 52} -216 Q${n * 92} ${-260} ${n * 96} ${-250 - tall + Math.abs(n) * 26} Q${n * 92} -260 ${n * 84 + 52} -216 Z`,
          gold,
        ) + circle(n * 96, -254 - tall + Math.abs(n) * 26, 20, brush.round('#ffffff', '#f4e4d8', '#a88a84')),
    );
    const band =
      path('M-232 -132 C-150 -246 150 -246 232 -132 L222 -78 C140 -186 -140 -186 -222 -78 Z', gold) +
      each([-3, -2, -1, 0, 1, 2, 3], (n) =>
        gem(n * 62, -196 + n * n * 7.4, ['#d0203a', '#2a6ad0', '#1fa06a'][Math.abs(n) % 3] ?? '#d0203a'),
      );
    const pearls = isFemale
      ? both(
          line('M206 60 v20', '#f0c050', 6) +
            ellipse(206, 104, 17, 22, brush.round('#ffffff', '#f0e4e8', '#a8949c')),
        )
      : '';
    const cross = isFemale
      ? ''
      : path(
          `M-14 ${-330 - tall} h28 v-26 h26 v-28 h-26 v-26 h-28 v26 h-26 v28 h26 Z`,
          gold,
          `transform="translate(0 ${isChild ? 96 : 92})"`,
        );
    return `${shadowOnFace(f)}${sideHair(f, isFemale ? 300 : 190, isFemale ? 84 : 56)}${ruff(f, '#ffffff', isChild ? 210 : 250)}${velvet}${points}${cross}${band}${pearls}`;
  },
  foreground: ({ width: w, height: h, brush }) => {
    const frame = (inset: number, wide: number, fill: string) =>
      rect(inset, inset, w - inset * 2, h - inset * 2, 'none', `stroke="${fill}" stroke-width="${wide}"`);
    const corner = group(
      'translate(74 74)',
      circle(0, 0, 62, brush.metal('#e0b040')),
      times(8, (n) =>
        ellipse(46, 0, 25, 14, brush.round('#fff0b8', '#b07a20'), `transform="rotate(${n * 45})"`),
      ),
      circle(0, 0, 20, brush.round('#fff6d0', '#c08a28')),
    );
    const at = (x: number, y: number) =>
      group(`translate(${x} ${y}) scale(${x > 0 ? -1 : 1} ${y > 0 ? -1 : 1})`, corner);
    return `${frame(28, 60, brush.metal('#c9962e'))}${frame(60, 10, '#5a3a0c')}${frame(8, 14, '#6a4410')}${frame(40, 5, '#fff0b8')}${at(0, 0)}${at(w, 0)}${at(0, h)}${at(w, h)}`;
  },
};

export const knight: Scene = {
  light: { direction: [0.5, -0.6, -1], ambient: 0.58, colour: [255, 244, 228] },
  colours: { male: '#a8202e', female: '#2a4ab0', boy: '#1f8a5a', girl: '#8a3ab0' },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const tower = (x: number, y: number, wide: number, tall: number) =>
      `${rect(x, y, wide, tall, brush.across('#d8ccba', '#a89a88', '#6a6058'))}${times(4, (n) => rect(x - 8 + n * ((wide + 16) / 4), y - 30, (wide + 16) / 7, 36, '#b0a492'))}${ellipse(x + wide / 2, y + 90, 13, 28, '#3a3430')}`;
    const roof = (x: number, y: number, wide: number, colour: string) =>
      path(
        `M${x - 20} ${y} L${x + wide / 2} ${y - wide * 1.3} L${x + wide + 20} ${y} Z`,
        brush.across(lighter(colour, 0.3), colour, darker(colour, 0.4)),
      ) +
      line(`M${x + wide / 2} ${y - wide * 1.3} v-70`, '#4a3a2a', 6) +
      path(`M${x + wide / 2} ${y - wide * 1.3 - 70} q40 -14 80 6 q-34 10 -80 30 Z`, '#e0303a');
    const base = h * 0.62;
    const castle = (x: number) =>
      `${tower(x - 200, base - 260, 110, 400)}${tower(x + 130, base - 300, 120, 440)}${roof(x - 200, base - 290, 110, '#3a5a9a')}${roof(x + 130, base - 330, 120, '#3a5a9a')}${tower(x - 100, base - 150, 240, 300)}${path(`M${x - 30} ${base + 160} v-110 a50 50 0 0 1 100 0 v110 Z`, '#3a2c24')}`;
    return `${sky(b, '#3a7ac4', '#9ad0ec', '#fff0cc', '#fff0cc')}${brush.soft(w * 0.8, h * 0.2, 360, 300, '#fff6d0', 0.9)}${cloud(b, w * 0.16, h * 0.14, 1.4)}${cloud(b, w * 0.66, h * 0.1, 1)}${cloud(b, w * 0.9, h * 0.36, 1.1)}${hills(b, h * 0.52, 70, '#9ab8c8', '#6a98a8', true)}${hills(b, h * 0.6, 40, '#8ac08a', '#4a8a5a')}${castle(w * 0.84)}${hills(b, h * 0.7, 26, '#a8d070', '#3f8a48')}${hills(b, h * 0.86, 20, '#6ab050', '#2a6a38')}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w } = f;
    const steel = brush.metal('#b8c2cc');
    const tabard =
      path(`M-170 330 L170 330 L${w * 0.66} 1700 L${-w * 0.66} 1700 Z`, brush.cloth(colour)) +
      line(`M-168 330 L${-w * 0.64} 1700 M168 330 L${w * 0.64} 1700`, '#f0c454', 14);
    const lion = group(
      'translate(0 820) scale(1.5)',
      path('M0 -120 L96 -88 V20 Q96 110 0 150 Q-96 110 -96 20 V-88 Z', brush.round('#fff6dc', '#e0c488')),
      path(
        'M0 -84 L20 -26 L80 -24 L32 12 L50 70 L0 36 L-50 70 L-32 12 L-80 -24 L-20 -26 Z',
        brush.cloth(colour),
      ),
    );
    const pauldrons = both(
      each([3, 2, 1, 0], (n) =>
        path(
          `M${w * 0.5} ${360 + n * 66} C${w * 0.8} ${310 + n * 70} ${w * 1.22} ${400 + n * 70} ${w * 1.22} ${560 + n * 66} Q${w * 0.9} ${520 + n * 60} ${w * 0.56} ${500 + n * 70} Z`,
          steel,
          'stroke="#3a424c" stroke-width="5"',
        ),
      ),
    );
    const arms = both(path(`M${w * 0.8} 700 L${w * 1.16} 700 L${w * 1.1} 1700 L${w * 0.74} 1700 Z`, steel));
    return `${arms}${torso(f, brush.metal('#98a2ac'), 150)}${tabard}${lion}${pauldrons}`;
  },
  front: (f) => {
    const { brush, colour, isFemale, outline } = f;
    const steel = brush.metal('#c4ced8');
    const mail =
      'M-222 -150 L222 -150 L214 20 C230 260 330 330 390 470 Q0 620 -390 470 C-330 330 -230 260 -214 20 Z';
    const rings = times(17, (row) =>
      times(20, (n) => {
        const y = -110 + row * 38;
        const reach = 226 + Math.max(0, row - 4) * 15;
        const x = -reach + (n + (row % 2) / 2) * (reach / 9.75);
        return (
          line(`M${x - 12} ${y} q12 20 24 0`, '#4a525c', 5, 0.75) +
          line(`M${x - 10} ${y - 4} q10 16 20 0`, '#e8eef4', 2, 0.5)
        );
      }),
    );
    const helmet =
      'M0 -400 C180 -380 262 -240 262 -60 C262 40 250 110 236 170 L190 200 C214 60 200 -60 172 -120 L-172 -120 C-200 -60 -214 60 -190 200 L-236 170 C-250 110 -262 40 -262 -60 C-262 -240 -180 -380 0 -400 Z';
    const band = path(
      'M-256 -128 C-160 -214 160 -214 256 -128 L250 -76 C160 -164 -160 -164 -250 -76 Z',
      brush.metal('#e0b040'),
    );
    const rivets = times(9, (n) => {
      const t = n / 4 - 1;
      return circle(t * 216, -172 + t * t * 62, 9, '#fff6d8');
    });
    const plume =
      path(
        'M-20 -396 C-60 -560 120 -640 300 -560 C420 -500 420 -340 340 -200 C350 -330 270 -430 20 -396 Z',
        brush.cloth(colour),
      ) +
      line(
        'M0 -420 C100 -560 280 -540 350 -330 M10 -440 C80 -590 260 -590 370 -420',
        lighter(colour, 0.5),
        6,
        0.5,
      );
    const visor = isFemale
      ? group(
          'translate(0 -268)',
          path(
            'M0 -56 L16 -14 L60 -14 L24 12 L38 54 L0 28 L-38 54 L-24 12 L-60 -14 L-16 -14 Z',
            brush.metal('#f0c454'),
          ),
        )
      : path(
          'M-240 -210 C-160 -330 160 -330 240 -210 L214 -182 C140 -270 -140 -270 -214 -182 Z',
          steel,
          'stroke="#3a424c" stroke-width="5"',
        ) + line('M-110 -262 L-30 -276 M110 -262 L30 -276', '#1a2028', 13);
    return `${shadowOnFace(f, 0.55)}${aroundFace(f, `${path(mail, brush.round('#a8b2bc', '#6a747e', '#3a424c'))}<g clip-path="${brush.clip(mail)}">${rings}</g>`)}${rim(f, '#7a8490', 14, -2)}${plume}${aroundFace(f, path(helmet, steel, 'stroke="#3a424c" stroke-width="6"'))}${line('M0 -398 V-190', '#f4f8fc', 12, 0.6)}${brush.soft(-110, -290, 90, 110, '#ffffff', 0.6)}${visor}${band}${rivets}${line(outline(-12), '#2a3038', 3, 0.5)}`;
  },
};

export const viking: Scene = {
  light: { direction: [-0.6, -0.5, -1], ambient: 0.58, colour: [250, 246, 240] },
  colours: { male: '#4a5a3a', female: '#7a3a2a', boy: '#3a5a7a', girl: '#8a4a6a' },
  background: (b) => {
    const { width: w, height: h, brush } = b;
    const y = h * 0.6;
    const ship = group(
      `translate(${w * 0.82} ${y + 30}) scale(1.25)`,
      path(
        'M-190 -60 C-200 -130 -170 -150 -150 -150 C-160 -110 -150 -60 -110 -40 L110 -40 C150 -60 160 -110 150 -150 C180 -150 200 -130 190 -60 C170 30 110 50 0 50 C-110 50 -170 30 -190 -60 Z',
        brush.down('#7a4a28', '#3a1e0e'),
      ),
      line('M0 -40 V-300', '#3a1e0e', 10),
      path(
        'M-120 -90 Q0 -60 120 -90 Q104 -180 120 -270 Q0 -250 -120 -270 Q-104 -180 -120 -90 Z',
        brush.round('#fff4e0', '#d8c4a0'),
      ),
      path(
        'M-70 -78 Q-60 -170 -72 -262 L-30 -256 Q-24 -170 -32 -72 Z M20 -70 Q26 -170 20 -256 L62 -262 Q58 -170 66 -78 Z',
        '#b82a2a',
      ),
      times(7, (n) =>
        circle(-120 + n * 40, -24, 22, n % 2 ? '#d8a83a' : '#b82a2a', 'stroke="#2a140a" stroke-width="5"'),
      ),
    );
    return `${sky(b, '#4a6a8a', '#a8c0cc', '#f0dcc0', '#f0dcc0')}${brush.soft(w * 0.26, h * 0.3, 420, 320, '#fff0d0', 0.8)}${cloud(b, w * 0.7, h * 0.14, 1.6, '#e8eef4')}${cloud(b, w * 0.2, h * 0.1, 1.2, '#e8eef4')}${hills(b, h * 0.44, 210, '#e8f0f8', '#6a8098', true)}${hills(b, h * 0.54, 120, '#6a8090', '#3a5058', true)}${sea(b, y, '#8ab4c0', '#1f4a5e')}${ship}${darkCorners(b, '#0a1018', 0.3)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w, random } = f;
    const straps =
      both(line(`M${w * 0.2} 560 L${w * 0.5} 1700`, '#4a2c16', 40)) +
      both(
        circle(w * 0.26, 640, 44, brush.metal('#c9a24a')) +
          circle(w * 0.26, 640, 20, brush.round('#ff9a8a', '#8a1f1a')),
      );
    const pelt = path(
      `M-190 200 C-420 250 ${-w * 1.34} 380 ${-w * 1.2} 660 Q0 760 ${w * 1.2} 660 C${w * 1.34} 380 420 250 190 200 Z`,
      brush.round('#8a6a4a', '#5a4028', '#2a1a0e'),
    );
    const hairs = times(170, () => {
      const t = random() * 2 - 1;
      const x = t * w * 1.2;
      const y = 330 + random() * 340 - t * t * 10 + Math.abs(t) * 40;
      return line(`M${x} ${y} q${t * 20} 30 ${t * 30} 66`, random() < 0.4 ? '#b89468' : '#3a2614', 7, 0.6);
    });
    return `${torso({ ...f, shoulders: w * 1.1 }, brush.cloth(colour), 130)}${folds(f)}${straps}${pelt}${hairs}`;
  },
  front: (f) => {
    const { brush, hair, isFemale, isChild } = f;
    const iron = brush.metal('#8a929a');
    const bronze = brush.metal('#c9963a');
    const dome = path(
      'M-244 -120 C-250 -300 -130 -400 0 -402 C130 -400 250 -300 244 -120 C150 -200 -150 -200 -244 -120 Z',
      iron,
    );
    const straps =
      path('M-26 -402 H26 L30 -176 H-30 Z', bronze) +
      path('M-254 -124 C-160 -226 160 -226 254 -124 L246 -66 C150 -164 -150 -164 -246 -66 Z', bronze);
    const rivets = times(11, (n) => {
      const t = n / 5 - 1;
      return circle(t * 222, -180 + t * t * 76, 9, '#fff0c8');
    });
    const horn =
      path(
        'M196 -252 C330 -262 400 -360 372 -500 C470 -400 440 -200 226 -176 Z',
        brush.across('#8a7250', '#f4e8cc', '#b89a70'),
      ) +
      line('M300 -262 q22 22 18 48 M348 -310 q28 16 34 40', '#6a5232', 7, 0.5) +
      path('M188 -262 L240 -262 L246 -166 L200 -170 Z', bronze);
    const wing =
      path(
        'M200 -240 C330 -300 360 -420 330 -500 C420 -440 430 -330 400 -270 C440 -290 440 -250 400 -220 C420 -220 400 -190 220 -170 Z',
        brush.round('#ffffff', '#d8dce4', '#8a92a4'),
      ) + line('M240 -216 Q340 -260 380 -380 M240 -200 Q350 -230 404 -290', '#8a92a4', 6, 0.6);
    // The ornaments are steep, so that they do not hide the faces of people behind.
    const ornaments = both(group('rotate(-25 215 -215)', isFemale ? wing : horn));
    const braid = (x: number) =>
      `${times(9, (n) =>
        ellipse(
          x + (n % 2 ? 9 : -9) + n * (x > 0 ? 5 : -5),
          210 + n * 46,
          36 - n * 1.2,
          31,
          brush.shaded(hair, 0.3, 0.4),
        ),
      )}${rect(x + (x > 0 ? 14 : -58), 604, 44, 30, bronze, 'rx="8"')}`;
    return `${shadowOnFace(f)}${sideHair(f, isFemale || isChild ? 220 : 300, 54)}${scarf(f, '#6a4c30', 190)}${isFemale ? braid(-218) + braid(218) : ''}${group('translate(0 -20)', ornaments, dome, brush.soft(-90, -300, 100, 80, '#ffffff', 0.5), straps, rivets)}`;
  },
};

export const wizard: Scene = {
  light: { direction: [0.5, 0.1, -1], ambient: 0.6, colour: [246, 236, 255] },
  colours: { male: '#3a2a9a', female: '#7a2a8a', boy: '#1f6a9a', girl: '#b03a8a' },
  seat: { y: 0.46 },
  background: (b) => {
    const { width: w, height: h, brush, random } = b;
    const shelf = (y: number) =>
      `${rect(0, y, w, 22, brush.down('#6a4a34', '#2a180e'))}${times(Math.floor(w / 46), (n) => {
        const tall = 90 + random() * 70;
        const colour =
          ['#7a2a3a', '#2a4a6a', '#5a3a7a', '#3a6a4a', '#8a6a2a'][Math.floor(random() * 5)] ?? '#7a2a3a';
        return random() < 0.12
          ? ''
          : `${rect(n * 46 + 4, y - tall, 34 + random() * 8, tall, brush.across(lighter(colour, 0.15), colour, darker(colour, 0.5)), 'rx="4"')}${line(`M${n * 46 + 10} ${y - tall + 22} h24 M${n * 46 + 10} ${y - 22} h24`, '#e0b858', 4, 0.6)}`;
      })}`;
    const window = group(
      `translate(${w * 0.5} ${h * 0.27})`,
      path('M-330 460 V-60 Q0 -520 330 -60 V460 Z', brush.down('#0c1040', '#3a2a8a', '#8a4aa8')),
      `<g clip-path="${brush.clip('M-330 460 V-60 Q0 -520 330 -60 V460 Z')}">${times(60, () => ellipse((random() - 0.5) * 640, -300 + random() * 740, 1 + random() * 3, 1 + random() * 3, '#fff', `opacity="${0.4 + random() * 0.6}"`))}${circle(150, -120, 78, '#fff4cc')}${circle(118, -136, 70, '#241a6a', 'opacity=".92"')}</g>`,
      line('M-330 460 V-60 Q0 -520 330 -60 V460 Z M0 -290 V460 M-330 120 H330', '#2a1a14', 20),
    );
    const candle = (x: number, y: number) =>
      `${brush.soft(x, y - 60, 150, 170, '#ffc860', 0.7)}${rect(x - 20, y - 20, 40, 120, brush.across('#fff4dc', '#d8c098'), 'rx="8"')}${path(`M${x} ${y - 84} q30 44 0 62 q-30 -18 0 -62 Z`, brush.down('#fff6c0', '#ff9a2a'))}`;
    return `${sky(b, '#2a1a3a', '#4a2c4a', '#1a0e1e')}${shelf(h * 0.2)}${shelf(h * 0.36)}${shelf(h * 0.52)}${shelf(h * 0.68)}${window}${brush.soft(w * 0.5, h * 0.5, w * 0.6, h * 0.4, '#7a4ad0', 0.35)}${candle(w * 0.1, h * 0.62)}${candle(w * 0.9, h * 0.6)}${bokeh(b, 26, ['#ffe08a', '#b08aff', '#8ae0ff'])}${stars(b, 60, 1)}${darkCorners(b, '#0a0412', 0.5)}`;
  },
  behind: (f) => {
    const { brush, colour, shoulders: w, random } = f;
    const robe = torso({ ...f, shoulders: w * 1.18 }, brush.cloth(colour), 140);
    const spangles = times(22, () => {
      const x = (random() - 0.5) * w * 1.9;
      const y = 520 + random() * 900;
      const s = 0.4 + random() * 0.7;
      return path(
        'M0 -30 L8 -8 L30 -7 L12 7 L19 28 L0 15 L-19 28 L-12 7 L-30 -7 L-8 -8 Z',
        '#ffe08a',
        `opacity=".85" transform="translate(${x} ${y}) scale(${s})"`,
      );
    });
    const trim =
      line('M0 380 V1700', '#f0c454', 20) +
      line('M-40 400 L-60 1700 M40 400 L60 1700', darker(colour, 0.5), 8, 0.6);
    const orb = group(
      `translate(${w * 0.62} 820)`,
      brush.soft(0, 0, 330, 330, '#8ae8ff', 0.75),
      circle(0, 0, 122, brush.round('#ffffff', '#8ad8ff', '#3a4ad0', '#180a4a')),
      path('M-70 -50 Q-30 -96 30 -92 Q-30 -70 -52 -22 Z', '#ffffff', 'opacity=".7"'),
      line('M-60 30 q30 -60 60 -10 t60 -16', '#ffffff', 6, 0.6),
    );
    return `${robe}${folds(f)}${spangles}${trim}${orb}`;
  },
  front: (f) => {
    const { brush, colour, isFemale, isChild } = f;
    const cone = path(
      'M-226 -150 C-180 -360 -110 -620 90 -760 C150 -790 220 -740 210 -690 C160 -710 120 -680 130 -600 C150 -440 210 -300 226 -150 C120 -216 -120 -216 -226 -150 Z',
      brush.cloth(colour),
    );
    const brim = path(
      'M-440 -96 C-300 -200 -140 -232 0 -232 C140 -232 300 -200 440 -96 C320 -128 160 -146 0 -146 C-160 -146 -320 -128 -440 -96 Z',
      brush.shaded(colour, 0.3, 0.5),
    );
    const band = path(
      'M-222 -166 C-120 -240 120 -240 222 -166 L212 -232 C120 -296 -110 -296 -208 -232 Z',
      brush.metal('#e0b040'),
    );
    const moon =
      path('M-40 -440 A64 64 0 1 0 40 -360 A50 50 0 1 1 -40 -440 Z', '#ffe9a0') +
      path(
        'M70 -520 l7 18 l19 1 l-15 12 l5 19 l-16 -11 l-16 11 l5 -19 l-15 -12 l19 -1 Z M-90 -330 l6 15 l16 1 l-13 10 l5 16 l-14 -9 l-14 9 l5 -16 l-13 -10 l16 -1 Z',
        '#ffe9a0',
      );
    const collar =
      path(
        'M-190 120 C-260 200 -330 300 -300 420 Q-150 420 0 560 Q150 420 300 420 C330 300 260 200 190 120 Q120 300 0 300 Q-120 300 -190 120 Z',
        brush.cloth(darker(colour, 0.2)),
      ) + line('M-300 420 Q-150 420 0 560 Q150 420 300 420', '#f0c454', 12);
    let hairLength = isChild ? 220 : 340;
    if (isFemale) hairLength = 460;
    return `${shadowOnFace(f, 0.45)}${sideHair(f, hairLength, isFemale ? 76 : 58)}${scarf(f, darker(colour, 0.35), 160)}${aroundFace(f, collar, -4)}${ellipse(0, 500, 34, 40, brush.round('#ffffff', '#6ae8d0', '#0a5a6a'))}${group('translate(0 -52) scale(1 .8)', brim, cone, band, moon)}`;
  },
};
