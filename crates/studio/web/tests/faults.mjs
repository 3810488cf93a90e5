// What is off the screen or cut off; run in the page, so without names of this file.
/** What is wrong with the page as it is: in the page. */
export function faults() {
  const found = [];
  const [W, H] = [innerWidth, innerHeight];
  if (document.scrollingElement.scrollWidth > W) found.push(`the page is ${document.scrollingElement.scrollWidth} px wide`);
  const say = (e) => `${e.tagName.toLowerCase()} "${(e.getAttribute("aria-label") ?? e.textContent).trim().slice(0, 40)}"`;
  const dialog = document.querySelector("dialog[open]");
  const seen = (e) => e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && (!dialog || dialog.contains(e));
  for (const e of document.querySelectorAll("button, select, a, [role=slider], .stick-pad, summary")) {
    if (!seen(e)) continue;
    const r = e.getBoundingClientRect();
    // what a list scrolls to counts by the list
    let box = e.parentElement;
    while (box && !(/auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight + 1)) box = box.parentElement;
    const list = box?.getBoundingClientRect();
    const [low, high] = list ? [list.top, list.bottom] : [r.top, r.bottom];
    if (r.left < -1 || r.right > W + 1 || low < -1 || high > H + 1) found.push(`${say(e)} is off the screen: ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`);
    if (list && (r.left < list.left - 1 || r.right > list.right + 1)) found.push(`${say(e)} is cut off by its list`);
  }
  for (const e of document.querySelectorAll("button, button span, h2, h3, summary, .stick span, .toolhint, .clock, select")) {
    if (seen(e) && !e.classList.contains("sr") && e.clientWidth > 0 && e.scrollWidth > e.clientWidth + 1) found.push(`${say(e)} is cut off: ${e.scrollWidth} > ${e.clientWidth}`);
  }
  // panels over the picture cover none of each other
  const panels = [...document.querySelectorAll(".top-left > *, .levers > *, .viewcube, .legend, .buildbar, .toolhint, .ghost-name, .exports > *")].filter(seen);
  const shown = (e) => e.getAttribute("aria-label") ?? e.className;
  panels.forEach((a, i) => {
    for (const b of panels.slice(i + 1)) {
      const [p, q] = [a.getBoundingClientRect(), b.getBoundingClientRect()];
      const [x, y] = [Math.min(p.right, q.right) - Math.max(p.left, q.left), Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top)];
      if (x > 2 && y > 2) found.push(`${shown(a)} and ${shown(b)} overlap by ${Math.round(x)} × ${Math.round(y)} px`);
    }
  });
  return found;
}
