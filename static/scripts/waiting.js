// A busy service: seconds until the next try.
let clock;
const countDown = () => {
  clearInterval(clock);
  const place = one("[data-wait]");
  if (!place) return;
  let left = Number(place.dataset.wait);
  const tick = () => {
    place.textContent = left > 0 ? `in ${left} s` : "now";
    if (left-- <= 0) clearInterval(clock);
  };
  tick();
  clock = setInterval(tick, 1000);
};
