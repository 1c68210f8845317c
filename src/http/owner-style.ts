export const ownerStyle = `
:root { color-scheme: light dark; --ink: #23201d; --paper: #faf7f3; --line: #ddd4ca; --accent: #b0431f; --bad: #b3261e; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #efe8e0; --paper: #171412; --line: #3a332d; --accent: #ff8a5c; --bad: #ff7b72; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 68rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .75rem; }
.tiles p { margin: 0; padding: .6rem 1rem; border: 1px solid var(--line); border-radius: .6rem; }
.tiles b { font-size: 1.15rem; } .bad b { color: var(--bad); }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: 1rem; }
figure { margin: 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .6rem; }
svg { width: 100%; height: auto; display: block; } rect { fill: var(--accent); }
.range, .none { font-size: .85rem; color: color-mix(in srgb, var(--ink) 80%, var(--paper)); margin: .3rem 0 0; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .35rem .5rem; border-bottom: 1px solid var(--line); }
td:last-child, th:last-child { text-align: right; } a { color: var(--accent); }
`;

export const ownerIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<rect width="64" height="64" rx="15" fill="#1b1411"/><circle cx="32" cy="32" r="21" fill="none" stroke="#ff7a4d" stroke-width="4"/>
<path d="M20 44V34M32 44V22M44 44V29" stroke="#ff7a4d" stroke-width="5" stroke-linecap="round"/></svg>`;
