"use strict";
// Draws each chart of a page over its still picture, in the same room, once a reader comes near it.
(() => {
  const draw = async (figure) => {
    const still = figure.querySelector("svg.chart");
    const spec = JSON.parse(figure.querySelector("script.asked").textContent);
    const { width, height } = still.getBoundingClientRect();
    const place = document.createElement("div");
    place.className = "drawing";
    still.after(place);
    // not a layout of its own: nothing on the page moves
    spec.autosize = { type: "fit", contains: "padding" };
    spec.width = Math.floor(width);
    spec.height = Math.floor(height);
    spec.padding = 4;
    try {
      await vegaEmbed(place, spec, {
        ast: true, actions: false, renderer: "svg", defaultStyle: false, hover: true,
        tooltip: { disableDefaultStyle: true },
      });
      place.querySelectorAll("svg, svg *").forEach((part) => {
        for (const name of ["role", "aria-label", "aria-roledescription"]) part.removeAttribute(name);
      });
      const drawn = place.querySelector("svg");
      drawn.setAttribute("role", "img");
      drawn.setAttribute("aria-label", still.querySelector("desc")?.textContent ?? "Chart");
      figure.classList.add("asked");
    } catch (error) {
      place.remove(); // the still picture stays
      console.info(`the chart stays a picture: ${error}`);
    }
  };
  const begin = () => {
    if (typeof IntersectionObserver === "undefined") return;
    const seen = new IntersectionObserver((entries) => {
      for (const { isIntersecting, target } of entries) {
        if (isIntersecting) { seen.unobserve(target); draw(target); }
      }
    }, { rootMargin: "200px" });
    for (const figure of document.querySelectorAll("figure:has(script.asked)")) seen.observe(figure);
  };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin); else begin();
})();
