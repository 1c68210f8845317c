// This script shows the value of a point on hover and focus, and moves from point to point by arrow keys. Without scripts,
// points have titles and every chart has a table. Listeners are on `.plot` instead of the drawing, because a drawing that
// listens for the focus is a stop for Tab.
for (const chart of document.querySelectorAll('.plot')) {
  const points = [...chart.querySelectorAll('.point')];
  const shown = chart.closest('figure')?.querySelector('.value');
  const atRest = shown?.textContent ?? '';

  /** @param {EventTarget | null} target */
  const pointOf = (target) => (target instanceof Element ? target.closest('.point') : null);
  /** @param {Element | null} point */
  const show = (point) => {
    if (shown) shown.textContent = point?.querySelector('title')?.textContent ?? atRest;
  };
  /** @param {Element | undefined} point */
  const moveTo = (point) => {
    if (!(point instanceof SVGElement)) return;
    for (const each of points) each.setAttribute('tabindex', each === point ? '0' : '-1');
    point.focus();
  };

  chart.addEventListener('pointerover', (event) => show(pointOf(event.target)));
  chart.addEventListener('pointerleave', () => show(pointOf(document.activeElement)));
  chart.addEventListener('focusin', (event) => show(pointOf(event.target)));
  chart.addEventListener('focusout', () => show(null));
  chart.addEventListener('keydown', (event) => {
    const point = pointOf(event.target);
    if (!(event instanceof KeyboardEvent) || point === null) return;
    const index = points.indexOf(point);
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: points.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    moveTo(points[Math.min(Math.max(to, 0), points.length - 1)]);
  });
}
