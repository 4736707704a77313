// A busy service: seconds until the next try.
let clock;
const countDown = () => {
  clearInterval(clock);
  const countdown = one("[data-wait]");
  if (!countdown) return;
  let left = Number(countdown.dataset.wait);
  const tick = () => {
    countdown.textContent = left > 0 ? `in ${left} s` : "now";
    if (left-- <= 0) clearInterval(clock);
  };
  tick();
  clock = setInterval(tick, 1000);
};
